"""Create a database: tables, views and comments, by the statements of a file.

`derive` derives the statements from the classes of `tables`. `ZERTZ_REWRITE=1 pytest tests/store/schema/test_table_columns.py` writes the
file again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb

from zertz_db.store.ids import ALPHABET, LETTERS
from zertz_db.store.schema import meta

FILE = Path(__file__).with_name("ddl.schema.json")
"""For each table its statements: of the table, also without keys for a lake, of its view, and of the comments."""

_SIGHTINGS = """
CREATE VIEW sightings AS
SELECT id_text(r.game) AS game, id_text(r.id) AS record, r.status, s.path, r.member, r.index, r.line_from, r.run
FROM _record r JOIN _source s ON s.id = r.source
WHERE r.game IS NOT NULL;
COMMENT ON VIEW sightings IS 'places where the records of each game were found'
"""


def create(connection: duckdb.DuckDBPyConnection, *, in_lake: bool = False, commented: bool = True) -> None:
    """Create all tables, the public views and their comments in an empty database, and note the schema's version.

    The caller's transaction joins the many statements. A lake has no keys, and no comments on columns of the view. commented: with
    comments; otherwise `comment` adds them. Comments take most of the time.
    """
    connection.execute(_id_text())
    create_tables(connection, _statements(), in_lake=in_lake, commented=commented)
    connection.execute(_SIGHTINGS)
    meta.write(connection, {"schema_version": meta.SCHEMA_VERSION, "generation": 0})


def comment(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the comments on all tables and views to a database that was created without them."""
    connection.execute(";".join(chain.from_iterable(map(_list_comments, _statements()))))


def create_tables(
    connection: duckdb.DuckDBPyConnection, names: Iterable[str], *, in_lake: bool = False, commented: bool = True
) -> None:
    """Create these tables ("game", …), their public views and their comments."""
    for name in names:
        of_table = _statements()[name]
        comments = _list_comments(name, in_lake) if commented else []
        create_table = of_table["create in a lake" if in_lake else "create"]
        connection.execute(";".join((create_table, of_table["view"], *comments)))


def _list_comments(name: str, in_lake: bool = False) -> list[str]:
    of_table = _statements()[name]
    on_views = [] if in_lake else of_table["comments on columns of the view"]
    return [*of_table["comments"], *on_views]


@cache
def _statements() -> dict[str, dict[str, Any]]:
    return dict(json.loads(FILE.read_text("utf-8")))


def _id_text() -> str:
    """Return SQL that creates `ids.to_text` as a macro, so that views show ids in any program that opens the file."""
    shifts = range(5 * (LETTERS - 1), -1, -5)
    letters = (
        f"substr('{ALPHABET}', (id::BIGINT >> {shift} & {15 if shift == 60 else 31})::INTEGER + 1, 1)"
        for shift in shifts
    )
    return f"CREATE MACRO id_text(id) AS {' || '.join(letters)}"
