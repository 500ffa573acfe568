"""Results as tables: named columns with meanings, and rows of plain values.

pandas and pyarrow, which take 370 and 130 ms to import, are imported when a result is converted to their tables.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.errors import suggestion
from zertz_db.queries.sql_params import Value, execute
from zertz_db.store.ids import to_text

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa


class Column(NamedTuple):
    """Name of a column and its meaning with units ("" if unknown)."""

    name: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """Table of columns and rows; an unknown value is None."""

    columns: tuple[Column, ...]
    rows: list[tuple[Any, ...]]

    @property
    def names(self) -> list[str]:
        """Return the names of the columns."""
        return [column.name for column in self.columns]

    def dicts(self) -> list[dict[str, Any]]:
        """Return each row as a dict by column name."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]

    def df(self) -> pd.DataFrame:
        """Return a pandas DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=self.names)

    def arrow(self) -> pa.Table:
        """Return an Arrow table with types from the values.

        A column without any value is text. pyarrow.ArrowInvalid where a column's values have no type in common.
        """
        import pyarrow as pa

        values = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        arrays = [pa.array(column) for column in values]
        filled = [array.cast(pa.string()) if pa.types.is_null(array.type) else array for array in arrays]
        return pa.Table.from_arrays(filled, names=self.names)


class LateResult(Result):
    """Table whose rows are made when they are first used."""

    __slots__ = ("_made", "_make")
    _make: Callable[[], list[tuple[Any, ...]]] | None
    _made: list[tuple[Any, ...]]

    def __init__(self, columns: tuple[Column, ...], make: Callable[[], list[tuple[Any, ...]]]) -> None:
        """Note how the rows are made; `make` is called once, or once in each of several threads that come first together."""
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "_make", make)

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """Return the rows."""
        make = self._make
        if make is not None:
            object.__setattr__(self, "_made", make())
            object.__setattr__(self, "_make", None)  # frees what the rows were made of
        return self._made

    def __eq__(self, other: object) -> bool:
        """Compare as a plain table."""
        return (self.columns, self.rows) == (other.columns, other.rows) if isinstance(other, Result) else NotImplemented

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickles it: a plain table."""
        return Result, (self.columns, self.rows)


def sort_rows(result: Result, sort: str | None) -> Result:
    """Return a table sorted by a column, with `-` before its name for descending; rows without a value come last. None or "": as it is.

    QueryError for an unknown column.
    """
    if not sort:
        return result
    name = sort.removeprefix("-")
    if name not in result.names:
        raise QueryError(
            f"these rows can't be sorted by {name!r}; valid: {', '.join(result.names)}{suggestion(name, result.names)}"
        )
    place = result.names.index(name)
    known = [row for row in result.rows if row[place] is not None]
    known.sort(key=lambda row: _sort_key(row[place]), reverse=sort.startswith("-"))
    return Result(result.columns, [*known, *(row for row in result.rows if row[place] is None)])


def _sort_key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def run_query(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    values: Sequence[Value] = (),
    about: str | None = None,
    ids: Collection[str] = (),
) -> Result:
    """Run a query. Columns get the meanings of the same columns in the view `about`; ids in the columns `ids` become letters.

    The database could convert ids too, but planning that takes a millisecond.
    """
    execute(connection, sql, values)
    names = [column[0] for column in connection.description or ()]
    return build_result(connection, names, connection.fetchall(), about, ids)


def build_result(
    connection: duckdb.DuckDBPyConnection,
    names: Sequence[str],
    rows: list[tuple[Any, ...]],
    about: str | None = None,
    ids: Collection[str] = (),
) -> Result:
    """Return rows of these columns as a result: see `run_query`."""
    if ids:
        rows = _in_letters(rows, [names.index(name) for name in ids])
    meanings = _meanings(connection, about) if about else {}
    return Result(tuple(Column(name, meanings.get(name, "")) for name in names), rows)


def _in_letters(rows: list[tuple[Any, ...]], places: Sequence[int]) -> list[tuple[Any, ...]]:
    written = []
    for row in rows:
        values = list(row)
        for place in places:
            values[place] = None if values[place] is None else to_text(values[place])
        written.append(tuple(values))
    return written


def _meanings(connection: duckdb.DuckDBPyConnection, view: str) -> dict[str, str]:
    """Return the meanings of a view's columns; cached, because all databases of this schema have the same."""
    if not _known:
        for table, column, meaning in connection.execute(_COMMENTS).fetchall():
            _known[table, column] = meaning
    return {column: meaning for (table, column), meaning in _known.items() if table == view}


_COMMENTS = r"""
    SELECT view_name, column_name, columns.comment
    FROM duckdb_views() views JOIN duckdb_columns() columns
        ON columns.database_oid = views.database_oid AND table_name = regexp_extract(sql, 'FROM (_\w+)', 1)
    WHERE columns.comment IS NOT NULL
"""
"""Query of the comments on the columns of a view's tables; lakes have them too."""
_known: dict[tuple[str, str], str] = {}
