"""Delete records from a database, with everything that has no other record."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.ingest.records.batch import select_rows
from zertz_db.ingest.stored import stored_records
from zertz_db.ingest.stored.reread import reread_records
from zertz_db.store.loading import opening_nodes, staging
from zertz_db.store.loading.bulk_load import load

GAME_TABLES = (("game", "id"), ("position", "game"))
NOTE_TABLES = ("tag", "finding")


def delete_matching(connection: duckdb.DuckDBPyConnection, condition: str, *values: Any) -> None:
    """Delete the records that satisfy a condition on `_record`, their notes, and the games without other records.

    A game with other records is represented by the best of them, read again.
    """
    staging.flush(connection)
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE to_delete AS SELECT * EXCLUDE bytes FROM _record WHERE {condition}", list(values)
    )
    _reassign_bytes(connection)
    connection.execute(f"DELETE FROM _record USING to_delete WHERE {_SAME_ROW}")
    lost = _ids(
        connection,
        "SELECT DISTINCT game FROM to_delete WHERE game NOT IN (SELECT game FROM _record WHERE game IS NOT NULL)",
    )
    for table, key in (*GAME_TABLES, *((table, "game") for table in staging.DERIVED)):
        _delete(connection, table, key, lost)
    record_ids = _ids(connection, "SELECT id FROM to_delete")
    for table in NOTE_TABLES:
        _delete(connection, table, "record", record_ids)
    connection.execute(_PROMOTE_QUERY)
    _choose_representatives(connection)
    connection.execute("DROP TABLE to_delete")
    opening_nodes.forget(connection)


def delete_by_place(connection: duckdb.DuckDBPyConnection, places: Collection[tuple[int, str, int]]) -> None:
    """Delete the records at these places: source, member, index."""
    if not places:
        return
    columns = [*map(list, zip(*places, strict=True))]
    connection.execute(
        "CREATE TEMP TABLE places AS SELECT unnest(?) AS source, unnest(?) AS member, unnest(?) AS index", columns
    )
    delete_matching(
        connection,
        "EXISTS (FROM places p WHERE p.source = _record.source AND p.member = _record.member AND p.index = _record.index)",
    )
    connection.execute("DROP TABLE places")


def delete_sources(connection: duckdb.DuckDBPyConnection, sources: list[int]) -> None:
    """Delete those of these files that exist, with all their records; they will be read again."""
    again = "IN (SELECT unnest(?))"
    if sources and connection.execute(f"SELECT id FROM _source WHERE id {again}", [sources]).fetchall():
        with update_tallies(connection):
            if connection.execute(f"SELECT id FROM _record WHERE source {again} LIMIT 1", [sources]).fetchall():
                delete_matching(connection, f"source {again}", sources)  # without records, the nodes stay
            connection.execute(f"DELETE FROM _revisit WHERE source {again}", [sources])
        connection.execute(f"DELETE FROM _source WHERE id {again}", [sources])


def delete_empty_sources(connection: duckdb.DuckDBPyConnection, sources: list[int]) -> None:
    """Delete those of these files that have no records left; they count as never read."""
    gone = "IN (SELECT unnest(?)) AND {} NOT IN (SELECT source FROM _record)"
    connection.execute(f"DELETE FROM _source WHERE id {gone.format('id')}", [sources])
    connection.execute(f"DELETE FROM _revisit WHERE source {gone.format('source')}", [sources])


COUNTED_RECORDS = """
    SELECT run, status, reason, verdict FROM _record UNION ALL
    SELECT v.run, CASE status WHEN 'rejected' THEN status ELSE 'duplicate' END, reason, verdict
    FROM _record r JOIN _revisit v USING (source)
"""
"""The records that each import counts, with their status there: its own, and those of files that it found unchanged."""

_SAME_ROW = (
    "_record.source = to_delete.source AND _record.member = to_delete.member AND _record.index = to_delete.index"
)
_RECORD_ORDER = "ORDER BY run, status = 'duplicate', path, member, r.index"
"""The order of import of records, as far as it is known."""
_PROMOTE_QUERY = f"""
    UPDATE _record SET status = 'stored' FROM (
        SELECT r.source, member, r.index FROM _record r JOIN _source s ON s.id = r.source
        WHERE game IN (SELECT game FROM to_delete)
        AND game NOT IN (SELECT game FROM _record WHERE status = 'stored')
        QUALIFY row_number() OVER (PARTITION BY game {_RECORD_ORDER}) = 1
    ) to_delete WHERE {_SAME_ROW}
"""


def _reassign_bytes(connection: duckdb.DuckDBPyConnection) -> None:
    """Move bytes, which are stored once, to another row with the same record."""
    connection.execute(f"""
        UPDATE _record SET bytes = to_delete.bytes FROM (
            SELECT r.source, r.member, r.index, stored.bytes
            FROM _record r
            JOIN _source s ON s.id = r.source
            JOIN (SELECT id, bytes FROM _record SEMI JOIN to_delete USING (source, member, index) WHERE bytes IS NOT NULL) stored
                ON stored.id = r.id
            WHERE NOT EXISTS (
                FROM to_delete d WHERE d.source = r.source AND d.member = r.member AND d.index = r.index
            )
            QUALIFY row_number() OVER (PARTITION BY r.id {_RECORD_ORDER}) = 1
        ) to_delete WHERE {_SAME_ROW}
    """)


def _choose_representatives(connection: duckdb.DuckDBPyConnection) -> None:
    """Choose new representative records of games that lost theirs, and restore the notes of records that remain elsewhere."""
    unrepresented = _ids(connection, _UNREPRESENTED_GAMES)
    shared = _ids(connection, "SELECT DISTINCT id FROM to_delete WHERE id IN (SELECT id FROM _record)")
    condition = "game IN (SELECT unnest(?)) OR r.id IN (SELECT unnest(?))"
    for rows in list(stored_records.read_chunks(connection, condition, unrepresented, shared)):
        batch = reread_records(connection, rows).batch
        is_unrepresented = pc.is_in(batch.games["id"], value_set=_array(unrepresented))
        games = batch.games.filter(is_unrepresented)["id"].to_pylist()
        for (table, key), now in zip(GAME_TABLES, (batch.games, batch.positions), strict=True):
            _delete(connection, table, key, games)
            load(connection, table, select_rows(now, key, _array(games)))
        for table in staging.DERIVED:
            _delete(connection, table, "game", games)
        for table, now in zip(NOTE_TABLES, (batch.tags, batch.findings), strict=True):
            load(connection, table, select_rows(now, "record", _array(shared)))
    # If today's readers don't find the game any more, its rows stay, and `recheck` reports it.
    connection.execute(f"""
        UPDATE _game SET record = best.record
        FROM (SELECT game, arg_max(id, weight) AS record FROM _record WHERE game IN ({_UNREPRESENTED_GAMES}) GROUP BY game) best
        WHERE best.game = _game.id
    """)


_UNREPRESENTED_GAMES = """
    SELECT g.id FROM _game g WHERE g.id IN (SELECT game FROM to_delete)
    AND NOT EXISTS (FROM _record r WHERE r.id = g.record AND r.game = g.id)
"""


@contextmanager
def update_tallies(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Update the tallies of imports for records that change in the block, also of imports that found their files unchanged."""
    before = _count_by_status(connection)
    yield
    after = _count_by_status(connection)
    for (run, status), count in {**dict.fromkeys(before, 0), **after}.items():
        if more := count - before.get((run, status), 0):
            connection.execute(
                f"UPDATE _import SET {status} = {status} + ?, records = records + ? WHERE run = ? AND NOT undone",
                [more, more, run],
            )


def _count_by_status(connection: duckdb.DuckDBPyConnection) -> dict[tuple[int, str], int]:
    rows = connection.execute(f"SELECT run, status, count(*) FROM ({COUNTED_RECORDS}) GROUP BY ALL").fetchall()
    return {(run, status): count for run, status, count in rows}


def _delete(connection: duckdb.DuckDBPyConnection, table: str, key: str, ids: list[int]) -> None:
    if ids:
        connection.execute(f"DELETE FROM _{table} WHERE {key} IN (SELECT unnest(?))", [ids])


def _ids(connection: duckdb.DuckDBPyConnection, query: str) -> list[int]:
    return [number for (number,) in connection.execute(query).fetchall() if number is not None]


def _array(ids: list[int]) -> pa.Array:
    return pa.array(ids, pa.int64())
