"""What is painted on a board, as text to look for: a position string, or a pattern that is drawn or names its rings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from parser.text.board_names import board_named
from zertz_db.queries.errors import QueryError
from zertz_db.queries.search.lattice import Cell
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.positions import as_position
from zertz_db.rules.board import STANDARD_BOARDS, Board, standard_board
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import Count
from zertz_db.rules.svg.board_svg import layout

ANYTHING = "?"
POSITION_BRUSHES = ("W", "G", "B", "o", ".")
PATTERN_BRUSHES = ("W", "G", "B", "*", "o", "#", ".", "?")
ANYWHERE, SYMMETRIC, HERE = "anywhere", "turned or mirrored", "just there"
PLACES = (ANYWHERE, SYMMETRIC, HERE)
"""Where a pattern may lie: anywhere on any board however turned, on the images of these rings on their board, on these rings."""


def parse_target(text: str) -> Position | Pattern:
    """What a text describes: a position begins with the name of a board. QueryError."""
    return as_position(text) if board_named(text.strip().partition(" ")[0]) else parse_pattern(text)


def get_placement(pattern: Pattern) -> str:
    """One of PLACES."""
    if not pattern.is_named and pattern.cells:
        return ANYWHERE
    return SYMMETRIC if pattern.turned or not pattern.cells else HERE


def get_cells(pattern: Pattern, board: Board, anchor: str = "") -> dict[str, str] | None:
    """The signs of a pattern by the rings of a board on which they are shown; None where it does not fit or has none of these rings.

    anchor: the ring for the first cell of a drawing; without it, or where it does not fit, the drawing lies in the middle.
    """
    if pattern.is_named or not pattern.cells:
        named = {str(ring): sign for ring, sign in pattern.cells.items()}
        return named if named.keys() <= board.index.keys() else None
    cells: Mapping[Cell, str] = {cell: sign for cell, sign in pattern.cells.items() if isinstance(cell, tuple)}
    rings = dict(zip(board.axial, board.rings, strict=True))
    first = next(iter(cells))
    seen = {cell: sign for cell, sign in cells.items() if sign != ANYTHING}
    starts = [board.axial[board.index[anchor]]] if anchor in board.index else []
    for q, r in (*starts, *sorted(board.axial, key=lambda cell: _get_distance(cell, board))):
        laid = {(cell[0] - first[0] + q, cell[1] - first[1] + r): sign for cell, sign in seen.items()}
        if laid.keys() <= rings.keys():
            return {rings[cell]: sign for cell, sign in laid.items()}
    return None


def get_rings(cells: Mapping[str, str], board: Board) -> str:
    """The signs as the board's component shows them; those of several states as `?`."""
    return "".join(sign if (sign := cells.get(ring, ANYTHING)) in PATTERN_BRUSHES else ANYTHING for ring in board.rings)


def merge_painted(cells: Mapping[str, str], held: str, board: Board) -> dict[str, str]:
    """The signs after somebody painted: those of several states stay where nothing was painted over them."""
    before = get_rings(cells, board)
    found = {}
    for ring, old, new in zip(board.rings, before, held, strict=True):
        sign = cells.get(ring, ANYTHING) if old == new else new
        if sign != ANYTHING:
            found[ring] = sign
    return found


def format_pattern(cells: Mapping[str, str], limits: Sequence[str], place: str, board: Board) -> str:
    """A pattern as people write it.

    >>> board = standard_board("37")
    >>> format_pattern({"d4": "W", "e4": "*"}, ["rings<20"], HERE, board)
    'd4:W e4:* rings<20'
    >>> format_pattern({"d4": "W", "e4": "*"}, [], ANYWHERE, board)
    'W *'
    """
    if not cells:
        return " ".join(limits)
    if place == ANYWHERE:
        return " ".join([_draw_cells({board.axial[board.index[ring]]: sign for ring, sign in cells.items()}), *limits])
    ordered = sorted(cells.items(), key=lambda item: board.index[item[0]])
    return " ".join([*(f"{ring}:{sign}" for ring, sign in ordered), *["turned"] * (place == SYMMETRIC), *limits])


def format_limits(pattern: Pattern) -> list[str]:
    """A pattern's limits as they are written."""
    return [*map(str, pattern.limits), *([f"board:{pattern.board}"] if pattern.board else [])]


def find_anchor(cells: Mapping[str, str], board: Board) -> str:
    """The ring of the first cell that `format_pattern` draws."""
    at = {board.axial[board.index[ring]]: ring for ring in cells}
    return at[min(at, key=lambda cell: (cell[1], cell[0]))] if at else ""


def replace_rings(position: Position, held: str) -> Position:
    """A position with other rings and marbles, and the same pool, captures and side. QueryError for one that can't be."""
    return as_position(
        _position_text(position.board, str(position.rules), held, (position.pool, *position.captured), position.side)
    )


def replace_counts(position: Position, counts: Sequence[Count], side: int) -> Position:
    """A position with another pool, other captures of both players, another side to move. QueryError for one that can't be."""
    return as_position(_position_text(position.board, str(position.rules), layout(position), counts, side))


def to_pattern(position: Position) -> dict[str, str]:
    """The marbles of a position, and the rings that are gone, as signs of a pattern."""
    held = zip(position.board.rings, layout(position), strict=True)
    return {ring: sign for ring, sign in held if sign != "o"}


def to_rings(cells: Mapping[str, str], board: Board) -> str:
    """A board with the marbles of a pattern, and without the rings that it says are gone."""
    return "".join(sign if (sign := cells.get(ring, "o")) in POSITION_BRUSHES else "o" for ring in board.rings)


def choose_board(asked: Position | Pattern, name: str) -> Board:
    """The board to show: a position's own, else the one that is called so or named by the pattern."""
    if isinstance(asked, Position):
        return asked.board
    named = asked.board if asked.board in STANDARD_BOARDS else None
    called = board_named(name)
    return standard_board(named or (called if called in STANDARD_BOARDS else STANDARD_BOARDS[0]))


def replace_limits(pattern: Pattern, limits: str) -> Pattern:
    """A pattern with these limits instead of its own. QueryError."""
    other = parse_pattern(limits) if limits.strip() else Pattern({})
    if other.cells:
        raise QueryError("limits are written as rings<20 or pool.white=0; cells are painted on the board")
    return replace(pattern, limits=other.limits, board=other.board)


def _get_distance(cell: Cell, board: Board) -> int:
    """How far a cell is from the middle of the board, in steps; thrice, so that it is a whole number."""
    size = len(board.axial)
    q, r = cell[0] * size - sum(q for q, _ in board.axial), cell[1] * size - sum(r for _, r in board.axial)
    return max(abs(q), abs(r), abs(q + r))


def _draw_cells(cells: Mapping[Cell, str]) -> str:
    """Rows of cells from the top; `<` where a row begins further to the left than the row above would have it."""
    first = min(r for _, r in cells)
    last = max(r for _, r in cells)
    rows = []
    begin = min(q for q, r in cells if r == first)
    for row in range(first, last + 1):
        columns = sorted(q for q, r in cells if r == row)
        back = max(0, begin - columns[0]) if columns else 0
        begin -= back
        signs = [cells.get((q, row), ANYTHING) for q in range(begin, columns[-1] + 1)] if columns else [ANYTHING]
        rows.append(" ".join(["<"] * back + signs))
    return " / ".join(rows)


def _position_text(board: Board, rules: str, held: str, counts: Sequence[Count], side: int) -> str:
    if board.is_custom:
        raise QueryError("a custom board can't be painted on; its position can be written")
    by_column = [
        "".join(sign for _, sign in column)
        for _, column in groupby(zip(board.rings, held, strict=True), key=lambda pair: pair[0][0])
    ]
    return " ".join([board.name, rules, "/".join(by_column), *map(str, counts), str(side)])
