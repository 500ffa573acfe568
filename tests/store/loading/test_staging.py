"""Staged rows are written in full, except withdrawn ones, by compaction and by appending."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.rows import rows
from tests.store.scratch import empty_tables
from zertz_db.store.folder import generations
from zertz_db.store.folder.build import next_generation, transaction
from zertz_db.store.loading import compaction, staging
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import ddl, table_columns

POSITIONS = 3


@pytest.fixture(autouse=True, scope="module")
def _stage_few_rows_too() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(staging, "_FEW_ROWS", -1)
        yield


def stage(connection: duckdb.DuckDBPyConnection, games: list[int], ply: int = 0) -> None:
    """Stage three positions of each game."""
    keys, plies = [-game for game in games], [ply] * len(games)
    positions = rows("position", game=games * POSITIONS, key=keys * POSITIONS, ply=plies * POSITIONS)
    staging.stage(connection, {"position": positions})


def stored(connection: duckdb.DuckDBPyConnection) -> list[int]:
    return [game for (game,) in connection.execute("SELECT game FROM _position").fetchall()]


@pytest.mark.parametrize("largest_share", [0, 1])
@pytest.mark.parametrize("fit_together", [0, 1_000])
@pytest.mark.long
def test_staged_rows_are_published_compacted_or_as_a_tail(
    folder: Path, largest_share: int, fit_together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "MAX_UNSORTED", largest_share)
    monkeypatch.setattr(compaction, "_FIT_TOGETHER", fit_together)
    monkeypatch.setattr(compaction, "MAX_GAPS", 1)
    for first in (1, 4):
        with next_generation(folder) as build:
            stage(build.connection, [first, first + 1])
            stage(build.connection, [first + 2])
    with open_database(folder) as database:
        connection = database.connection()
        assert Counter(stored(connection)) == dict.fromkeys(range(1, 7), POSITIONS)
        in_order = [-key for (key,) in connection.execute("SELECT key FROM _position").fetchall()]
        assert (in_order == sorted(in_order, reverse=True)) == (largest_share == 0)
        tables = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        assert {name for (name,) in tables} == {f"_{name}" for name in table_columns.table_names()}


LOTS = st.lists(st.tuples(st.lists(st.integers(1, 5), unique=True), st.lists(st.integers(1, 5))), max_size=5)


@settings(deadline=None)
@given(LOTS)
@pytest.mark.long
def test_withdrawn_games_exist_only_if_they_were_added_again(batches: list[tuple[list[int], list[int]]]) -> None:
    """Each batch withdraws some games and adds some."""
    wanted: dict[int, int] = {}
    with empty_tables() as connection:
        for number, (withdrawn, added) in enumerate(batches):
            new = sorted({*added} - (wanted.keys() - {*withdrawn}))
            staging.withdraw(connection, withdrawn)
            stage(connection, new, number)
            wanted = {game: ply for game, ply in wanted.items() if game not in withdrawn} | dict.fromkeys(new, number)
        staging.flush(connection)
        found = connection.execute("SELECT game, ply FROM _position").fetchall()
        assert Counter(found) == dict.fromkeys(wanted.items(), POSITIONS)


def test_rows_of_the_tables_can_be_withdrawn_too() -> None:
    with duckdb.connect() as connection:
        ddl.create(connection)
        stage(connection, [1, 2])
        staging.flush(connection)
        staging.withdraw(connection, [1])
        assert set(stored(connection)) == {2}


def test_staged_rows_belong_to_their_transaction() -> None:
    with duckdb.connect() as connection:
        ddl.create(connection)
        with pytest.raises(ZeroDivisionError), transaction(connection):
            stage(connection, [1])
            _ = 1 / 0
        with transaction(connection):
            stage(connection, [2])
        assert staging.count(connection, "position") == POSITIONS
        staging.flush(connection)
        assert set(stored(connection)) == {2}
        assert staging.count(connection, "position") == 0


def test_compaction_omits_withdrawn_rows(folder: Path) -> None:
    with next_generation(folder) as build:
        stage(build.connection, [1, 2])
        staging.withdraw(build.connection, [2])
        stage(build.connection, [3])
    assert generations.live_generation(folder)
    with open_database(folder) as database:
        assert set(stored(database.connection())) == {1, 3}


def test_some_columns_of_staged_rows_are_read_without_withdrawn_ones() -> None:
    with duckdb.connect() as connection:
        ddl.create(connection)
        stage(connection, [1, 2])
        staging.withdraw(connection, [2])
        rows_left = staging.reader(connection, "position", ["key", "ply"]).read_all()
    assert rows_left.to_pydict() == {"key": [-1] * POSITIONS, "ply": [0] * POSITIONS}
