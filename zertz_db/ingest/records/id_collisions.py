"""Telling apart what has the same id: an id only finds, values decide.

Two records or games whose hashes agree by chance get different ids: the second one moves on to the next id that is free or its own.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.ingest.records.batch import ImportBatch, select_games
from zertz_db.ingest.records.rows import get_next_id
from zertz_db.store.annotations import game_merges
from zertz_db.store.loading.packed_batches import unpack
from zertz_db.store.names import fold_name

IDENTITY_COLUMNS = ("start", "board", "rule_set", "tournament", "claims", "movetext", "player1", "player2", "date")
"""What makes a game this one (names in normal form)."""


def resolve_id_collisions(connection: duckdb.DuckDBPyConnection, lot: ImportBatch) -> ImportBatch:
    """The lot, with other ids where one belongs to another game or record of the database; games that people have united are one."""
    united = game_merges.applied_merges(connection)
    lot = _resolve_record_ids(connection, _resolve_game_ids(connection, lot, {*united.values()}))
    return apply_game_merges(lot, united)


def apply_game_merges(lot: ImportBatch, united: Mapping[int, int]) -> ImportBatch:
    """The lot with each game that is of another (`united`) as a sighting of that; of what is one the best record leads."""
    if not united:
        return lot
    weights = dict(zip(lot.records["id"], lot.records["weight"], strict=True))
    leaders: dict[int, tuple[int, int]] = {}
    for game, record in zip(lot.games["id"].to_pylist(), lot.games["record"].to_pylist(), strict=True):
        target = united.get(game, game)
        if target not in leaders or weights[record] > weights[leaders[target][1]]:
            leaders[target] = game, record
    leading = pa.array([game for game, _ in leaders.values()], pa.int64())
    return replace_game_ids(select_games(lot, leading), united)


def _resolve_game_ids(connection: duckdb.DuckDBPyConnection, lot: ImportBatch, united: set[int]) -> ImportBatch:
    """`united`: games that may have the values of others, being one with them."""
    known = "FROM _game WHERE id IN (SELECT unnest(?))"
    met = connection.execute(f"SELECT id {known}", [lot.games["id"].to_pylist()]).to_arrow_table()["id"]
    if not len(met):
        return lot
    games = {row["id"]: row for row in lot.games.filter(pc.is_in(lot.games["id"], value_set=met)).to_pylist()}
    games = {number: row for number, row in games.items() if number not in united}
    query = f"SELECT id, {', '.join(IDENTITY_COLUMNS)} {known}"
    return replace_game_ids(lot, _find_free_ids(connection, query, games, is_same_game))


def _find_free_ids(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    own: Mapping[int, Any],
    is_same: Callable[[Any, Sequence[Any]], bool],
) -> dict[int, int]:
    """Other ids for those of `own` that the database has for something else; `query` gives ids with what tells them apart."""
    moved: dict[int, int] = {}
    while True:
        asked = {moved.get(number, number): number for number in own}
        stored = connection.execute(query, [list(asked)]).fetchall()
        clashes = [number for number, *values in stored if not is_same(own[asked[number]], values)]
        if not clashes:
            return moved
        moved.update({asked[number]: get_next_id(number) for number in clashes})


def replace_game_ids(lot: ImportBatch, moved: Mapping[int, int]) -> ImportBatch:
    """The lot with other ids for games where `moved` has them."""
    if not moved:
        return lot
    lot.records["game"] = [moved.get(game, game) for game in lot.records["game"]]
    return lot._replace(
        games=replace_ids(lot.games, "id", moved),
        plies=replace_ids(unpack(lot.plies), "game", moved),
        positions=replace_ids(unpack(lot.positions), "game", moved),
    )


def is_same_game(row: dict[str, Any], values: Sequence[Any]) -> bool:
    """Whether a game's row and the values (as in VALUES) of another are of the same game."""

    def folded(value: Any) -> Any:
        return fold_name(value) if isinstance(value, str) else value or ""

    return all(folded(row[name]) == folded(value) for name, value in zip(IDENTITY_COLUMNS, values, strict=True))


def _resolve_record_ids(connection: duckdb.DuckDBPyConnection, lot: ImportBatch) -> ImportBatch:
    own = dict(zip(lot.records["id"], lot.records["bytes"], strict=True))
    # By rows: else DuckDB unpacks the bytes of all records to see which have some.
    query = """
        SELECT id, bytes FROM _record
        WHERE bytes IS NOT NULL AND rowid IN (SELECT rowid FROM _record WHERE id IN (SELECT unnest(?)))
    """
    moved = _find_free_ids(
        connection, query, own, lambda data, stored: zlib.decompress(data) == zlib.decompress(stored[0])
    )
    if not moved:
        return lot
    lot.records["id"] = [moved.get(record, record) for record in lot.records["id"]]
    return lot._replace(
        games=replace_ids(lot.games, "record", moved),
        tags=replace_ids(lot.tags, "record", moved),
        findings=replace_ids(lot.findings, "record", moved),
    )


def replace_ids(table: pa.Table, column: str, moved: Mapping[int, int]) -> pa.Table:
    """The table with other ids in a column where `moved` has them."""
    ids = [moved.get(number, number) for number in table[column].to_pylist()]
    place = table.schema.get_field_index(column)
    return table.set_column(place, table.schema.field(place), pa.array(ids, pa.int64()))
