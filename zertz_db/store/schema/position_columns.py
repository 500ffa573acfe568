"""Columns of positions that queries and writers go through, in the order of the kernel's state."""

from __future__ import annotations

from typing import Any

SHAPE_MASK = (1 << 24) - 1
"""The bits of a shape's hash that are stored: a search compares the cells of what they find, and all bits would take 5 bytes more."""
COLOURS = ("white", "grey", "black")
RING_SETS = ("rings", "white_or_black", "grey_or_black")
"""Columns with a set of rings: those on the board, those with a white or a black marble, and those with a grey or a black one."""
HOLDERS = ("pool", "captured1", "captured2")
COUNTS = tuple(f"{holder}_{colour}" for holder in HOLDERS for colour in COLOURS)
"""Columns with the number of marbles of a colour in the pool and in the captures of a player; nodes and games have them too."""


def split_colours(white_or_black: Any, grey_or_black: Any) -> tuple[Any, Any, Any]:
    """Return the rings with a white, a grey, a black marble. Sets are numbers or arrays of numbers."""
    return white_or_black & ~grey_or_black, grey_or_black & ~white_or_black, white_or_black & grey_or_black


def join_colours(white: Any, grey: Any, black: Any) -> tuple[Any, Any]:
    """Return what `split_colours` splits."""
    return white | black, grey | black


def colours_sql(suffix: str = "") -> dict[str, str]:
    """Return SQL that does what `split_colours` does, by colour. suffix: of the columns, `_high` for rings from 63 on."""
    one, other = (f"{name}{suffix}" for name in RING_SETS[1:])
    return {"white": f"{one} & ~{other}", "grey": f"{other} & ~{one}", "black": f"{one} & {other}"}


STATE_SQL = {"rings": "rings", **colours_sql(), **{name: name for name in COUNTS}}
"""The first places of the kernel's state, on boards without rings from 63 on: names, and SQL over rows of `_position`."""
STATE_COLUMNS = ", ".join(f"{sql} AS {name}" for name, sql in STATE_SQL.items())
