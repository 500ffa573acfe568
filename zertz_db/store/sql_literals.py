"""Texts in SQL, where DuckDB takes no parameters."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def literal(text: Path | str) -> str:
    """A text in SQL.

    >>> literal("Ada's")
    "'Ada''s'"
    """
    return "'" + str(text).replace("'", "''") + "'"


def numbers(values: Iterable[int]) -> str:
    """A column of integers in SQL, to be selected, one in each row; several such columns of one SELECT go side by side.

    One long word: DuckDB would import pandas for the first parameter, and ten thousand literals are parsed slowly.

    >>> numbers([3, -5])
    "unnest(string_split('3 -5', ' '))::BIGINT"
    """
    text = " ".join(map(str, values))
    return f"unnest(string_split('{text}', ' '))::BIGINT" if text else "unnest([]::BIGINT[])"
