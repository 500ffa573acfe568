"""Migrate plies of schema 7 and older ones, which have a table with a row for each. Two columns of games tell them, with the moves."""

from __future__ import annotations

from itertools import pairwise

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.store.loading.ply_arrays import build_ply_columns
from zertz_db.store.schema import ddl, table_columns
from zertz_db.store.schema.ply_columns import KINDS

_AT_ONCE = 1_000_000
"""Plies to read at once, so that memory does not grow with the database."""
_IDS = 1 << 64
_GAMES, _PLIES = "_game_before", "_ply_before"
_READ = f"""
    SELECT game, mover - 1 AS mover, list_position({list(KINDS)}, kind) - 1 AS kind, clock, forced, claim, sacrifice
    FROM {_PLIES} WHERE game BETWEEN ? AND ? ORDER BY game, ply
"""
_WRITE = f"""
    INSERT INTO _game BY NAME
    SELECT g.*, coalesce(p.ply_letters, '') AS ply_letters, p.ply_clocks
    FROM (FROM {_GAMES} WHERE id BETWEEN ? AND ?) g LEFT JOIN packed_plies p ON p.game = g.id
"""


def join_to_games(connection: duckdb.DuckDBPyConnection, *, in_lake: bool = False) -> None:
    """Write the games to a new table with the columns of their plies, and remove the table of plies; do nothing if there is none."""
    if not _has_table(connection):
        return
    connection.execute(f"""
        DROP VIEW IF EXISTS games; ALTER TABLE _game RENAME TO {_GAMES};
        DROP VIEW IF EXISTS plies; ALTER TABLE _ply RENAME TO {_PLIES};
    """)
    ddl.create_tables(connection, ["game", "ply"], in_lake=in_lake)
    if in_lake:
        connection.execute(f"ALTER TABLE _game SET SORTED BY ({table_columns.order_of('game')})")
    [(plies,)] = connection.execute(f"SELECT count(*) FROM {_PLIES}").fetchall()
    parts = 1 + plies // _AT_ONCE
    for first, end in pairwise(part * _IDS // parts - _IDS // 2 for part in range(parts + 1)):
        connection.register("packed_plies", _pack(connection.execute(_READ, [first, end - 1]).to_arrow_table()))
        connection.execute(_WRITE, [first, end - 1])
        connection.unregister("packed_plies")
    connection.execute(f"DROP TABLE {_GAMES}; DROP TABLE {_PLIES}")


def _pack(plies: pa.Table) -> pa.Table:
    """Return the columns of games whose plies follow each other, by `game`."""
    columns = {name: plies[name].combine_chunks() for name in plies.column_names}
    games, clocks, kinds = columns.pop("game").to_numpy(), columns.pop("clock"), columns.pop("kind")
    firsts = np.flatnonzero(np.diff(games, prepend=games[:1] - 1))
    flags = {name: values.to_numpy(zero_copy_only=False) for name, values in columns.items()}
    packed = build_ply_columns(np.diff(firsts, append=len(games)), kinds.to_numpy(), clocks, **flags)
    return pa.table({"game": games[firsts], **packed})


def _has_table(connection: duckdb.DuckDBPyConnection) -> bool:
    query = "SELECT count(*) FROM duckdb_tables() WHERE table_name = '_ply' AND database_name = current_database()"
    return bool(connection.execute(query).fetchall()[0][0])
