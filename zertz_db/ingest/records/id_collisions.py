"""Resolve collisions of ids: an id only locates a record or a game, values decide.

Two records or games whose hashes agree by chance get different ids: the second one moves to the next id that is free or its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.ingest.records.batch import ImportBatch, select_games
from zertz_db.ingest.records.known_ids import KnownIds
from zertz_db.ingest.records.rows import get_next_id
from zertz_db.store.annotations import game_merges
from zertz_db.store.loading.packed_batches import unpack
from zertz_db.store.names import fold_name

IDENTITY_COLUMNS = ("start", "board", "rule_set", "tournament", "claims", "movetext", "player1", "player2", "date")
"""Columns that identify a game (names in normal form)."""


def resolve_id_collisions(
    connection: duckdb.DuckDBPyConnection, known_ids: KnownIds, batch: ImportBatch
) -> ImportBatch:
    """Return the batch with new ids for records and games whose ids the database has for others, and with merges applied."""
    merges = game_merges.applied_merges(connection)
    batch = _resolve_game_ids(connection, known_ids, batch, {*merges.values()})
    batch = _resolve_record_ids(connection, known_ids, batch)
    return apply_game_merges(batch, merges)


def apply_game_merges(batch: ImportBatch, merges: Mapping[int, int]) -> ImportBatch:
    """Return the batch with each merged game as a sighting of its target (`merges`), represented by the record of highest rank."""
    if not merges:
        return batch
    ranks = rank_games(batch)
    representatives: dict[int, int] = {}
    for game in ranks:
        target = merges.get(game, game)
        if target not in representatives or ranks[game] > ranks[representatives[target]]:
            representatives[target] = game
    selected = pa.array([*representatives.values()], pa.int64())
    return replace_game_ids(select_games(batch, selected), merges)


def rank_games(batch: ImportBatch) -> dict[int, tuple[int, int]]:
    """Return for each game of a batch the plies and the weight of its representative record: the greatest represents a merged game.

    A merged game may have a record that ends early, which must not hide the moves of the others, whatever else it has.
    """
    weights = dict(zip(batch.records["id"], batch.records["weight"], strict=True))
    columns = (batch.games[name].to_pylist() for name in ("id", "plies", "record"))
    return {game: (plies, weights[record]) for game, plies, record in zip(*columns, strict=True)}


def _resolve_game_ids(
    connection: duckdb.DuckDBPyConnection, known_ids: KnownIds, batch: ImportBatch, targets: set[int]
) -> ImportBatch:
    """Return the batch with new ids for games whose ids are taken by others. targets: merged games, which have several games' values."""
    known = "FROM _game WHERE id IN (SELECT unnest(?))"
    possible = known_ids.select(batch.games["id"].to_pylist())
    if not possible:
        return batch
    stored = connection.execute(f"SELECT id {known}", [possible]).to_arrow_table()["id"]
    known_games = batch.games.select(["id", *IDENTITY_COLUMNS]).filter(pc.is_in(batch.games["id"], value_set=stored))
    games = {row["id"]: row for row in known_games.to_pylist() if row["id"] not in targets}
    query = f"SELECT id, {', '.join(IDENTITY_COLUMNS)} {known}"
    return replace_game_ids(batch, _find_free_ids(connection, known_ids, query, games, is_same_game))


def _find_free_ids(
    connection: duckdb.DuckDBPyConnection,
    known_ids: KnownIds,
    query: str,
    own: Mapping[int, Any],
    is_same: Callable[[Any, Sequence[Any]], bool],
) -> dict[int, int]:
    """Return new ids for those of `own` that the database has for something else. query: returns ids with their identifying values."""
    moved: dict[int, int] = {}
    while True:
        wanted = {moved.get(number, number): number for number in own}
        possible = known_ids.select(wanted)
        stored = connection.execute(query, [possible]).fetchall() if possible else []
        clashes = [number for number, *values in stored if not is_same(own[wanted[number]], values)]
        if not clashes:
            return moved
        moved.update({wanted[number]: get_next_id(number) for number in clashes})


def replace_game_ids(batch: ImportBatch, moved: Mapping[int, int]) -> ImportBatch:
    """Return the batch with the ids of games replaced by `moved`."""
    if not moved:
        return batch
    batch.records["game"] = [moved.get(game, game) for game in batch.records["game"]]
    return batch._replace(
        games=replace_ids(batch.games, "id", moved),
        positions=replace_ids(unpack(batch.positions), "game", moved),
    )


def is_same_game(row: dict[str, Any], values: Sequence[Any]) -> bool:
    """Return whether a game's row and the values (IDENTITY_COLUMNS) of another identify the same game."""

    def folded(value: Any) -> Any:
        return fold_name(value) if isinstance(value, str) else value or ""

    return all(folded(row[name]) == folded(value) for name, value in zip(IDENTITY_COLUMNS, values, strict=True))


def _resolve_record_ids(connection: duckdb.DuckDBPyConnection, known_ids: KnownIds, batch: ImportBatch) -> ImportBatch:
    own = dict(zip(batch.records["id"], batch.records["bytes"], strict=True))
    # By rows, or DuckDB would unpack the bytes of all records to see which have some.
    query = """
        SELECT id, bytes FROM _record
        WHERE bytes IS NOT NULL AND rowid IN (SELECT rowid FROM _record WHERE id IN (SELECT unnest(?)))
    """
    moved = _find_free_ids(connection, known_ids, query, own, lambda data, stored: data == stored[0])
    if not moved:
        return batch
    batch.records["id"] = [moved.get(record, record) for record in batch.records["id"]]
    return batch._replace(
        games=replace_ids(batch.games, "record", moved),
        tags=replace_ids(batch.tags, "record", moved),
        findings=replace_ids(batch.findings, "record", moved),
    )


def replace_ids(table: pa.Table, column: str, moved: Mapping[int, int]) -> pa.Table:
    """Return the table with the ids of a column replaced by `moved`."""
    ids = [moved.get(number, number) for number in table[column].to_pylist()]
    place = table.schema.get_field_index(column)
    return table.set_column(place, table.schema.field(place), pa.array(ids, pa.int64()))
