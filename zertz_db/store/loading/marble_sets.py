"""Join the sets of marbles of positions of a schema before 7, which had a set for each of three colours: two sets tell the same."""

from __future__ import annotations

import duckdb

from zertz_db.store.schema import ddl, table_columns
from zertz_db.store.schema.position_columns import COLOURS

_SUFFIXES = {"": "BIGINT", "_high": "HUGEINT"}
"""By suffix of the columns their type: for the rings up to 62, and for those from 63 on."""
_OLD = "_position_before"


def join(connection: duckdb.DuckDBPyConnection, *, in_lake: bool = False) -> None:
    """Join the sets of marbles in a file or in a lake, unless that is done."""
    query = "SELECT count(*) FROM duckdb_columns() WHERE table_name = '_position' AND column_name = 'black'"
    [(split,)] = connection.execute(f"{query} AND database_name = current_database()").fetchall()
    if split:
        (_join_in_lake if in_lake else _join_in_file)(connection)


def _join_in_file(connection: duckdb.DuckDBPyConnection) -> None:
    """Compute columns anew, without an update of rows, which would need memory for each."""
    for suffix, kind in _SUFFIXES.items():
        for colour in ("white", "grey"):
            old = f"{colour}{suffix}"
            connection.execute(f"ALTER TABLE _position ALTER {old} SET DATA TYPE {kind} USING {old} | black{suffix}")
            connection.execute(f"ALTER TABLE _position RENAME {old} TO {colour}_or_black{suffix}")
        connection.execute(f"ALTER TABLE _position DROP black{suffix}")


def _join_in_lake(connection: duckdb.DuckDBPyConnection) -> None:
    """Write all positions to another table: updated ones would have their numbers, too, which take a tenth of the space.

    The rows get other numbers, so that the end of the change sums all nodes.
    """
    [(positions,)] = connection.execute("SELECT count(*) FROM _position").fetchall()
    connection.execute(f"DROP VIEW positions; ALTER TABLE _position RENAME TO {_OLD}")
    ddl.create_tables(connection, ["position"], in_lake=True)
    connection.execute(f"ALTER TABLE _position SET SORTED BY ({table_columns.order_in_lake('position', positions)})")
    split = ", ".join(f"{colour}{suffix}" for suffix in _SUFFIXES for colour in COLOURS)
    joined = ", ".join(
        f"{colour}{suffix} | black{suffix} AS {colour}_or_black{suffix}"
        for suffix in _SUFFIXES
        for colour in ("white", "grey")
    )
    connection.execute(f"INSERT INTO _position BY NAME SELECT * EXCLUDE ({split}), {joined} FROM {_OLD}")
    connection.execute(f"DROP TABLE {_OLD}")
