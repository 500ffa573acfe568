"""Copy analyses from one database to another that has the games, so that merging databases repeats no search."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from zertz_db.store.folder.database import Database
from zertz_db.store.loading import staging
from zertz_db.store.loading.bulk_load import load
from zertz_db.tactics.search_kernel import SOLVER_VERSION


def copy_analyses(connection: duckdb.DuckDBPyConnection, database: Database) -> int:
    """Copy the analyses, by today's solver, of games that a database under construction has without an analysis.

    Both must have the game with equal moves: its records may show it turned. Return the number of games.
    """
    source = database.connection()
    analysed = source.execute("SELECT game FROM _analysis WHERE solver = ?", [SOLVER_VERSION]).fetchall()
    there = [game for (game,) in analysed]
    lacking = "SELECT id FROM _game WHERE id IN (SELECT unnest(?)) AND id NOT IN (SELECT game FROM _analysis)"
    games = [game for (game,) in connection.execute(lacking, [there]).fetchall()] if there else []
    alike = sorted(_list_moves(source, games) & _list_moves(connection, games))
    if alike:
        _copy_rows(source, connection, [game for game, _ in alike])
    return len(alike)


def _list_moves(connection: duckdb.DuckDBPyConnection, games: list[int]) -> set[tuple[int, int]]:
    """Return these games, each with a hash of its moves."""
    query = "SELECT id, hash(movetext) FROM _game WHERE id IN (SELECT unnest(?))"
    return {*connection.execute(query, [games]).fetchall()}


def _copy_rows(source: duckdb.DuckDBPyConnection, target: duckdb.DuckDBPyConnection, games: list[int]) -> None:
    source.register("games_to_copy", pa.table({"game": pa.array(games, pa.int64())}))
    try:
        for table in staging.DERIVED:
            rows = source.execute(f"FROM _{table} SEMI JOIN games_to_copy USING (game) ORDER BY ALL")
            load(target, table, rows.to_arrow_table())
    finally:
        source.unregister("games_to_copy")
