"""Write values into SQL, where DuckDB takes no parameters or they would cost time.

Every value from outside that is not a parameter goes through `literal`. Names of tables, columns, boards and rule sets are ours.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable


def literal(value: object) -> str:
    """Return None, a number, a date, a time, a text or a path as a literal in SQL.

    A text with a NUL, at which DuckDB would stop reading, becomes an expression.

    >>> literal("Ada's"), literal(-5), literal(dt.date(2010, 5, 1)), literal(None)
    ("'Ada''s'", '(-5)', "DATE '2010-05-01'", 'NULL')
    """
    match value:
        case None:
            return "NULL"
        case int():
            return f"({value:d})"
        case dt.datetime():
            return f"TIMESTAMP '{value}'"
        case dt.date():
            return f"DATE '{value}'"
    text = str(value)
    return f"decode(from_hex('{text.encode().hex()}'))" if "\0" in text else "'" + text.replace("'", "''") + "'"


def numbers(values: Iterable[int]) -> str:
    """Return an expression in SQL that yields a column of integers, one in each row; several in one SELECT are columns of the same rows.

    It is one long string: DuckDB would import pandas for the first parameter, and parses ten thousand literals slowly.

    >>> numbers([3, -5])
    "unnest(string_split('3 -5', ' '))::BIGINT"
    """
    text = " ".join(map(str, values))
    return f"unnest(string_split('{text}', ' '))::BIGINT" if text else "unnest([]::BIGINT[])"
