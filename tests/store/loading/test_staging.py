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

PLIES = 2


@pytest.fixture(autouse=True, scope="module")
def _stage_few_rows_too() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(staging, "_FEW_ROWS", -1)
        yield


def stage(connection: duckdb.DuckDBPyConnection, games: list[int], clock: int = 0) -> None:
    """Stage games of two plies and three positions."""
    staging.stage(
        connection,
        {
            "ply": rows("ply", game=games * PLIES, clock=[clock] * len(games) * PLIES),
            "position": rows("position", game=games * (PLIES + 1), key=[-game for game in games] * (PLIES + 1)),
        },
    )


def stored(connection: duckdb.DuckDBPyConnection, table: str = "ply") -> list[int]:
    return [game for (game,) in connection.execute(f"SELECT game FROM _{table}").fetchall()]


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
        assert Counter(stored(connection)) == dict.fromkeys(range(1, 7), PLIES)
        assert Counter(stored(connection, "position")) == dict.fromkeys(range(1, 7), PLIES + 1)
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
            wanted = {game: clock for game, clock in wanted.items() if game not in withdrawn} | dict.fromkeys(
                new, number
            )
        staging.flush(connection)
        found = connection.execute("SELECT game, clock FROM _ply").fetchall()
        assert Counter(found) == dict.fromkeys(wanted.items(), PLIES)


def test_rows_of_the_tables_can_be_withdrawn_too() -> None:
    with duckdb.connect() as connection:
        ddl.create(connection)
        stage(connection, [1, 2])
        staging.flush(connection)
        staging.withdraw(connection, [1])
        assert set(stored(connection)) == set(stored(connection, "position")) == {2}


def test_staged_rows_belong_to_their_transaction() -> None:
    with duckdb.connect() as connection:
        ddl.create(connection)
        with pytest.raises(ZeroDivisionError), transaction(connection):
            stage(connection, [1])
            _ = 1 / 0
        with transaction(connection):
            stage(connection, [2])
        assert staging.count(connection, "position") == PLIES + 1
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
        assert set(stored(database.connection(), "position")) == {1, 3}
