"""Lists of missed wins and combinations, against the rows that the solver gave."""

from __future__ import annotations

from typing import Any

import pytest

from tests.analyses import JudgedClub
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import Game, find_game
from zertz_db.queries.tactics.examples import COLUMNS, KINDS, find_tactics
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text
from zertz_db.tactics import solve


@pytest.fixture
def rows(judged_club: JudgedClub) -> dict[tuple[str, int], dict[str, Any]]:
    """The rows of the solver by game and ply."""
    return {(to_text(row["game"]), row["ply"]): row for row in judged_club.rows}


Rows = dict[tuple[str, int], dict[str, Any]]


def test_missed_wins_are_all_of_them_and_the_longest_come_first(judged: Database, rows: Rows) -> None:
    found = find_tactics(judged, "missed", limit=None).dicts()
    assert {(row["id"], row["ply"]): row["length"] for row in found} == {
        place: row["forced"] for place, row in rows.items() if row["missed"]
    }
    lengths = [row["length"] for row in found]
    assert lengths == sorted(lengths, reverse=True)
    assert find_tactics(judged, "missed", limit=3).dicts() == found[:3]


def combination(game: Game, rows: Rows) -> tuple[int, int] | None:
    """Return ply and length of the longest win in three or more that the winner kept from there to the end."""
    best = None
    if game.row["ending"] not in ("set", "board-filled"):
        return None
    for ply in reversed(range(len(game.moves))):
        if game.positions[ply].side != game.row["winner"]:
            continue
        row = rows.get((game.id, ply))
        if row is None or not row["forced"] or not row["kept"]:
            break
        if row["forced"] >= 3 and (best is None or row["forced"] >= best[1]):
            best = ply, row["forced"]
    return best


def test_played_combinations_were_kept_to_the_end(judged: Database, rows: Rows) -> None:
    games = [find_game(judged, game) for (game,) in list_games(judged, "analysed:yes", columns=["id"]).rows]
    expected = {game.id: best for game in games if (best := combination(game, rows))}
    found = find_tactics(judged, "played", limit=None).dicts()
    assert expected
    assert {row["id"]: (row["ply"], row["length"]) for row in found} == expected


def test_the_quickest_is_the_first_forced_win_of_each_game(judged: Database, rows: Rows) -> None:
    first: dict[str, tuple[int, int]] = {}
    for (game, ply), row in sorted(rows.items()):
        if row["forced"]:
            first.setdefault(game, (ply, row["forced"]))
    found = find_tactics(judged, "quickest", limit=None).dicts()
    assert {row["id"]: (row["ply"], row["length"]) for row in found} == first
    assert [row["ply"] for row in found] == sorted(ply for ply, _ in first.values())


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_leads_to_its_position(judged: Database, kind: str) -> None:
    found = find_tactics(judged, kind, limit=5)
    assert found.columns == COLUMNS
    for row in found.dicts():
        game = find_game(judged, row["id"])
        before = game.positions[row["ply"]]
        assert row["move"] == game.moves[row["ply"]]
        names = game.row["player1"], game.row["player2"]
        assert (row["player"], row["opponent"]) == (names if before.side == 1 else names[::-1])
        assert (row["date"], row["result"]) == (game.row["date"], game.row["result"])
        assert solve(before, row["length"], 100_000).forced == row["length"]


@pytest.mark.parametrize("kind", KINDS)
def test_filters_select_the_games(judged: Database, kind: str) -> None:
    whole = find_tactics(judged, kind, limit=None).rows
    wanted = {game for (game,) in list_games(judged, "player:ada", columns=["id"]).rows}
    assert find_tactics(judged, kind, "player:ada", None).rows == [row for row in whole if row[0] in wanted]
    assert find_tactics(judged, kind, "player:nobody").rows == []


def test_a_database_without_analyses_has_no_rows(database: Database) -> None:
    assert [find_tactics(database, kind).rows for kind in KINDS] == [[]] * len(KINDS)


@pytest.mark.parametrize(
    ("kind", "limit", "message"),
    [
        ("lost", 3, "no list of forced wins is called 'lost'; valid: missed, played, quickest"),
        ("missed", -1, "-1 forced"),
    ],
)
def test_what_can_t_be_asked_is_explained(judged: Database, kind: str, limit: int, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        find_tactics(judged, kind, limit=limit)
