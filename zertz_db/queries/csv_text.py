"""Write tables as CSV that is safe in spreadsheets."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from itertools import chain
from typing import Any, TextIO

from zertz_db.parser.lazy_patterns import compile_on_use

_FORMULA = compile_on_use(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20].", re.DOTALL)
"""Characters that start a formula; the last four are wide forms of the first four."""


IS_RAW: ContextVar[bool] = ContextVar("raw CSV", default=False)
"""Whether cells that a spreadsheet would run are written unchanged."""


def write_csv(file: TextIO, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    r"""Write a header and rows as CSV. An apostrophe precedes texts that a spreadsheet would run as formulas, but not numbers.

    JSON and Parquet have unchanged texts.

    >>> import sys
    >>> write_csv(sys.stdout, ["player1", "change"], [("=cmd", -5), ("Ada", "")])
    player1,change
    '=cmd,-5
    Ada,
    """
    plain = csv.writer(file, lineterminator="\n")
    quoted = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in chain([names], rows):
        cells = [_harmless(value) for value in row]
        has_return = any(isinstance(cell, str) and "\r" in cell for cell in cells)
        (quoted if has_return else plain).writerow(cells)  # the module does not quote a bare carriage return


def _harmless(value: Any) -> Any:
    if IS_RAW.get() or not isinstance(value, str) or not _FORMULA.match(value):
        return value
    return f"'{value}"
