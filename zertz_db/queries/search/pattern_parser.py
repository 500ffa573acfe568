"""Parse patterns by the grammar `pattern.lark`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Transformer
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError

from zertz_db.parser.vocabulary.board_names import board_named
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Place
from zertz_db.queries.filters.errors import FilterError
from zertz_db.queries.search.lattice import Cell
from zertz_db.queries.search.pattern import Limit, Pattern

_MAX_LENGTH = 10_000
_LIMIT = re.compile(r"([a-z0-9.]+?)(?::=?|(?<=\w)=|:?([<>]=?))([\w+]+)")


def parse_pattern(text: str) -> Pattern:
    """Return the pattern of a text. QueryError for an invalid one, with the place.

    >>> parse_pattern("W * / o").cells
    {(0, 0): 'W', (1, 0): '*', (0, 1): 'o'}
    >>> parse_pattern("d4:W e4:!o rings<=20").limits
    (Limit(quantity='rings', sign='<=', number=20),)
    """
    if len(text) > _MAX_LENGTH:
        raise FilterError(f"a pattern has at most {_MAX_LENGTH:,} characters", text, Place(_MAX_LENGTH, len(text)))
    if not text.strip():
        raise QueryError("the pattern is empty; write cells, for example 'W * o', or a limit, for example 'rings<20'")
    try:
        tree: Pattern = _parser().parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        raise _explained(text, error) from error
    except VisitError as error:
        raise error.orig_exc from error
    return tree


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("pattern.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=False, transformer=_Builder())


class _Builder(Transformer[Any, Pattern]):
    """Builder of the pattern; each method has the name of its rule."""

    def start(self, parts: list[Any]) -> Pattern:
        rows = [part for part in parts if isinstance(part, list)]
        named = [part for part in parts if isinstance(part, dict)]
        limits = [part for part in parts if isinstance(part, tuple)]
        boards = {board_named(limit[2]) or limit[2] for limit in limits if limit[0] == "board"}
        if len(boards) > 1:
            raise QueryError(f"no position is on several boards: {', '.join(sorted(boards))}")
        return Pattern(
            cells=named[0] if named else _drawn(rows),
            limits=tuple(_limit(*limit) for limit in limits if limit[0] != "board"),
            board=next(iter(boards), None),
            turned="turned" in parts,
        )

    def row(self, parts: list[str]) -> list[str]:
        return parts

    def cell(self, parts: list[Any]) -> str:
        return str(parts[0])

    def named(self, parts: list[Any]) -> dict[str, str]:
        rings = [str(ring).rstrip(":") for ring in parts[::2]]
        if twice := {ring for ring in rings if rings.count(ring) > 1}:
            raise QueryError(f"ring {min(twice)} is named twice")
        return dict(zip(rings, parts[1::2], strict=True))

    def limit(self, parts: list[Any]) -> tuple[str, str, str]:
        match = _LIMIT.fullmatch(parts[0])
        if not match:
            raise QueryError(f"{parts[0]} is no limit; write rings<20 or pool.white=0")
        quantity, sign, number = match.groups()
        return quantity, sign or "=", number

    def sacrifice(self, _parts: list[Any]) -> tuple[str, str, str]:
        return "sacrifice", "=", "1"

    def turned(self, _parts: list[Any]) -> str:
        return "turned"


def _limit(quantity: str, sign: str, number: str) -> Limit:
    if not number.isdecimal():
        raise QueryError(f"invalid number {number!r} after {quantity}{sign}; write {quantity}{sign}3")
    return Limit(quantity, sign, int(number))


def _drawn(rows: list[list[str]]) -> dict[Cell, str]:
    """The cells of a drawing: (0, 0) is the first one, (1, 0) the one to its right, (0, 1) the one below to the right."""
    cells: dict[Cell, str] = {}
    begin = 0
    for r, row in enumerate(rows):
        begin -= row.count("<")
        cells |= {(begin + q, r): sign for q, sign in enumerate(sign for sign in row if sign != "<")}
    return cells


def _explained(text: str, error: UnexpectedInput) -> FilterError:
    is_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    start = len(text) if is_end or error.pos_in_stream is None else error.pos_in_stream
    here = "something is missing at the end" if is_end else f"unexpected {text[start]!r}"
    return FilterError(f"{here}: {_FORM}", text, Place(start, start + 1))


_FORM = (
    "cells are W G B o . * # ? with [..] for one of several and ! for anything but, rows are divided by /, rings named "
    "as in d4:W, limits written as rings<20; the words sacrifice and turned"
)
