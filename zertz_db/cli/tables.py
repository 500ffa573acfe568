"""Print tables: for people on a terminal, plain in a pipe, and for programs.

pyarrow, which takes 130 ms to import, is imported when a table is written to a Parquet file.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate
from pathlib import Path
from typing import Any

import typer
from rich.cells import cell_len

from zertz_db.cli.errors import Stop
from zertz_db.cli.safe_output import get_utf8_stdout, style, write_atomically
from zertz_db.cli.share_bars import format_shares
from zertz_db.plurals import format_count
from zertz_db.queries.csv_text import write_csv
from zertz_db.queries.result import Result, sort_rows


class Form(StrEnum):
    """Formats of a table."""

    text = "text"
    json = "json"
    csv = "csv"
    parquet = "parquet"


def choose_form(as_json: bool, as_csv: bool, parquet: Path | None = None) -> Form:
    """Return the format that the options name. Raise Stop for several."""
    options = [
        name for name, wanted in (("--json", as_json), ("--csv", as_csv), ("--parquet", parquet is not None)) if wanted
    ]
    if len(options) > 1:
        raise Stop(f"{' and '.join(options)} can't be combined; choose one")
    return Form.json if as_json else Form.csv if as_csv else Form.parquet if parquet else Form.text


def write_result(result: Result, form: Form, parquet: Path | None, force: bool) -> None:
    """Print a table, or write it to a Parquet file. Raise Stop."""
    if parquet is not None:
        write_parquet(result, parquet, force)
    else:
        print_result(result, form)


def write_rows(
    result: Result,
    limit: int,
    form: Form,
    parquet: Path | None,
    force: bool,
    *,
    last: bool = False,
    sort: str | None = None,
) -> None:
    """Print or write at most `limit` rows of a table (0: all), the first or the last; report omitted rows on standard error.

    last: print the last rows, unless the table is sorted. sort: as `sort_rows`. Raise Stop.
    """
    result = sort_rows(result, sort)
    rows = result.rows[-limit:] if last and sort is None else result.rows[: limit or None]
    write_result(Result(result.columns, rows), form, parquet, force)
    if limit and len(result.rows) > limit:
        typer.echo(f"{limit:,} of {len(result.rows):,}; --limit 0 lists all", err=True)


def print_result(result: Result, form: Form = Form.text) -> None:
    """Print a table on standard output. A narrow terminal omits columns at the right, with a message.

    As text, shares are in per cent.
    """
    if form is Form.json:
        print_json(result.dicts())
    elif form is Form.csv:
        _print_csv(result)
    else:
        shown = format_shares(result)
        _print_columns(shown, _count_fitting_columns(shown) if sys.stdout.isatty() else len(shown.columns))


def print_query_result(result: Result) -> None:
    """Print a table of any width; if it is too wide for the terminal, print a line for each value."""
    if sys.stdout.isatty() and _count_fitting_columns(result) < len(result.columns):
        _print_vertical(result)
    else:
        _print_columns(result, len(result.columns))


def print_json(value: object) -> None:
    """Print one JSON value; dates become text."""
    get_utf8_stdout().write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def write_parquet(result: Result, path: Path, force: bool = False) -> None:
    """Write a table to a Parquet file. Raise Stop."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = result.arrow()
    except (pa.ArrowException, OverflowError) as error:
        raise Stop(f"this table does not fit into Parquet: {error}") from error
    with write_atomically(path, force) as part:
        pq.write_table(table, part)
    typer.echo(f"{format_count(len(result.rows), 'row')} written to {path}", err=True)


def select_columns(result: Result, names: Sequence[str]) -> Result:
    """Return a table with these columns, in this order."""
    places = [result.names.index(name) for name in names]
    return Result(
        tuple(result.columns[place] for place in places), [tuple(row[place] for place in places) for row in result.rows]
    )


def _print_csv(result: Result) -> None:
    write_csv(get_utf8_stdout(), result.names, result.rows)


def _print_columns(result: Result, fitting: int) -> None:
    """Print the first columns, padded; name the omitted ones on standard error."""
    cells = _cells(result)
    right = _find_numeric_columns(result)[:fitting]
    for number, line in enumerate(cells):
        padded = (_pad(*cell) for cell in zip(line[:fitting], _widths(cells), right, strict=False))
        text = "  ".join(padded).rstrip()
        typer.echo(text if number else style(text, bold=True))
    if left_out := result.names[fitting:]:
        typer.echo(
            f"the terminal is too narrow for {format_count(len(left_out), 'more column')}: {', '.join(left_out)}",
            err=True,
        )


def _print_vertical(result: Result) -> None:
    width = max(map(cell_len, result.names))
    for number, row in enumerate(result.rows, 1):
        typer.echo(style(f"row {number:,}", bold=True))
        for name, value in zip(result.names, row, strict=True):
            typer.echo(f"  {_pad(name, width, right=False)}  {_text(value)}".rstrip())
    if not result.rows:
        typer.echo("  ".join(result.names))


def _count_fitting_columns(result: Result) -> int:
    """Return the number of columns that fit on a line of the terminal, at least 1."""
    columns = shutil.get_terminal_size().columns
    reaches = accumulate(width + 2 for width in _widths(_cells(result)))
    return max(1, sum(reach - 2 <= columns for reach in reaches))


def _cells(result: Result) -> list[list[str]]:
    """Return names and values as printed."""
    return [result.names, *([_text(value) for value in row] for row in result.rows)]


def _widths(cells: list[list[str]]) -> list[int]:
    return [max(map(cell_len, column)) for column in zip(*cells, strict=True)]


def _find_numeric_columns(result: Result) -> list[bool]:
    """Return for each column if its values are numbers."""
    return [
        all(value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in column)
        for column in (zip(*result.rows, strict=True) if result.rows else [("",)] * len(result.columns))
    ]


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())


def _pad(text: str, width: int, right: bool) -> str:
    spaces = " " * (width - cell_len(text))
    return spaces + text if right else text + spaces
