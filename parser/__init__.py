"""Read and write records of ZÈRTZ games.

    from zertz_db.parser import read

    for record in read(text):
        print(record.player1, record.player2, len(record.plies))

A `Record` holds what a text states and no more. The names below are imported on first use, so importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zertz_db.parser.lazy_names import import_on_use

if TYPE_CHECKING:
    from zertz_db.parser.dialects import DIALECTS, FORMS, Dialect, Unwritable, Written, detect, read, write
    from zertz_db.parser.record import Edit, HalfTurn, Marble, Ply, Record, Remark, Span, SyntaxFault
    from zertz_db.parser.text.encoding import decode, encode

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

__getattr__ = import_on_use(
    __name__,
    {
        "dialects": "DIALECTS FORMS Dialect Unwritable Written detect read write",
        "record": "Edit HalfTurn Marble Ply Record Remark Span SyntaxFault",
        "text.encoding": "decode encode",
    },
)
