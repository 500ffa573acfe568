"""Ids that may be in a database: never one too few, and of new ids next to none."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.ingest.records import known_ids
from zertz_db.ingest.records.known_ids import KnownIds

IDS = st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-40, 40), max_size=20)
NEW = [*range(100, 200)]


def open_with(games: list[int], records: list[int]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for table, ids in (("_game", games), ("_record", records)):
        connection.execute(f"CREATE TABLE {table} AS SELECT unnest(?::BIGINT[]) AS id", [ids])
    return connection


def begin_batches(ids: KnownIds, count: int) -> None:
    for _ in range(count):
        ids.begin_batch()


@given(IDS, IDS, IDS, IDS)
@settings(deadline=None, max_examples=50)
def test_every_id_in_the_database_or_added_is_selected_in_order(
    games: list[int], records: list[int], added: list[int], others: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_ids, "_BITS", 64)  # so that different ids share a bit
        ids = KnownIds(open_with(games, records))
        begin_batches(ids, 4)
        ids.add(added)
        wanted = [*games, *others, *records, *added]
        selected = ids.select(wanted)
    assert {*games, *records, *added} <= {*selected}
    remaining = iter(wanted)
    assert all(one in remaining for one in selected)


def test_new_ids_are_not_selected() -> None:
    ids = KnownIds(open_with([1, 2], [3]))
    begin_batches(ids, 4)
    ids.add([4])
    assert ids.select([1, *NEW, 3, 4]) == [1, 3, 4]


@pytest.mark.parametrize(("is_used", "batches"), [(True, 3), (False, 9)])
def test_without_knowledge_every_id_may_be_known(is_used: bool, batches: int) -> None:
    ids = KnownIds(open_with([1], []), is_used=is_used)
    begin_batches(ids, batches)
    assert ids.select(NEW) == NEW
