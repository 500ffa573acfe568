"""Write start positions as the game server sets them up by hand: `P0[Edit]`, rings, marbles, captures. Source: formats, section 3.2."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zertz_db.parser.vocabulary.board_names import COLUMNS

_COLOURS = "WGB"
_POOL = 2
_SUPPLY = (6, 8, 10)
"""Marbles of each colour. The server has only the standard rules."""
_COUNT = re.compile(r"[0-9]+")


class NoServerForm(ValueError):
    """The server has no form for the game; the message names the obstacle."""


def require(fine: bool, message: str) -> None:
    """Raise NoServerForm unless the condition holds."""
    if not fine:
        raise NoServerForm(message)


def set_up(position: str) -> Iterator[str]:
    """Yield the actions that set up a position string, from a standard board or, for a custom one, from no ring at all.

    Raises NoServerForm if marbles are missing, player 2 or a pass comes first, or no board of the server has these rings.
    """
    board, _, layout, pool, *captured, side = position.split()[:7]
    require(side == "1" and position.split()[7:] in ([], ["0"]), "on the server player 1 begins, without a pass before")
    columns = [*_custom(layout)] if board == "custom" else [*zip(COLUMNS, layout.split("/"), strict=False)]
    placed = [0, 0, 0]
    for letter, rings in columns:
        for number, ring in enumerate(rings, 1):
            cell = f"{letter.upper()} {number}"
            if ring != "." and board == "custom":
                yield f"R+ {cell}"
            elif ring == "." and board != "custom":
                yield f"R- {cell}"
    for letter, rings in columns:
        for number, ring in enumerate(rings, 1):
            if ring in _COLOURS:
                placed[_COLOURS.index(ring)] += 1
                yield f"RtoB {_POOL} {_COLOURS.index(ring)} {letter.upper()} {number}"
    racks = [[int(count) for count in _COUNT.findall(text)] for text in (pool, *captured)]
    require(
        [sum(counts) for counts in zip(placed, *racks, strict=True)] == list(_SUPPLY),
        "the server has all marbles of the standard rules",
    )
    for seat, counts in enumerate(racks[1:]):
        for colour, count in enumerate(counts):
            yield from [f"RtoR {_POOL} {colour} {seat}"] * count


def _custom(layout: str) -> Iterator[tuple[str, str]]:
    """Yield the columns of a custom board. The server's rows are half a step higher in every other column."""
    shifts = set()
    for column in layout.split("/"):
        head, _, rings = column.partition(":")
        shifts.add(int(head[1:]) - COLUMNS.index(head[0]) % 2)
        yield head[0], rings
    require(len(shifts) == 1, "the rings of this custom board are not where the server has rings of these names")
