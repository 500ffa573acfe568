"""Positions in order, gaps closed, and what followed a position summed right."""

import datetime as dt
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.rows import rows
from zertz_db.store import generations, nodes, schema, settling
from zertz_db.store.building import next_generation
from zertz_db.store.loading import load
from zertz_db.store.nodes import FLOOR, Node
from zertz_db.store.opening import open_database


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "games.zertz"


def add_positions(folder: Path, keys: list[int]) -> None:
    with next_generation(folder) as build:
        load(build.connection, "position", rows("position", key=keys))


def stored_keys(folder: Path) -> list[int]:
    with open_database(folder) as database:
        return [key for (key,) in database.connection().execute("SELECT key FROM _position").fetchall()]


def test_positions_lie_sorted_by_key(folder: Path) -> None:
    add_positions(folder, [5, -3, 2**62, -(2**63), 0])
    assert stored_keys(folder) == [-(2**63), -3, 0, 5, 2**62]


def test_a_small_addition_stays_a_tail_and_a_large_one_is_sorted_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settling, "LARGEST_GAPS", 1)  # a file as small as this one is full of gaps
    add_positions(folder, list(range(100, 0, -1)))
    add_positions(folder, [7])
    assert stored_keys(folder) == [*range(1, 101), 7]
    add_positions(folder, list(range(50)))
    assert stored_keys(folder) == sorted([*range(1, 101), 7, *range(50)])


def test_the_room_of_removed_rows_is_given_back(folder: Path) -> None:
    with next_generation(folder) as build:
        load(build.connection, "ply", rows("ply", notation=[f"Wd4,{n}" * 20 for n in range(30_000)]))
    before = generations.live(folder)
    with next_generation(folder) as build:
        build.connection.execute("DELETE FROM _ply")
    after = generations.live(folder)
    assert before
    assert after
    assert after.path.stat().st_size < before.path.stat().st_size / 2


def test_settling_keeps_every_row_of_every_table(tmp_path: Path) -> None:
    old, new = tmp_path / "it's old.duckdb", tmp_path / "new.duckdb"
    with duckdb.connect(old) as connection:
        schema.create(connection)
        for table in schema.table_names():
            first = schema.arrow_schema(table)[0]
            values = ["b", "a"] if str(first.type) == "string" else [2, 1]
            load(connection, table, rows(table, **{first.name: values}))
        kept = {
            table: sorted(map(str, connection.execute(f"FROM _{table}").fetchall())) for table in schema.table_names()
        }
    settling.settle(old, new)
    with duckdb.connect(new) as connection:
        connection.execute("DELETE FROM _meta WHERE name = 'settled_positions'")
        assert {t: sorted(map(str, connection.execute(f"FROM _{t}").fetchall())) for t in schema.table_names()} == kept


PLAYED = st.tuples(st.sampled_from([1, 2, None]), st.sampled_from([1, 0, -1, None]), st.integers(1, 4))


@settings(deadline=None, max_examples=20)
@given(st.lists(PLAYED, min_size=1, max_size=12), st.sampled_from([1, FLOOR]))
def test_nodes_are_the_sums_over_the_games_below_the_floor_and_above(
    tmp_path_factory: pytest.TempPathFactory, played: list[tuple[int | None, int | None, int]], times: int
) -> None:
    folder = tmp_path_factory.mktemp("nodes") / "games.zertz"
    games = [(move, score, day) for move, score, day in played for _ in range(times)]
    with next_generation(folder) as build:
        load(
            build.connection,
            "game",
            rows(
                "game",
                id=list(range(len(games))),
                plies=[10 + day for _, _, day in games],
                date_from=[dt.date(2026, 1, day) for _, _, day in games],
            ),
        )
        load(
            build.connection,
            "position",
            rows(
                "position",
                key=[42] * len(games),
                game=list(range(len(games))),
                next_move=[move for move, _, _ in games],
                score=[score for _, score, _ in games],
            ),
        )
    wanted = []
    for move in {move for move, _, _ in games}:
        these = [(score, day) for other, score, day in games if other == move]
        scores = [score for score, _ in these]
        wanted.append(
            Node(
                move,
                len(these),
                scores.count(1),
                scores.count(0),
                scores.count(-1),
                sum(10 + day for _, day in these),
                dt.date(2026, 1, max(day for _, day in these)),
            )
        )
    with open_database(folder) as database:
        connection = database.connection()
        assert sorted(nodes.after(connection, 42), key=str) == sorted(wanted, key=str)
        assert nodes.after(connection, 43) == []
        kept = connection.execute("SELECT count(*) FROM _node").fetchall()[0][0]
    assert kept == (len(wanted) if len(games) >= FLOOR else 0)
