"""Tables as CSV, for programs that take some texts for formulas and run them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, TextIO

_FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20].", re.DOTALL)
"""How such a text begins; the last four letters are wide forms of the first four."""


def write_csv(file: TextIO, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    r"""Write a header and rows as CSV. A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers don't.

    JSON and Parquet have all texts unchanged.

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
        (quoted if has_return else plain).writerow(cells)  # the module itself takes a bare return for no end of a line


def _harmless(value: Any) -> Any:
    if not isinstance(value, str) or not _FORMULA.match(value):
        return value
    return f"'{value}"
