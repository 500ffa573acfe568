"""Literals in SQL, where DuckDB takes no parameters."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def literal(text: Path | str) -> str:
    """Return a text as a literal in SQL.

    >>> literal("Ada's")
    "'Ada''s'"
    """
    return "'" + str(text).replace("'", "''") + "'"


def numbers(values: Iterable[int]) -> str:
    """Return an expression in SQL that yields a column of integers, one in each row; several in one SELECT are columns of the same rows.

    It is one long string: DuckDB would import pandas for the first parameter, and parses ten thousand literals slowly.

    >>> numbers([3, -5])
    "unnest(string_split('3 -5', ' '))::BIGINT"
    """
    text = " ".join(map(str, values))
    return f"unnest(string_split('{text}', ' '))::BIGINT" if text else "unnest([]::BIGINT[])"
