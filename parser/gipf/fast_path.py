"""Fast path for a record in official notation with tags, plies, clocks and a result in the writer's own form.

The fast path uses the grammar's own expressions. It gives the Record of the full parse, or gives up. Its plies are numbers
(`zertz_db.parser.packed_plies`); a look at one of them triggers the full parse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import chain
from typing import NamedTuple

from zertz_db.parser.gipf import grammar
from zertz_db.parser.gipf.movetext import milliseconds
from zertz_db.parser.packed_plies import JUMP, PLACE, RACK_UNSAID, SKIP, PackedPlies, pack, ring_number
from zertz_db.parser.record import Ply

_HEAD = r"\s*<TAGS>"
_PLY = (
    r"<COLOUR><CELL>(?:<COMMA><CELL>)?(?:\s+<CLAIM_X>\s+<COLOUR><CELL>(?><GLUED><CELL>)*+)?"
    r"|<CAPTURE_X>\s+<CELL>(?><GLUED><CELL>)++|<PASS>"
)
_PIECE = rf"(?:(<FIRST>|<LATER>)\s*)?({_PLY})(?=[\s{{]|$)\s*(?:\{{(<CLOCK>)\}}\s*)?|(<RESULT>)\s*$|([\s\S])"
"""A ply with its number and its clock, or the result, or anything else."""

_MAX_PLIES = 400
_NUMBERS = tuple(number for turn in range(1, _MAX_PLIES // 2 + 1) for number in (f"{turn}.", ""))
"""The numbers before plies."""


class FastPath(NamedTuple):
    """The plies, the span of the tags in the piece, and the result with its offset."""

    plies: PackedPlies
    tags: tuple[int, int]
    result: str
    result_at: int


def read_fast(piece: str, read: Callable[[int, int], tuple[Ply, ...]]) -> FastPath | None:
    """Return the content of a plain record, or None if it needs the full parse. `read` reads the plies in a range with their places."""
    head = grammar.pattern(_HEAD).match(piece)
    if head is None:
        return None
    pieces = grammar.pattern(_PIECE).findall(piece, head.end())
    while pieces and pieces[0] == ("", "", "", "", "\n"):
        pieces = pieces[1:]
    if len(pieces) < 2 or not pieces[-1][3] or len(pieces) > _MAX_PLIES:
        return None
    numbers, texts, clocks, results, others = zip(*pieces, strict=True)
    if any(others) or any(results[:-1]) or numbers[:-1] != _NUMBERS[: len(pieces) - 1]:
        return None
    result_at = piece.rindex(results[-1])
    plies = _plies(texts[:-1], clocks[:-1], partial(read, head.end(), result_at))
    return FastPath(plies, head.span(), results[-1], result_at)


def _plies(texts: Sequence[str], clocks: Sequence[str], read: Callable[[], tuple[Ply, ...]]) -> PackedPlies:
    codes = [_codes[text] for text in texts]
    claims = {ply: claim for ply, (_, claim) in enumerate(codes) if claim}
    times = [str(milliseconds(clock)) if clock else "" for clock in clocks] if any(clocks) else [""] * len(texts)
    return PackedPlies([code for code, _ in codes], times, read, claims)


_Claim = tuple[tuple[int, int], ...]


class _Codes(dict[str, tuple[bytes, _Claim]]):
    """Cache of numbers of plies and their claims, by text. There are only some ten thousand different plies without claims."""

    def __missing__(self, text: str) -> tuple[bytes, _Claim]:
        code = _code(text)
        if len(self) < _MAX_CACHED:
            self[text] = code
        return code


_MAX_CACHED = 50_000
_codes = _Codes()


def _code(text: str) -> tuple[bytes, _Claim]:
    unit = _unit().fullmatch(text)
    if unit is None:
        raise ValueError(f"{text!r} is not a ply")
    if unit["colour"]:
        removed = ring_number(unit["removed"]) if unit["removed"] else -1
        colour = "WGB".index(unit["colour"])
        code = pack(PLACE, colour, ring_number(unit["ring"]), removed, RACK_UNSAID, 0, 0, 0, 0)
        return code, _marbles(unit["claim"] or "")
    if unit["start"]:
        return pack(JUMP, ring_number(unit["start"]), *chain.from_iterable(_marbles(unit["jumps"]))), ()
    return pack(SKIP), ()


@cache
def _unit() -> re.Pattern[str]:
    return grammar.pattern(grammar.UNIT)


def _marbles(text: str) -> _Claim:
    pieces = grammar.pattern(grammar.MARBLE).findall(text)
    return tuple(("WGB".index(colour), ring_number(ring)) for colour, ring in pieces)
