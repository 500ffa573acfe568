"""Where games leave all earlier ones, and who made a move first: on made-up games, by comparing every pair of positions."""

from __future__ import annotations

import datetime as dt
from functools import cache

import pytest

from tests.queries.openings.conftest import GAMES
from tests.queries.openings.slow_openings import TINY, Played, holdings, turned, turns, unclaimed
from zertz_db.queries.games.novelty import find_novelty
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.openings.tree import find_openings
from zertz_db.queries.search.positions import find_position
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text

Seen = tuple[object, ...]


@cache
def seen(number: int) -> list[Seen]:
    """Every position of a game in the least of its orientations, with all that makes it another position."""
    game = GAMES[number]
    found: list[Seen] = []
    for position in game.positions:
        held = holdings(position)
        images = (tuple(sorted((turn[ring], marble) for ring, marble in held.items())) for turn in turns(game.start))
        found.append((min(images), position.side, position.pool, position.captured, position.rules.name))
    return found


def numbers(database: Database) -> dict[int, str]:
    """The ids of the games, in the order in which they were played."""
    rows = database.connection().execute("SELECT event, id, date_from FROM games").fetchall()
    rows.sort(key=lambda row: (row[2] or dt.date.max, from_text(row[1])))
    return {int(event.removeprefix("game ")): game for event, game, _ in rows}


@pytest.mark.parametrize("part", range(2))
def test_a_game_leaves_all_earlier_ones_where_slow_comparison_says(archive: Database, part: int) -> None:
    ids = numbers(archive)
    order = list(ids)
    partly = 0
    for place in range(part, len(order), 8):
        number = order[place]
        game, alike = GAMES[number], [other for other in order[:place] if GAMES[other].start == GAMES[number].start]
        reached = [sum(position in seen(other) for other in alike) for position in seen(number)]
        known = [ply for ply, count in enumerate(reached) if count]
        found = find_novelty(archive, find_game(archive, ids[number]))
        if not known:
            assert (found.ply, found.games, str(found)) == (None, 0, "No earlier game began with this position.")
            continue
        last = known[-1]
        move = game.moves[last] if last < len(game.moves) else None
        assert (found.ply, found.games, unclaimed(found.move)) == (last, reached[last], unclaimed(move))
        assert str(found).startswith("Nothing new: " if move is None else f"New after ply {last}, with ")
        partly += move is not None
        first = next(other for other in alike if seen(number)[last] in seen(other))
        assert found.first is not None
        assert (found.first.id, found.first.date) == (ids[first], GAMES[first].date)
        assert seen(first)[found.first.ply] == seen(number)[last]
    assert partly > 3


@pytest.mark.parametrize("start", [TINY, Position.start("37").text, Position.start("48").text])
def test_the_first_game_with_a_move(archive: Database, start: str) -> None:
    ids = numbers(archive)
    played: dict[frozenset[str] | None, list[Played]] = {}
    for number in ids:  # in order
        game = GAMES[number]
        if game.start == start:
            looks = [turned(str(unclaimed(game.moves[0])), turn) for turn in turns(start)] if game.moves else []
            played.setdefault(frozenset(looks) if looks else None, []).append(game)
    rows = find_openings(archive, position=start).continuations.dicts()
    assert len(rows) == len(played)
    for row in rows:
        [first, *_] = next(games for looks, games in played.items() if looks and unclaimed(row["move"]) in looks)
        date = None if "?" in first.date else dt.date(*map(int, first.date.split(".")))
        assert (row["first_date"], row["first_player"]) == (date, first.player)
        assert row["first_game"] == ids[GAMES.index(first)]
    found = find_position(archive, start, "exact").first
    assert found is not None
    wanted = Position.parse(start)
    alike = (number for number in ids if holdings(GAMES[number].positions[0]) == holdings(wanted))
    assert found["id"] == ids[next(alike)]


def test_details_can_be_left_out(archive: Database) -> None:
    rows = find_openings(archive, position=TINY, details=False).continuations.dicts()
    assert {row[name] for row in rows for name in ("rated", "rating", "performance", "first_date", "first_player")} == {
        None
    }
    assert [row["games"] for row in rows] == [
        row["games"] for row in find_openings(archive, position=TINY).continuations.dicts()
    ]
