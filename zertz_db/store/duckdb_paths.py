"""Paths of files as DuckDB needs them: it takes some for URLs, and some signs for parameters."""

from __future__ import annotations

from pathlib import Path

from zertz_db.store.errors import ImpossibleName


def for_duckdb(path: Path) -> str:
    """Return the name under which DuckDB opens a file: absolute, so that it never looks like a URL. Raise ImpossibleName."""
    name = str(path.absolute())
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise ImpossibleName(path.parent, "its name is not UTF-8") from error
    return name


def for_duckdb_to_write(path: Path) -> str:
    """Return the name under which DuckDB opens a file for writing. Raise ImpossibleName."""
    name = for_duckdb(path)
    if "?" in name:  # DuckDB takes the rest for parameters when it names its log
        raise ImpossibleName(path.parent, "it can't write where a name has a question mark")
    return name
