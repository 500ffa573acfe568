"""Read and write records of ZÈRTZ games.

    from parser import read

    for record in read(text):
        print(record.player1, record.player2, len(record.plies))

A `Record` holds what a text states and no more. The names below are imported on first use, so importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parser.dialects import DIALECTS, FORMS, Dialect, Unwritable, Written, detect, read, write
    from parser.record import Edit, HalfTurn, Marble, Ply, Record, Remark, Span, SyntaxFault
    from parser.text.encoding import decode, encode

__all__ = [
    "DIALECTS",
    "FORMS",
    "Dialect",
    "Edit",
    "HalfTurn",
    "Marble",
    "Ply",
    "Record",
    "Remark",
    "Span",
    "SyntaxFault",
    "Unwritable",
    "Written",
    "decode",
    "detect",
    "encode",
    "read",
    "write",
]

_HOMES = {
    "parser.dialects": ("DIALECTS", "FORMS", "Dialect", "Unwritable", "Written", "detect", "read", "write"),
    "parser.text.encoding": ("decode", "encode"),
}
"""The modules of the names that are not in `parser.record`."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'parser' has no attribute {name!r}")
    home = next((module for module, names in _HOMES.items() if name in names), "parser.record")
    return getattr(import_module(home), name)
