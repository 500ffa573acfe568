"""A query of a database, light enough for fifty processes."""

from __future__ import annotations

import time
from typing import NamedTuple

from zertz_db.store.folder.database import Database

PAUSE = 0.25
"""Seconds between two queries of a reader."""


class Seen(NamedTuple):
    """The time and result of a query: a number of imports on which all tables must agree."""

    when: float
    imports: int


def see(database: Database) -> Seen:
    """Query several tables, one after the other; together they must be one state. The queries are small on purpose."""
    connection = database.connection()

    def number(query: str) -> int:
        return int(connection.execute(query).fetchall()[0][0])

    imports = number("SELECT count(*) FROM _import")
    assert number("SELECT count(*) FROM _record") == number("SELECT sum(records) FROM _import")
    assert number("SELECT count(*) FROM _game") == number("SELECT sum(stored) FROM _import")
    assert number("SELECT count(*) FROM _ply") == number("SELECT sum(plies) FROM _game")
    assert number("SELECT value FROM _meta WHERE name = 'generation'") == imports
    return Seen(time.time(), imports)
