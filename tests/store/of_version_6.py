"""The form of positions before schema 7: a set of marbles for each colour, and all bits of the hash of a shape."""

import duckdb

from zertz_db.store.schema.position_columns import COUNTS, RING_SETS, SHAPE_MASK, colours_sql, count_sql


def give_old_positions(connection: duckdb.DuckDBPyConnection) -> None:
    """Give the positions of a file or lake their columns of schema 6, and the view its statement."""
    connection.execute("DROP VIEW positions")
    connection.execute("ALTER TABLE _position ALTER shape TYPE BIGINT")
    connection.execute(f"UPDATE _position SET shape = shape + {SHAPE_MASK + 1}")
    for suffix, kind in (("", "BIGINT"), ("_high", "HUGEINT")):
        for colour, sql in colours_sql(suffix).items():
            connection.execute(f"ALTER TABLE _position ADD COLUMN {colour}{suffix} {kind}")
            connection.execute(f"UPDATE _position SET {colour}{suffix} = {sql}")
            if not suffix:
                connection.execute(f"ALTER TABLE _position ALTER {colour} SET NOT NULL")
        for name in RING_SETS[1:]:
            connection.execute(f"ALTER TABLE _position DROP COLUMN {name}{suffix}")
    split_counts(connection)
    connection.execute("CREATE OR REPLACE VIEW positions AS SELECT key, rings, white, grey, black FROM _position")


def split_counts(connection: duckdb.DuckDBPyConnection) -> None:
    """Give the positions of a file or lake a column for each count, as up to schema 7."""
    connection.execute("DROP VIEW IF EXISTS positions")
    for name in COUNTS:
        connection.execute(f"ALTER TABLE _position ADD COLUMN {name} UTINYINT")
        connection.execute(f"UPDATE _position SET {name} = {count_sql(name)}")
    connection.execute("ALTER TABLE _position DROP COLUMN counts")
    connection.execute("CREATE VIEW positions AS SELECT key, pool_white FROM _position")
