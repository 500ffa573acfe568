"""Write plies in canonical official notation as bytes, compiled: what `notation` writes, for thousands of games in arrays.

The functions use integers and arrays only, so that numba can compile them (`zertz_db.rules.compiled`). Functions that write return the
offset after what they wrote.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeAlias

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import CLAIMED, MARBLES, PLACE, Integers

Octets: TypeAlias = MutableSequence[int]
"""Bytes to write to."""

NAME_SIZE = 4
"""Bytes of a ring's name in the table of names: its length, then its characters."""
NUMBER_BYTES = 8
"""Most bytes that a number of a ply takes, spaces and signs included."""
CLAIM_BYTES = 300
"""Most bytes of a claim: its sign, and a colour and a name for each ring."""

_SPACE, _COMMA, _SIGN = 32, 44, 120
_WHITE, _GREY, _BLACK = 87, 71, 66


def colour_sign(colour: int) -> int:
    """Return the letter of a colour, 0 to 2."""
    return _WHITE if colour == 0 else _GREY if colour == 1 else _BLACK


def sign_on(row: Integers, ring: int) -> int:
    """Return the letter of the marble on a ring in a replay's row."""
    if row[MARBLES] >> ring & 1:
        return _WHITE
    return _GREY if row[MARBLES + 1] >> ring & 1 else _BLACK


def write_ring(names: Sequence[int], ring: int, text: Octets, at: int) -> int:
    """Write the name of a ring."""
    begin = NAME_SIZE * ring
    length = names[begin]
    for place in range(length):
        text[at + place] = names[begin + 1 + place]
    return at + length


def write_placement(names: Sequence[int], code: Integers, begin: int, text: Octets, at: int) -> int:
    """Write a placement without its claim."""
    text[at] = colour_sign(code[begin + 1])
    at = write_ring(names, code[begin + 2], text, at + 1)
    if code[begin + 3] >= 0:
        text[at] = _COMMA
        at = write_ring(names, code[begin + 3], text, at + 1)
    return at


def write_capture(
    tables: Tables, names: Sequence[int], code: Integers, begin: int, end: int, row: Integers, text: Octets, at: int
) -> int:
    """Write a capture; row: the position before it."""
    text[at], text[at + 1] = _SIGN, _SPACE
    ring = code[begin + 1]
    at = write_ring(names, ring, text, at + 2)
    for place in range(begin + 3, end, 2):
        landing = code[place]
        way = 6 * ring
        while tables.landing[way] != landing:
            way += 1
        text[at] = sign_on(row, tables.neighbour[way])
        at = write_ring(names, landing, text, at + 1)
        ring = landing
    return at


def write_claim(
    names: Sequence[int], code: Integers, begin: int, row: Integers, claimed: int, text: Octets, at: int
) -> int:
    """Write the marbles that a placement claims, including its own; row: the position before it."""
    text[at], text[at + 1], text[at + 2] = _SPACE, _SIGN, _SPACE
    at += 3
    ring = 0
    while claimed >> ring:
        if claimed >> ring & 1:
            text[at] = colour_sign(code[begin + 1]) if ring == code[begin + 2] else sign_on(row, ring)
            at = write_ring(names, ring, text, at + 1)
        ring += 1
    return at


def write_games(
    tables: Tables,
    names: Sequence[int],
    code: Integers,
    begins: Integers,
    firsts: Integers,
    rows: Sequence[Integers],
    is_wanted: Sequence[bool],
    moves: Octets,
    ends: MutableSequence[int],
    bare: Octets,
    bare_ends: MutableSequence[int],
) -> None:
    """Write the wanted ones of games that consist of legal placements and captures.

    Ply p is code[begins[p]:begins[p+1]]; game g has the plies firsts[g] to firsts[g+1]-1, and its rows begin at row firsts[g] + g. moves:
    all plies of all games; ends[p+1] is the end of ply p. bare: those of each game without claims, separated by spaces; bare_ends[g+1] is
    the end of game g.
    """
    at, bare_at = 0, 0
    ends[0], bare_ends[0] = 0, 0
    for game in range(len(firsts) - 1):
        for ply in range(firsts[game], firsts[game + 1]):
            ends[ply + 1] = at
            if not is_wanted[game]:
                continue
            row = rows[ply + game]
            begin, end = begins[ply], begins[ply + 1]
            start = at
            if code[begin] == PLACE:
                at = write_placement(names, code, begin, moves, at)
            else:
                at = write_capture(tables, names, code, begin, end, row, moves, at)
            if ply > firsts[game]:
                bare[bare_at] = _SPACE
                bare_at += 1
            for place in range(start, at):
                bare[bare_at] = moves[place]
                bare_at += 1
            claimed = rows[ply + game + 1][CLAIMED]
            if claimed:
                at = write_claim(names, code, begin, row, claimed, moves, at)
            ends[ply + 1] = at
        bare_ends[game + 1] = bare_at
