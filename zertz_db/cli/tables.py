"""Printing tables: for people on a terminal, plain in a pipe, and for machines."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from zertz_db.queries.result import Result


class Form(StrEnum):
    """How a table is printed."""

    text = "text"
    json = "json"
    csv = "csv"


def form_of(as_json: bool, as_csv: bool) -> Form:
    """The form that the options --json and --csv ask for; the first one wins."""
    return Form.json if as_json else Form.csv if as_csv else Form.text


def print_result(result: Result, form: Form = Form.text) -> None:
    """Print a table on standard output."""
    if form is Form.json:
        print_json(result.dicts())
    elif form is Form.csv:
        _print_csv(result)
    elif sys.stdout.isatty():
        _print_rich(result)
    else:
        _print_plain(result)


def print_json(value: object) -> None:
    """Print one JSON value; dates become text."""
    import json

    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def write_parquet(result: Result, path: Path) -> None:
    """Write a table to a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from zertz_db.cli.errors import Stop

    try:
        table = result.arrow()
    except (pa.ArrowException, OverflowError) as error:
        raise Stop(f"this table does not fit into Parquet: {error}") from error
    pq.write_table(table, path)


def pick(result: Result, names: Sequence[str]) -> Result:
    """Only these columns, in this order."""
    places = [result.names.index(name) for name in names]
    return Result(
        tuple(result.columns[place] for place in places), [tuple(row[place] for place in places) for row in result.rows]
    )


def _print_csv(result: Result) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(result.names)
    writer.writerows(result.rows)


def _print_rich(result: Result) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    for name, right in zip(result.names, _numeric(result), strict=True):
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for row in result.rows:
        table.add_row(*(Text(_text(value)) for value in row))
    Console().print(table)


def _print_plain(result: Result) -> None:
    lines = [result.names, *([_text(value) for value in row] for row in result.rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    right = _numeric(result)
    for line in lines:
        cells = (_padded(*cell) for cell in zip(line, widths, right, strict=True))
        typer.echo("  ".join(cells).rstrip())


def _numeric(result: Result) -> list[bool]:
    """For each column whether its values are numbers."""
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


def _padded(text: str, width: int, right: bool) -> str:
    blanks = " " * (width - _width(text))
    return blanks + text if right else text + blanks


def _width(text: str) -> int:
    """Cells of a terminal: East Asian letters take two, accents that stand by themselves none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )
