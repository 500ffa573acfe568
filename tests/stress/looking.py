"""A look at a database, light enough for fifty processes."""

from __future__ import annotations

import time
from typing import NamedTuple

from zertz_db.store.folder.database import Database

PAUSE = 0.25
"""Seconds between two looks of a reader."""


class Seen(NamedTuple):
    """What a reader saw, and when it had seen it: a number of imports that every table must agree on."""

    when: float
    imports: int


def see(database: Database) -> Seen:
    """Ask several tables, one after the other; together they must be one state. The questions are small: they are not the point."""
    connection = database.connection()

    def number(query: str) -> int:
        return int(connection.execute(query).fetchall()[0][0])

    imports = number("SELECT count(*) FROM _import")
    assert number("SELECT count(*) FROM _record") == number("SELECT sum(records) FROM _import")
    assert number("SELECT count(*) FROM _game") == number("SELECT sum(stored) FROM _import")
    assert number("SELECT count(*) FROM _ply") == number("SELECT sum(plies) FROM _game")
    assert number("SELECT value FROM _meta WHERE name = 'generation'") == imports
    return Seen(time.time(), imports)
