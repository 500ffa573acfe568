"""Migrate positions of older schemas.

Up to version 6 they have a set of marbles for each of the three colours: two are enough. Up to version 7 they have a column for each count
of marbles in the pool and in the captures.
"""

from __future__ import annotations

import duckdb

from zertz_db.store.schema import ddl, table_columns
from zertz_db.store.schema.position_columns import COLOURS, COUNTS, SHAPE_MASK, packed_sql

_SUFFIXES = {"": "BIGINT", "_high": "HUGEINT"}
"""By suffix of the columns their type: for the rings up to 62, and for those from 63 on."""
_JOINED = ("white", "grey")
_OLD = "_position_before"


def join_marble_sets(connection: duckdb.DuckDBPyConnection) -> None:
    """Replace the three sets of marbles in a file by two; do nothing if it has two. An UPDATE would need memory for each row."""
    if "black" not in _list_columns(connection):
        return
    for suffix, kind in _SUFFIXES.items():
        for colour in _JOINED:
            old = f"{colour}{suffix}"
            connection.execute(f"ALTER TABLE _position ALTER {old} TYPE {kind} USING {old} | black{suffix}")
            connection.execute(f"ALTER TABLE _position RENAME {old} TO {colour}_or_black{suffix}")
        connection.execute(f"ALTER TABLE _position DROP black{suffix}")


def join_counts(connection: duckdb.DuckDBPyConnection) -> None:
    """Replace the columns of counts in a file by one; do nothing if it has one."""
    if "counts" in _list_columns(connection):
        return
    first, *others = COUNTS
    connection.execute(f"ALTER TABLE _position ALTER {first} TYPE BIGINT USING {packed_sql()}")
    connection.execute(f"ALTER TABLE _position RENAME {first} TO counts")
    for name in others:
        connection.execute(f"ALTER TABLE _position DROP {name}")


def rewrite(connection: duckdb.DuckDBPyConnection) -> None:
    """Write the positions of a lake to a new table with today's columns, and make a new table of nodes; do nothing if it has them.

    DuckLake makes no type smaller, and writes the numbers of updated rows, which take a tenth of the space. The new rows have other
    numbers, so that the end of the change sums all nodes.
    """
    before = _list_columns(connection)
    if "counts" in before:
        return
    [(positions,)] = connection.execute("SELECT count(*) FROM _position").fetchall()
    connection.execute(
        f"DROP VIEW positions; ALTER TABLE _position RENAME TO {_OLD}; DROP VIEW nodes; DROP TABLE _node"
    )
    ddl.create_tables(connection, ["position", "node"], in_lake=True)
    connection.execute(f"ALTER TABLE _position SET SORTED BY ({table_columns.order_in_lake('position', positions)})")
    left_out, added = [*COUNTS], [f"{packed_sql()} AS counts"]
    if "black" in before:
        left_out += [f"{colour}{suffix}" for suffix in _SUFFIXES for colour in COLOURS]
        added += [
            f"{colour}{suffix} | black{suffix} AS {colour}_or_black{suffix}"
            for suffix in _SUFFIXES
            for colour in _JOINED
        ]
    kept = f"* EXCLUDE ({', '.join(left_out)}) REPLACE (shape & {SHAPE_MASK} AS shape)"
    connection.execute(f"INSERT INTO _position BY NAME SELECT {kept}, {', '.join(added)} FROM {_OLD}")
    connection.execute(f"DROP TABLE {_OLD}")


def _list_columns(connection: duckdb.DuckDBPyConnection) -> set[str]:
    query = (
        "SELECT column_name FROM duckdb_columns() WHERE table_name = '_position' AND database_name = current_database()"
    )
    return {name for (name,) in connection.execute(query).fetchall()}
