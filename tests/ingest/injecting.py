"""Faults injected into the program: a function that fails on one record and works on all others."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.parser import faults
from zertz_db.parser.packed_plies import PackedPlies
from zertz_db.parser.record import Record

NAME = "Zoe"
"""The player of the record on which the function fails; it is also the only one with a grey placement."""

TAGS = '[Event "Cup"]\n[Date "2020.01.02"]\n[Player1 "{first}"]\n[Player2 "Ben"]\n[Result "1-0"]\n[Board "37"]\n[RuleSet "standard"]\n\n'
PLAIN = "1. Wd4,d1 {colour}d3,a1\n2. x d3Wd5 1-0\n"
SOUND = "Ada", "Cem"
_GREY = 1
_COLOUR = slice(8, 16)
"""The index of a placement's colour in a packed ply."""
_BEHIND_FIRST_PLY = slice(5, 11)
"""Numbers that the kernel reads: the first placement's claims, and the kind and colour of the next placement."""


def game(first: str, note: str = "") -> str:
    """Return a game; with a note the full parse reads it, without one the fast path."""
    colour = "G" if first == NAME else "B"
    text = TAGS.format(first=first) + PLAIN.format(colour=colour)
    return text.replace(" 1-0", f" {{{note}}} 1-0") if note else text


def inject(patch: pytest.MonkeyPatch, where: str, error: Exception) -> None:
    """Make functions, `module:name` each, raise an error whenever their arguments concern NAME's record."""
    for one in where.split():
        _inject(patch, one, error)


def _inject(patch: pytest.MonkeyPatch, where: str, error: Exception) -> None:
    module, _, name = where.partition(":")
    home: Any = importlib.import_module(module)
    *owners, name = name.split(".")
    for owner in owners:
        home = getattr(home, owner)
    whole: Callable[..., Any] = getattr(home, name)

    def fragile(*given: Any, **named: Any) -> Any:
        # Other arguments, such as the text of the file, may also belong to other records.
        records = [one.checked if isinstance(one, SourceRecord) else one for one in (*given, *named.values())]
        records = [one for one in records if isinstance(one, Record | CheckedRecord)]
        if mentions(records or (given, named)):
            raise error.with_traceback(None)
        return whole(*given, **named)

    patch.setattr(home, name, fragile)


def mentions(value: object, depth: int = 9) -> bool:
    """Return whether an object is of NAME's record, or contains such an object."""
    if depth == 0:
        return False
    if isinstance(value, str):
        return NAME in value or value == "G"
    if isinstance(value, bytes):
        return NAME.encode() in value
    if isinstance(value, PackedPlies):
        return any(int.from_bytes(code[_COLOUR], "little") == _GREY and len(code) == 72 for code in value.codes)
    if isinstance(value, Mapping):
        return any(mentions(one, depth - 1) for one in value.values())
    if isinstance(value, list) and value and all(isinstance(number, int) for number in value[:20]):
        return value[_BEHIND_FIRST_PLY] == [0, 0, 0, 0, 0, _GREY]
    if isinstance(value, tuple | list):
        return any(mentions(one, depth - 1) for one in value)
    if is_dataclass(value):
        return any(mentions(getattr(value, field.name), depth - 1) for field in fields(value))
    is_ours = type(value).__module__.startswith(("parser.", "zertz_db.")) and hasattr(value, "__dict__")
    return is_ours and any(mentions(one, depth - 1) for one in vars(value).values())


def logged(caplog: pytest.LogCaptureFixture) -> tuple[int, int]:
    """Return the numbers of logged internal errors, and of those with a traceback."""
    found = [entry for entry in caplog.records if entry.name == faults.LOGGER and entry.levelno == logging.ERROR]
    return len(found), sum(entry.exc_info is not None for entry in found)
