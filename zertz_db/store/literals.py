"""Texts in SQL, where DuckDB takes no parameters."""

from __future__ import annotations

from pathlib import Path


def literal(text: Path | str) -> str:
    """A text in SQL.

    >>> literal("Ada's")
    "'Ada''s'"
    """
    return "'" + str(text).replace("'", "''") + "'"
