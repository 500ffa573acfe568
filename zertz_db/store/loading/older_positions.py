"""Migrate positions of schema 6 and older ones, which have a set of marbles for each of the three colours. Two sets are enough."""

from __future__ import annotations

import duckdb

from zertz_db.store.schema import ddl, table_columns
from zertz_db.store.schema.position_columns import COLOURS, SHAPE_MASK

_SUFFIXES = {"": "BIGINT", "_high": "HUGEINT"}
"""By suffix of the columns their type: for the rings up to 62, and for those from 63 on."""
_JOINED = ("white", "grey")
_OLD = "_position_before"


def join_marble_sets(connection: duckdb.DuckDBPyConnection) -> None:
    """Replace the three sets of marbles in a file by two; do nothing if it has two. An UPDATE would need memory for each row."""
    if not _is_split(connection):
        return
    for suffix, kind in _SUFFIXES.items():
        for colour in _JOINED:
            old = f"{colour}{suffix}"
            connection.execute(f"ALTER TABLE _position ALTER {old} TYPE {kind} USING {old} | black{suffix}")
            connection.execute(f"ALTER TABLE _position RENAME {old} TO {colour}_or_black{suffix}")
        connection.execute(f"ALTER TABLE _position DROP black{suffix}")


def rewrite(connection: duckdb.DuckDBPyConnection) -> None:
    """Write the positions of a lake to a new table with two sets of marbles and shorter hashes of shapes; do nothing if it has them.

    DuckLake makes no type smaller, and writes the numbers of updated rows, which take a tenth of the space. The new rows have other
    numbers, so that the end of the change sums all nodes.
    """
    if not _is_split(connection):
        return
    [(positions,)] = connection.execute("SELECT count(*) FROM _position").fetchall()
    connection.execute(f"DROP VIEW positions; ALTER TABLE _position RENAME TO {_OLD}")
    ddl.create_tables(connection, ["position"], in_lake=True)
    connection.execute(f"ALTER TABLE _position SET SORTED BY ({table_columns.order_in_lake('position', positions)})")
    left_out = ", ".join(f"{colour}{suffix}" for suffix in _SUFFIXES for colour in COLOURS)
    added = ", ".join(
        f"{colour}{suffix} | black{suffix} AS {colour}_or_black{suffix}" for suffix in _SUFFIXES for colour in _JOINED
    )
    kept = f"* EXCLUDE ({left_out}) REPLACE (shape & {SHAPE_MASK} AS shape)"
    connection.execute(f"INSERT INTO _position BY NAME SELECT {kept}, {added} FROM {_OLD}")
    connection.execute(f"DROP TABLE {_OLD}")


def _is_split(connection: duckdb.DuckDBPyConnection) -> bool:
    query = "SELECT count(*) FROM duckdb_columns() WHERE table_name = '_position' AND column_name = 'black'"
    [(split,)] = connection.execute(f"{query} AND database_name = current_database()").fetchall()
    return bool(split)
