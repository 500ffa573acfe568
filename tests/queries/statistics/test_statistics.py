"""Statistics against slow and obvious computations on made-up games."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise, product
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analyses import analyse
from tests.queries import made_games
from tests.queries.made_games import Made
from tests.queries.sample import played
from tests.queries.statistics import slow_statistics
from zertz_db.queries.errors import QueryError
from zertz_db.queries.statistics.lead_changes import MAX_PLIES, leads
from zertz_db.queries.statistics.registry import STATISTICS, ask_statistics
from zertz_db.queries.wilson import share
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RULE_SETS
from zertz_db.store.folder.database import Database
from zertz_db.store.loading import game_courses
from zertz_db.store.open_database import open_database
from zertz_db.store.schema.position_columns import pack_counts


def timed(made: Iterable[Made]) -> Iterator[Made]:
    """Games, some with clocks that count up; of these some miss one, and some go back once."""
    for number, one in enumerate(made):
        clocks: list[int | None] = [(17 * number + 40 * ply + 13 * ply * ply % 97) for ply in range(one.plies)]
        if number % 5 == 1 and one.plies > 3:
            clocks[-2] = (None, 0)[number % 2]
        yield replace(one, clocks=tuple(clocks), direction="up") if number % 3 else one


ISOLATIONS = (1017, 1089, 1096, 1113, 1172, 1194, 1222, 1281, 1283, 1305, 1376, 1381)
"""Random games that a claim wins, by the seed of their dice."""
MADE = [
    *timed(made_games.games()),
    *(Made(moves=tuple(played(Position.start("37", "blitz"), seed)), rules="blitz") for seed in ISOLATIONS),
]
SLOW: dict[str, Callable[[list[Made]], Any]] = {
    "first-mover": slow_statistics.first_mover,
    "sets": slow_statistics.winning_sets,
    "endings": slow_statistics.endings,
    "lengths": slow_statistics.lengths,
    "histogram": slow_statistics.histogram,
    "minutes": slow_statistics.minutes,
    "leads": slow_statistics.leads,
    "lead-changes": slow_statistics.lead_changes,
    "captures": slow_statistics.captures,
    "captures-by-ply": slow_statistics.captures_by_ply,
    "sacrifices": slow_statistics.sacrifices,
    "isolations": slow_statistics.isolations,
    "tactics": slow_statistics.forced_wins,
    "first-moves": slow_statistics.first_moves,
    "first-rings": slow_statistics.first_rings,
}
SHARES = {
    "first-mover": ("first", "decided"),
    "sets": ("games", "of"),
    "endings": ("games", "of"),
    "histogram": ("games", "of"),
    "leads": ("behind", "games"),
    "lead-changes": ("games", "of"),
    "isolations": ("games", "of"),
    "tactics": ("kept", "of"),
    "first-rings": ("first", "decided"),
}
LABELS = {"first-rings": 2}
"""Columns that tell the rows of a group apart, where these are not one."""
DIVISIONS = [(), ("board",), ("rules", "kind"), ("year",), ("era:2", "board"), ("length",), ("kind",)]
RARE = [("year",), ("length",), ("board",)]
"""Divisions that others contain; they are for `make long`."""
GROUPS_OF_WINNERS = [("side",), ("board", "side")]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = made_games.build(tmp_path_factory.mktemp("made"), MADE)
    analyse(folder)
    with open_database(folder) as opened:
        yield opened


def without_shares(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("share", "low", "high")}


def same(found: list[dict[str, Any]], expected: list[dict[str, Any]], tolerance: float = 0.006) -> None:
    assert [list(row) for row in found] == [list(row) for row in expected]
    for row, other in zip(found, expected, strict=True):
        numbers = {
            name: pytest.approx(value, abs=tolerance) if isinstance(value, float) else value
            for name, value in other.items()
        }
        assert row == numbers


def by_labels(rows: list[dict[str, Any]], labels: int) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: [str(value) for value in list(row.values())[:labels]])


def test_every_statistic_has_its_slow_twin() -> None:
    assert list(SLOW) == list(STATISTICS)


@pytest.mark.parametrize(
    ("name", "by"),
    [
        pytest.param(name, by, marks=pytest.mark.long if by in RARE else ())
        for name, by in product(SLOW, DIVISIONS + GROUPS_OF_WINNERS)
        if name != "first-mover" or "side" not in by
    ],
)
def test_statistics_are_those_of_the_slow_computation(database: Database, name: str, by: tuple[str, ...]) -> None:
    found = ask_statistics(database, name, "", by)
    labels = len(by) + LABELS.get(name, 1)
    same(
        by_labels([without_shares(row) for row in found.dicts()], labels),
        by_labels(slow_statistics.table(MADE, by, SLOW[name]), labels),
    )


@pytest.mark.parametrize("name", SLOW)
def test_filters_choose_the_games(database: Database, name: str) -> None:
    small = [one for one in MADE if one.board == "37" and one.rules == "blitz"]
    found = ask_statistics(database, name, "board:37 rules:blitz")
    same(
        by_labels([without_shares(row) for row in found.dicts()], LABELS.get(name, 1)),
        by_labels(slow_statistics.table(small, (), SLOW[name]), LABELS.get(name, 1)),
    )


@pytest.mark.parametrize(("name", "of"), SHARES.items())
def test_shares_come_with_their_interval_or_not_at_all(database: Database, name: str, of: tuple[str, str]) -> None:
    rows = ask_statistics(database, name, "", ["board"]).dicts()
    hits, trials = of
    for row in rows:
        expected = share(row[hits], row[trials] or 0) or (None, None, None)
        assert (row["share"], row["low"], row["high"]) == tuple(expected)
    assert any(row["share"] is not None for row in rows)


@pytest.mark.parametrize("name", SLOW)
def test_every_column_says_what_it_means(database: Database, name: str) -> None:
    assert all(column.meaning for column in ask_statistics(database, name, "", ["board", "era"]).columns)


@pytest.mark.parametrize("name", SLOW)
def test_a_database_without_such_games_has_no_numbers(database: Database, name: str) -> None:
    rows = ask_statistics(database, name, "player:nobody").dicts()
    assert all(value in (0, None) for row in rows for value in row.values())
    assert ask_statistics(database, name, "player:nobody", ["board"]).rows == []


def test_groups_come_in_their_order(database: Database) -> None:
    assert [row["board"] for row in ask_statistics(database, "first-mover", "", ["board"]).dicts()] == [
        "37",
        "48",
        "61",
    ]
    eras = [row["era"] for row in ask_statistics(database, "first-mover", "", ["era"]).dicts()]
    assert eras == ["2010-2014", None]
    spans = [row["length"] for row in ask_statistics(database, "lengths", "", ["length:4"]).dicts()]
    assert spans == sorted(spans, key=lambda label: int(label.split("-")[0]))
    sets = ask_statistics(database, "sets").dicts()
    assert [row["games"] for row in sets] == sorted((row["games"] for row in sets), reverse=True)


@pytest.mark.parametrize(
    ("name", "by", "message"),
    [
        ("winners", [], "no table is called 'winners'; valid: first-mover, sets"),
        ("sets", ["colour"], "games can't be divided by 'colour'; valid: board, rules, year"),
        ("sets", ["board:3"], "games can't be divided by 'board:3'"),
        ("sets", ["era:0"], "invalid width '0'; write a whole number: era:5"),
        ("sets", ["era:x"], "invalid width 'x'"),
        ("sets", ["era", "era:10"], "name each group once"),
        ("first-mover", ["side"], "who won"),
    ],
)
def test_what_can_t_be_asked_is_explained(database: Database, name: str, by: list[str], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        ask_statistics(database, name, "", by)


def test_results_turn_into_frames(database: Database) -> None:
    frame = ask_statistics(database, "sets", "", ["board", "rules"]).df()
    assert frame["games"].sum() == sum(one.ending == "set" for one in MADE)


class Pretended:
    """As much of a database as a statistic asks for."""

    def __init__(self) -> None:
        self._connection = duckdb.connect()

    def connection(self) -> duckdb.DuckDBPyConnection:
        return self._connection


COUNTS = st.tuples(*[st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(0, 6))] * 2)


@settings(max_examples=60, deadline=None)
@given(
    story=st.one_of(
        st.lists(COUNTS, min_size=1, max_size=12), st.lists(COUNTS, min_size=MAX_PLIES - 3, max_size=MAX_PLIES + 3)
    ),
    rules=st.sampled_from(list(RULE_SETS)),
    winner=st.sampled_from([1, 2]),
)
def test_leads_of_any_sequence_of_captures(story: list[Any], rules: str, winner: int) -> None:
    """Also of those that no real game has: any captures in any order, up to the longest game that is looked at and beyond."""
    held = [[RULE_SETS[rules], *captured] for captured in story]

    def lacks(rule_set: Any, count: tuple[int, int, int]) -> int:
        ways = [max(0, goal - have) for goal, have in zip(rule_set.goal, count, strict=True)]
        return min(*ways, sum(max(0, rule_set.each - have) for have in count))

    leaders = [
        (lacks(rule_set, one) < lacks(rule_set, two)) - (lacks(rule_set, one) > lacks(rule_set, two))
        for rule_set, one, two in held
    ]
    led = [leader for leader in leaders if leader]
    changes = sum(before != after for before, after in pairwise(led))
    behind = sum(leader == (-1 if winner == 1 else 1) for leader in leaders)
    plies = len(story) - 1

    pretended = Pretended()
    connection = pretended.connection()
    connection.execute(f"""
        CREATE TABLE _game AS SELECT 7 AS id, '{rules}' AS rule_set, {plies} AS plies, {winner} AS winner, 'set' AS ending,
            '4W' AS winning_sets, 'jump' AS won_by, 'verified' AS verdict
    """)
    connection.execute(
        "CREATE TABLE _ply (game BIGINT, ply INTEGER, mover UTINYINT, kind VARCHAR, clock BIGINT, sacrifice BOOLEAN)"
    )
    connection.execute("CREATE TABLE _position (game BIGINT, ply INTEGER, next_move BIGINT, counts BIGINT)")
    counts = [pack_counts((0, 0, 0, *one, *two)) for one, two in story]  # nothing is asked about the pool
    rows = ", ".join(f"(7, {ply}, NULL, {count})" for ply, count in enumerate(counts))
    connection.execute(f"INSERT INTO _position VALUES {rows}")
    game_courses.add_columns(connection)
    (row,) = leads(pretended).dicts()  # type: ignore[arg-type]
    if plies > MAX_PLIES:
        assert row["games"] == 0
    else:
        assert (row["games"], row["most"], row["behind"]) == (1, changes, int(behind > 0))
        assert row["time_behind"] == pytest.approx(behind / len(story), abs=1e-4)
