"""Patterns: what some cells of a board must hold, and how many rings and marbles there must be.

A cell's sign is one of `W`, `G`, `B` (a marble of that colour), `o` (a vacant ring), `.` (no ring: removed, or beyond the edge of the
board), `*` (any marble), `#` (any ring, with a marble or without), `?` (anything); `[Wo]` is one of several, `!W` anything but that.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from zertz_db.parser.vocabulary.board_names import BOARDS, board_named
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.errors import suggestion
from zertz_db.queries.search.lattice import Cell
from zertz_db.rules.board import RING
from zertz_db.store.schema.position_columns import COLOURS, colours_sql, count_sql

STATES = ".oWGB"
"""States of a cell: no ring, vacant, white, grey, black."""

_CHARACTERS = {**{state: state for state in STATES}, "*": "WGB", "#": "oWGB", "?": STATES}
_CHARACTER = re.compile(r"(!?)(?:([WGBo.*#?])|\[([WGBo.*#]+)\])")


def allowed(sign: str) -> frozenset[str]:
    """The states of a cell that a sign allows. QueryError for what is no sign, or allows nothing.

    >>> sorted(allowed("!*"))
    ['.', 'o']
    """
    match = _CHARACTER.fullmatch(sign)
    if not match:
        raise QueryError(
            f"{sign!r} is no sign for a cell; there are {' '.join(_CHARACTERS)}, [Wo] for one of several, !W for all but"
        )
    states = frozenset(state for one in match[2] or match[3] for state in _CHARACTERS[one])
    states = frozenset(STATES) - states if match[1] else states
    if not states:
        raise QueryError(f"{sign} allows nothing at all")
    return states


class Limit(NamedTuple):
    """What a number must be like: `Limit("pool.white", "=", 0)`. The quantities are those of QUANTITIES, the signs = < <= > >=."""

    quantity: str
    sign: str
    number: int

    def __str__(self) -> str:
        return "sacrifice" if self == SACRIFICE else f"{self.quantity}{self.sign}{self.number}"


SACRIFICE = Limit("sacrifice", "=", 1)
"""The limit that the word `sacrifice` means."""


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Pattern:
    """Cells with their signs, and limits.

    cells: by axial coordinates (q, r) of the lattice, where (q, r±1), (q±1, r), (q+1, r-1), (q-1, r+1) are the neighbours of (q, r): such a
    pattern may lie anywhere on a board, turned and mirrored in all twelve ways. Or by names of rings: such a one lies just there,
    or `turned`, there and on the images of these rings under the symmetries of their board. Cells beyond a board's edge are no rings.
    limits: on rings, marbles, pool, captures, side. board: only on this one.

    QueryError for what is none of that.

    >>> pattern = Pattern({(0, 0): "W", (1, 0): "*", (2, 0): "o"}, limits=(Limit("rings", "<=", 20),))
    """

    cells: Mapping[Cell, str] | Mapping[str, str]
    limits: tuple[Limit, ...] = ()
    board: str | None = None
    turned: bool = False

    def __post_init__(self) -> None:
        for sign in self.cells.values():
            allowed(sign)
        kinds = {type(cell) for cell in self.cells}
        if len(kinds) > 1:
            raise QueryError("name the cells of a pattern all by rings or all by coordinates")
        for ring in self.cells if self.is_named else ():
            if not RING.fullmatch(str(ring)):
                raise QueryError(f"no ring is called {ring!r}; they are called d4 or g12")
        if self.turned and not self.is_named:
            raise QueryError("the word turned is for named rings; a drawing matches anywhere, in all orientations")
        if self.board is not None:
            named = board_named(self.board)
            if named is None:
                raise QueryError(f"there is no board {self.board!r}; there are {', '.join(BOARDS)}")
            object.__setattr__(self, "board", named)
        for limit in self.limits:
            if limit.quantity not in QUANTITIES or limit.sign not in COMPARED:
                known = f"{', '.join(QUANTITIES)}, board; compared by {' '.join(COMPARED)}"
                raise QueryError(f"{limit} is no limit{suggestion(limit.quantity, QUANTITIES)}; there are {known}")

    @property
    def is_named(self) -> bool:
        """Check if the cells are rings of a board, not coordinates."""
        return any(isinstance(cell, str) for cell in self.cells)


def _held(holder: str, white: str, grey: str, black: str) -> dict[str, str]:
    parts = {"white": white, "grey": grey, "black": black}
    return {holder: f"({white} + {grey} + {black})", **{f"{holder}.{colour}": sql for colour, sql in parts.items()}}


def _columns(holder: str) -> dict[str, str]:
    return _held(holder, *(count_sql(f"{holder.replace('player', 'captured')}_{colour}") for colour in COLOURS))


def _captures_of(holder: str, first: int) -> dict[str, str]:
    """Captures seen from the side to move: those of player 1 if the side is `first`."""
    return _held(
        holder,
        *(
            f"if(side = {first}, {count_sql(f'captured1_{colour}')}, {count_sql(f'captured2_{colour}')})"
            for colour in COLOURS
        ),
    )


def _count(low: str, high: str) -> str:
    return f"(bit_count({low}) + coalesce(bit_count({high}), 0))"


QUANTITIES = {
    "rings": _count("rings", "rings_high"),
    **_held("marbles", *map(_count, colours_sql().values(), colours_sql("_high").values())),
    "marbles": _count("white_or_black | grey_or_black", "white_or_black_high | grey_or_black_high"),
    **_columns("pool"),
    **_captures_of("mover", 1),
    **_captures_of("opponent", 2),
    **_columns("player1"),
    **_columns("player2"),
    "side": "side",
    "forced": "(SELECT forced FROM _tactic WHERE _tactic.game = _position.game AND _tactic.ply = _position.ply)",
    "sacrifice": """
        (EXISTS (SELECT 1 FROM _ply WHERE _ply.game = _position.game AND _ply.ply = _position.ply AND _ply.sacrifice))::INTEGER""",
}
"""What can be limited, as SQL over rows of `_position`: rings and marbles on the board, the pool, captures of the player to move, of his
opponent, of who moved first and second in the game; the side to move; plies of a forced win that an analysis found here; 1 where the
move played next is a sacrifice, or 0."""
