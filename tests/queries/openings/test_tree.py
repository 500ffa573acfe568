"""The opening tree, on made-up games of many boards, against a slow computation; and what is said about it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.queries.openings.conftest import GAMES
from tests.queries.openings.slow_openings import (
    TINY,
    Counts,
    Played,
    slow_openings,
    turned,
    turns_of,
    unclaimed,
)
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.errors import QueryError
from zertz_db.queries.openings.continuations import grouped
from zertz_db.queries.openings.line import split_moves
from zertz_db.queries.openings.tree import Openings, find_openings
from zertz_db.queries.openings.tree_sql import Sums
from zertz_db.queries.wilson import ENOUGH, share
from zertz_db.rules.position import Position
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

FILTERS: list[tuple[str, Callable[[Played], bool]]] = [
    ("", lambda game: bool(game)),
    ("first:ada", lambda game: game.player == "Ada"),
    ("ending:resign", lambda game: game.resigned),
    ("since:2011 until:2012.06", lambda game: "2011" <= game.date < "2012.07"),
]


def found_as_counts(found: Openings) -> dict[str | None, Counts]:
    """The product's rows as the slow computation has them."""
    ways = {row["move"]: Counter[str]() for row in found.continuations.dicts()}
    for way in found.ways.dicts():
        ways[way["move"]][way["way"]] = way["games"]
    return {
        unclaimed(row["move"]): Counts(
            games=row["games"],
            by_line=row["by_line"] or 0,
            results=Counter({name: row[name] for name in ("wins", "ties", "losses", "unknown")}),
            ways=ways[row["move"]],
            plies=row["mean_plies"],
            last_date=row["last_date"] and row["last_date"].strftime("%Y.%m.%d"),
        )
        for row in found.continuations.dicts()
    }


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_the_tree_is_what_turning_every_position_by_hand_gives(archive: Database, data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(GAMES))
    turn = data.draw(st.sampled_from(turns_of(game.start)))
    start = Position.parse(game.start)
    line = [turned(move, turn) for move in game.moves[: data.draw(st.integers(0, 12))]]
    for move in line[: data.draw(st.integers(0, len(line)))]:  # only the rest of them is given as moves
        start, line = start.play(move), line[1:]
    filters, passes = data.draw(st.sampled_from(FILTERS))
    board_only = data.draw(st.booleans())
    found = find_openings(archive, line, position=start, filters=filters, board_only=board_only)
    slow = slow_openings(GAMES, start, line, passes, board_only)
    rows = found_as_counts(found)
    assert len(rows) == len(slow)
    for move, counts in slow.items():
        (mine,) = (row for row in rows if (row is None if move is None else row in move))
        mean = round(counts.plies / counts.games, 1)
        by_line = counts.by_line if line else 0
        assert rows[mine] == replace(counts, plies=mean, by_line=by_line, ratings=[], points=[])
        (shown,) = (row for row in found.continuations.dicts() if unclaimed(row["move"]) == mine)
        assert (shown["rated"], shown["rating"], shown["performance"]) == counts.rated
    assert found.games == sum(counts.games for counts in slow.values())
    assert found.by_line == (sum(counts.by_line for counts in slow.values()) if line else None)
    assert (found.absence is None) == bool(slow)


@pytest.mark.usefixtures("archive")
def test_the_games_have_what_the_tree_must_tell_apart() -> None:
    """Otherwise the property above would say little."""
    assert {way for game in GAMES for way in game.ways} >= {"4W", "3W", "board-filled", "resign", "agreed"}
    assert sum(None not in game.ratings for game in GAMES) > 100
    assert any(game.contradicts and game.positions[-1].is_over for game in GAMES)
    assert any(len({str(position) for position in game.positions}) < len(game.positions) for game in GAMES)


@pytest.fixture
def sampled(database: Database) -> Callable[..., Openings]:
    """Openings of the sample that the other queries are tested on."""
    return partial(find_openings, database)


def test_two_games_are_not_fifty_percent(sampled: Callable[..., Openings]) -> None:
    found = sampled()
    row = found.continuations.dicts()[0]
    assert (row["move"], row["games"], row["wins"], row["losses"], row["unknown"]) == ("Wd4,a1", 2, 0, 1, 1)
    assert (row["score"], row["score_low"], row["score_high"]) == (None, None, None)
    assert {way["share"] for way in found.ways.dicts()} == {None}
    assert row["name"] == "white centre, corner out"


def test_enough_games_have_a_score_and_shares_with_intervals(archive: Database) -> None:
    found = find_openings(archive, position=TINY)
    scored = [row for row in found.continuations.dicts() if row["wins"] + row["ties"] + row["losses"] >= ENOUGH]
    for row in scored:
        known = row["wins"] + row["ties"] + row["losses"]
        assert (row["score"], row["score_low"], row["score_high"]) == share(row["wins"] + row["ties"] / 2, known)
        ways = [way for way in found.ways.dicts() if way["move"] == row["move"]]
        assert ways and all(way["low"] <= way["share"] <= way["high"] for way in ways)
    assert scored


def test_another_order_leads_to_the_same_position(archive: Database) -> None:
    start, by_games = Position.parse(TINY), find_openings(archive, position=TINY)
    transposed = [
        found
        for row in by_games.continuations.dicts()
        if row["move"]
        for second in find_openings(archive, [row["move"]], position=TINY).continuations.dicts()
        if second["move"]
        for found in [find_openings(archive, [row["move"], second["move"]], position=start)]
        if found.by_line is not None and 0 < found.by_line < found.games
    ]
    assert transposed
    for found in transposed:
        assert sum(row["by_line"] for row in found.continuations.dicts()) == found.by_line


@pytest.mark.parametrize(
    ("order", "key"),
    [
        ("games", lambda row: -row["games"]),
        ("result", lambda row: (row["score"] is None, -(row["score"] or 0))),
        ("date", lambda row: -row["last_date"].toordinal() if row["last_date"] else 0),
    ],
)
def test_orders_and_limit(archive: Database, order: str, key: Callable[[dict[str, object]], object]) -> None:
    everything = find_openings(archive, position=TINY, order=order)
    rows = everything.continuations.dicts()
    assert rows == sorted(rows, key=key)  # type: ignore[arg-type]
    shortened = find_openings(archive, position=TINY, order=order, limit=2)
    assert shortened.continuations.dicts() == rows[:2]
    assert find_openings(archive, position=TINY, order=order, limit=2, offset=1).continuations.dicts() == rows[1:3]
    assert shortened.choices == everything.choices == len(rows)
    assert {way["move"] for way in shortened.ways.dicts()} <= {row["move"] for row in rows[:2]}


def test_games_that_ended_here_come_last(sampled: Callable[..., Openings]) -> None:
    found = sampled("Wd4,d1 Bd3,a1")
    moves = [row["move"] for row in found.continuations.dicts()]
    assert moves == ["x d3Wd5", None]
    assert (found.games, found.by_line, found.choices, found.name) == (2, 2, 1, "white centre, corner out")
    assert sampled("Wd4,d1 Bd3,a1", limit=0).continuations.dicts()[0]["move"] is None


@pytest.mark.parametrize("first", ["Wd4,d1", "Wd4,a1", "Wd4,a4", "Wd4,d7", "Wd4,g4", "Wd4,g1"])
def test_the_answer_is_in_the_askers_orientation(sampled: Callable[..., Openings], first: str) -> None:
    second = sampled([first]).continuations.dicts()[0]["move"]
    third = sampled([first, second]).continuations.dicts()[0]["move"]
    assert sampled([first, second, third]).by_line == 1


def test_the_samples_are_the_latest_games(sampled: Callable[..., Openings], ids: dict[str, str]) -> None:
    assert sampled("Wd4,d1").continuations.dicts()[0]["samples"].split() == [ids["clocks"], ids["resigned"]]


@pytest.mark.parametrize(
    ("asked", "start"),
    [
        ({}, "37 standard"),
        ({"board": "48"}, "48 standard"),
        ({"filters": "board:48"}, "48 standard"),
        ({"filters": "board:48", "board": "37"}, "37 standard"),
        ({"filters": "rules:blitz"}, "37 blitz"),
        ({"rules": "standard+tournament"}, "37 standard+tournament"),
    ],
)
def test_the_empty_board_is_that_of_the_filters_if_none_is_named(
    sampled: Callable[..., Openings], asked: dict[str, str], start: str
) -> None:
    assert sampled(**asked).position.text.startswith(f"{start} ")


def test_games_of_another_rule_set_are_others(sampled: Callable[..., Openings]) -> None:
    assert sampled(rules="blitz").games == 1
    assert sampled(rules="standard").games == sampled(rules="standard+tournament").games == 3
    assert sampled(board_only=True).games == 4


@pytest.mark.parametrize(
    ("moves", "asked", "said"),
    [
        (["Wa1,a2"], {}, "no game reached this position; 2 records that imports rejected are in no count"),
        (
            ["Wd4,d1"],
            {"filters": "board:48", "board": "37"},
            "no game that passes the filters reached this position; without the filters, 2 did",
        ),
        (
            ["Wd4,d1"],
            {"rules": "blitz"},
            "2 had the same rings and marbles with another player to move or other marbles",
        ),
        ([], {"board": "61"}, "no game reached this position"),
    ],
)
def test_no_game_is_said_with_what_there_is_instead(
    sampled: Callable[..., Openings], moves: list[str], asked: dict[str, str], said: str
) -> None:
    found = sampled(moves, **asked)
    assert (found.games, found.continuations.rows, found.ways.rows) == (0, [], [])
    assert found.absence is not None and said in found.absence


@pytest.mark.parametrize(
    ("moves", "asked", "message"),
    [
        (["Wd4,d1", "Bd4,a1"], {}, "move 2: Bd4,a1 is not legal here: the ring holds a marble already"),
        (["nonsense"], {}, "move 1: 'nonsense' is not a move"),
        ("Wd4,d1 castles", {}, "'castles' is not a move"),
        ([], {"board": "36"}, "no standard board is called '36'"),
        ([], {"rules": "chess"}, "no rule set is called 'chess'"),
        ([], {"position": "37 standard"}, "a position is written BOARD RULES LAYOUT"),
        ([], {"order": "colour"}, "can't be sorted by 'colour'; valid: games, result, date"),
        ([], {"limit": -1}, "-1 continuations can't be listed"),
        ([], {"offset": -1}, "-1 continuations can't be listed"),
        ([], {"filters": "board:36"}, "36"),
    ],
)
def test_what_can_not_be_asked(
    database: Database, moves: list[str] | str, asked: dict[str, str | int], message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        find_openings(database, moves, **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", []),
        ("1. Wd4,d1 Bd3,a1\n2. x  d3Wd5 -", ["Wd4,d1", "Bd3,a1", "x d3Wd5", "-"]),
        ("Gg4,g3 x Wg2Bg1 x a1Gc2Wc4", ["Gg4,g3 x Wg2Bg1", "x a1Gc2Wc4"]),
        ("1... Wd4 Bd3", ["Wd4", "Bd3"]),
    ],
)
def test_moves_are_told_apart_in_a_text(text: str, moves: list[str]) -> None:
    assert split_moves(text) == moves


def test_every_column_is_explained_and_json_holds_all(archive: Database) -> None:
    found = find_openings(archive, position=TINY, limit=3)
    assert all(column.meaning for result in (found.continuations, found.ways) for column in result.columns)
    as_json = json.loads(json.dumps(found.as_json(), default=str))
    assert as_json["position"] == TINY
    for row, shown in zip(found.continuations.dicts(), as_json["continuations"], strict=True):
        assert shown["samples"] == row["samples"].split()
        assert [way["games"] for way in shown["ways"]] == [
            way["games"] for way in found.ways.dicts() if way["move"] == row["move"]
        ]


def test_a_board_of_more_than_63_rings(tmp_path: Path) -> None:
    columns = "/".join(f"{letter}{-number % 2}:oooooooo" for number, letter in enumerate("abcdefghi"))
    start = Position.parse(f"custom standard {columns} 6/8/10 0/0/0 0/0/0 1")
    moves = [start.notation(start.legal_moves()[-1])]
    game = Played(start.text, moves, [start, start.play(moves[0])], "2010.01.01", "1-0", True, "Ada")
    (tmp_path / "large.txt").write_text(game.text(1), "utf-8")
    import_paths([tmp_path / "large.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        found = find_openings(database, moves, position=start)
        assert (found.games, found.by_line, find_openings(database, position=start).choices) == (1, 1, 1)


def test_an_empty_database_has_no_game(tmp_path: Path) -> None:
    with next_generation(tmp_path / "db"):
        pass
    with open_database(tmp_path / "db") as empty:
        assert find_openings(empty).absence == "no game reached this position"


@pytest.mark.parametrize("order", ["games", "result", "date"])
def test_equal_continuations_come_in_the_order_of_their_codes_before_some_are_left_out(order: str) -> None:
    codes = [7, 3, 9, 1, 5]
    sums = [
        Sums(
            move=code, ending=None, winning_sets=None, games=2, wins=1, ties=0, losses=1, plies=40, latest=(None, code)
        )
        for code in codes
    ]
    _, continuations = grouped(sums, order)
    assert [one.code for one in continuations] == sorted(codes)
    assert [one.code for one in grouped(sums[::-1], order)[1][:2]] == [1, 3]


@pytest.mark.parametrize("text", ["Wd4,d1 x d3", "x d3", "Wd4,d1 xd3Wd5", "Wd4,", "Wd4,d1 x Wa", "Bd3,a1 2. x"])
def test_half_a_move_is_a_mistake(text: str) -> None:
    with pytest.raises(QueryError, match="is not a move"):
        split_moves(text)
