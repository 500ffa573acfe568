"""The form of plies before schema 8: a table with a row for each."""

import duckdb


def give_old_plies(connection: duckdb.DuckDBPyConnection) -> None:
    """Give a file or lake the table of plies of schema 7, and its games their columns."""
    connection.execute("""
        CREATE TABLE _stored AS FROM _ply;
        DROP VIEW plies; DROP VIEW _ply; DROP VIEW games;
        ALTER TABLE _stored RENAME TO _ply;
        ALTER TABLE _game DROP COLUMN ply_letters;
        ALTER TABLE _game DROP COLUMN ply_clocks;
        CREATE VIEW plies AS SELECT game, ply FROM _ply;
        CREATE VIEW games AS SELECT id FROM _game;
    """)
