"""Columns of positions that queries and writers go through, in the order of the kernel's state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SHAPE_MASK = (1 << 24) - 1
"""The bits of a shape's hash that are stored: a search compares the cells of what they find, and all bits would take 5 bytes more."""
COLOURS = ("white", "grey", "black")
RING_SETS = ("rings", "white_or_black", "grey_or_black")
"""Columns with a set of rings: those on the board, those with a white or a black marble, and those with a grey or a black one."""
HOLDERS = ("pool", "captured1", "captured2")
COUNTS = tuple(f"{holder}_{colour}" for holder in HOLDERS for colour in COLOURS)
"""Numbers of marbles of a colour in the pool and in the captures of a player. Games have a column for each, in positions and nodes the
column `counts` has all of them: one number is faster to write, to compare and to group by."""
MAX_COUNT = 127
"""The largest of these numbers."""
_LOW_BITS, _HIGH_BITS = 4, 3
_HIGH = _LOW_BITS * len(COUNTS)
"""The place of the first high bits: the low bits of all counts come first, since the high ones are zero in nearly all games."""


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


def pack_counts(counts: Sequence[Any]) -> Any:
    """Return the value of the column `counts`; counts: numbers or arrays of numbers, in the order of COUNTS, at most MAX_COUNT each.

    >>> pack_counts([6, 8, 10, 0, 0, 0, 0, 0, 0])
    2694
    """
    low = (1 << _LOW_BITS) - 1
    return sum(
        (count & low) << _LOW_BITS * place | count >> _LOW_BITS << _HIGH + _HIGH_BITS * place
        for place, count in enumerate(counts)
    )


def packed_sql() -> str:
    """Return SQL that does what `pack_counts` does, over rows with the columns COUNTS."""
    low = (1 << _LOW_BITS) - 1
    return " + ".join(
        f"(({name}::BIGINT & {low}) << {_LOW_BITS * place}) + (({name}::BIGINT >> {_LOW_BITS}) << {_HIGH + _HIGH_BITS * place})"
        for place, name in enumerate(COUNTS)
    )


def count_sql(name: str) -> str:
    """Return SQL for one of COUNTS, over rows with the column `counts`."""
    place = COUNTS.index(name)
    low, high = (
        f"((counts >> {shift}) & {(1 << bits) - 1})"
        for shift, bits in ((_LOW_BITS * place, _LOW_BITS), (_HIGH + _HIGH_BITS * place, _HIGH_BITS))
    )
    return f"({low} | ({high} << {_LOW_BITS}))::UTINYINT"


def captured_sql(player: int) -> str:
    """Return SQL for the number of marbles that a player has captured, over rows with the column `counts`."""
    counts = (count_sql(f"captured{player}_{colour}") for colour in COLOURS)
    return f"({' + '.join(f'{count}::INTEGER' for count in counts)})"


def match_counts(wanted: Mapping[str, int]) -> str:
    """Return the SQL condition that some of COUNTS have these values, over rows with the column `counts`.

    >>> match_counts(dict.fromkeys(COUNTS, 0))
    'counts = 0'
    """
    values = pack_counts([wanted.get(name, 0) for name in COUNTS])
    if len(wanted) == len(COUNTS):
        return f"counts = {values}"
    return f"counts & {pack_counts([MAX_COUNT * (name in wanted) for name in COUNTS])} = {values}"


STATE_SQL = {"rings": "rings", **colours_sql(), **{name: count_sql(name) for name in COUNTS}}
"""The first places of the kernel's state, on boards without rings from 63 on: names, and SQL over rows of `_position`."""
STATE_COLUMNS = ", ".join(f"{sql} AS {name}" for name, sql in STATE_SQL.items())
