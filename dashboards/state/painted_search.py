"""Convert a painted board to a search text: a position string, or a pattern that is drawn or names its rings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from string import ascii_lowercase
from typing import Any, NamedTuple

from zertz_db.parser.vocabulary.board_names import board_named
from zertz_db.queries.errors import QueryError
from zertz_db.queries.search.lattice import Cell
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.pattern_moves import ELSEWHERE
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.positions import as_position
from zertz_db.rules.board import STANDARD_BOARDS, Board, standard_board
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import Count
from zertz_db.rules.svg.board_svg import layout, places
from zertz_db.rules.svg.move_marks import draw_next_move, trace

ANYTHING = "?"
MARBLES = ("W", "G", "B", "*")
KINDS = {"W": "white", "G": "grey", "B": "black"}
MAX_LETTERS, MAX_AT_RING = 16, 4
"""Maximum number of letters on a board, and at a ring."""
POSITION_BRUSHES = ("W", "G", "B", "o", ".")
PATTERN_BRUSHES = ("W", "G", "B", "*", "o", "#", ".", "?")
ANYWHERE, SYMMETRIC, HERE = "anywhere", "turned or mirrored", "just there"
PLACES = (ANYWHERE, SYMMETRIC, HERE)
"""Placements of a pattern: anywhere on any board in any orientation; on the images of its rings on their board; on its rings."""


def get_placement(pattern: Pattern) -> str:
    """Return a pattern's placement, one of PLACES."""
    if not pattern.is_named and pattern.cells:
        return ANYWHERE
    return SYMMETRIC if pattern.turned or not pattern.cells else HERE


def get_cells(pattern: Pattern, board: Board, anchor: str = "") -> dict[str, str] | None:
    """Return a pattern's symbols by the rings that show them; None if the pattern does not fit or the board lacks its rings.

    anchor: the ring for the first cell of a drawing. If it is empty or the drawing does not fit there, the drawing is in the middle.
    """
    if pattern.is_named or not pattern.cells:
        named = {str(ring): symbol for ring, symbol in pattern.cells.items()}
        return named if named.keys() <= board.index.keys() else None
    cells: Mapping[Cell, str] = {cell: symbol for cell, symbol in pattern.cells.items() if isinstance(cell, tuple)}
    rings = dict(zip(board.axial, board.rings, strict=True))
    first = next(iter(cells))
    seen = {cell: symbol for cell, symbol in cells.items() if symbol != ANYTHING}
    starts = [board.axial[board.index[anchor]]] if anchor in board.index else []
    for q, r in (*starts, *sorted(board.axial, key=lambda cell: _get_distance(cell, board))):
        placed = {(cell[0] - first[0] + q, cell[1] - first[1] + r): symbol for cell, symbol in seen.items()}
        if placed.keys() <= rings.keys():
            return {rings[cell]: symbol for cell, symbol in placed.items()}
    return None


def get_rings(cells: Mapping[str, str], board: Board) -> str:
    """Return the symbols as the board's component shows them; `?` for those of several states."""
    return "".join(
        symbol if (symbol := cells.get(ring, ANYTHING)) in PATTERN_BRUSHES else ANYTHING for ring in board.rings
    )


def merge_painted(cells: Mapping[str, str], states: str, board: Board) -> dict[str, str]:
    """Return the symbols after painting: those of several states stay unless they were painted over."""
    before = get_rings(cells, board)
    found = {}
    for ring, old, new in zip(board.rings, before, states, strict=True):
        symbol = cells.get(ring, ANYTHING) if old == new else new
        if symbol != ANYTHING:
            found[ring] = symbol
    return found


def format_pattern(cells: Mapping[str, str], limits: Sequence[str], place: str, board: Board) -> str:
    """Return a pattern's text.

    >>> board = standard_board("37")
    >>> format_pattern({"d4": "W", "e4": "*"}, ["rings<20"], HERE, board)
    'd4:W e4:* rings<20'
    >>> format_pattern({"d4": "W", "e4": "*"}, [], ANYWHERE, board)
    'W *'
    """
    if not cells:
        return " ".join(limits)
    if place == ANYWHERE:
        return " ".join(
            [_draw_cells({board.axial[board.index[ring]]: symbol for ring, symbol in cells.items()}), *limits]
        )
    ordered = sorted(cells.items(), key=lambda item: board.index[item[0]])
    return " ".join([*(f"{ring}:{symbol}" for ring, symbol in ordered), *["turned"] * (place == SYMMETRIC), *limits])


def format_limits(pattern: Pattern) -> list[str]:
    """Return a pattern's limits as text."""
    return [*map(str, pattern.limits), *([f"board:{pattern.board}"] if pattern.board else [])]


class LetteredMove(NamedTuple):
    """A move of a pattern with its counts (a row of `group_pattern_moves`), and how the board shows it.

    letter: empty if the board does not show it. ring: where its marble comes to lie. kind: `white`, `grey`, `black` or `jump`.
    """

    move: str
    row: Mapping[str, Any]
    letter: str = ""
    ring: str = ""
    kind: str = ""
    words: str = ""
    preview: str = ""


def letter_moves(rows: Sequence[Mapping[str, Any]], cells: Mapping[str, str], board: Board) -> list[LetteredMove]:
    """Return the moves of a pattern with letters for the first ones; a ring has at most MAX_AT_RING letters."""
    letters = iter(ascii_lowercase[:MAX_LETTERS])
    at_rings: Counter[str] = Counter()
    found = []
    for row in rows:
        move = row["move"]
        traced = trace(move) if move not in (None, ELSEWHERE) else None
        if traced is None or not traced.way:
            found.append(LetteredMove(move or "", row))
            continue
        ring = traced.way[-1]
        at_rings[ring] += 1
        letter = next(letters, "") if at_rings[ring] <= MAX_AT_RING else ""
        jumping = cells.get(traced.way[0], "")
        preview = draw_next_move(move, places(board), traced.colour or (jumping if jumping in "WGB" else ""))
        found.append(LetteredMove(move, row, letter, ring, KINDS.get(traced.colour, "jump"), str(traced), preview))
    return found


def play_on_pattern(cells: Mapping[str, str], move: str, board: Board) -> dict[str, str]:
    """Return the symbols after a move (see `group_pattern_moves`). Rings that a capture leaves or jumps over become vacant.

    >>> play_on_pattern({"d3": "W"}, "x d3Bd5", standard_board("37"))
    {'d3': 'o', 'd4': 'o', 'd5': 'W'}
    """
    traced = trace(move)
    found = dict(cells)
    if traced.colour:
        return found | {traced.way[0]: traced.colour}
    rings = dict(zip(board.axial, board.rings, strict=True))
    for start, landing in pairwise(traced.way):
        (q0, r0), (q1, r1) = (board.axial[board.index[ring]] for ring in (start, landing))
        jumping = found.get(start, ANYTHING)
        found |= {start: "o", rings[(q0 + q1) // 2, (r0 + r1) // 2]: "o"}
        found[landing] = jumping if jumping in MARBLES else "*"
    return found


def find_anchor(cells: Mapping[str, str], board: Board) -> str:
    """Return the ring of the first cell that `format_pattern` draws."""
    at = {board.axial[board.index[ring]]: ring for ring in cells}
    return at[min(at, key=lambda cell: (cell[1], cell[0]))] if at else ""


def replace_rings(position: Position, states: str) -> Position:
    """Return a position with other rings and marbles, and its own pool, captures and side. QueryError for an impossible one."""
    return as_position(
        _position_text(position.board, str(position.rules), states, (position.pool, *position.captured), position.side)
    )


def replace_counts(position: Position, counts: Sequence[Count], side: int) -> Position:
    """Return a position with another pool, captures and side to move. QueryError for an impossible one."""
    return as_position(_position_text(position.board, str(position.rules), layout(position), counts, side))


def to_pattern(position: Position) -> dict[str, str]:
    """Return a position's marbles and removed rings as symbols of a pattern."""
    states = zip(position.board.rings, layout(position), strict=True)
    return {ring: symbol for ring, symbol in states if symbol != "o"}


def to_rings(cells: Mapping[str, str], board: Board) -> str:
    """Return a board with the marbles of a pattern, without the rings that it removes."""
    return "".join(symbol if (symbol := cells.get(ring, "o")) in POSITION_BRUSHES else "o" for ring in board.rings)


def choose_board(target: Position | Pattern, name: str, default: str = STANDARD_BOARDS[0]) -> Board:
    """Return the board to show: a position's own, or the one that the pattern names, or the one with this name, or the default."""
    if isinstance(target, Position):
        return target.board
    named = target.board if target.board in STANDARD_BOARDS else None
    by_name = board_named(name)
    return standard_board(named or (by_name if by_name in STANDARD_BOARDS else default))


def replace_limits(pattern: Pattern, limits: str) -> Pattern:
    """Return a pattern with these limits instead of its own. QueryError."""
    other = parse_pattern(limits) if limits.strip() else Pattern({})
    if other.cells:
        raise QueryError("limits are written as rings<20 or pool.white=0; cells are painted on the board")
    return replace(pattern, limits=other.limits, board=other.board)


def _get_distance(cell: Cell, board: Board) -> int:
    """Return a cell's distance from the middle of the board, in steps times the number of rings, so it is a whole number."""
    size = len(board.axial)
    q, r = cell[0] * size - sum(q for q, _ in board.axial), cell[1] * size - sum(r for _, r in board.axial)
    return max(abs(q), abs(r), abs(q + r))


def _draw_cells(cells: Mapping[Cell, str]) -> str:
    """Return rows of cells from the top. `<` moves the start of a row one cell to the left of its default."""
    first = min(r for _, r in cells)
    last = max(r for _, r in cells)
    rows = []
    begin = min(q for q, r in cells if r == first)
    for row in range(first, last + 1):
        columns = sorted(q for q, r in cells if r == row)
        back = max(0, begin - columns[0]) if columns else 0
        begin -= back
        symbols = [cells.get((q, row), ANYTHING) for q in range(begin, columns[-1] + 1)] if columns else [ANYTHING]
        rows.append(" ".join(["<"] * back + symbols))
    return " / ".join(rows)


def _position_text(board: Board, rules: str, states: str, counts: Sequence[Count], side: int) -> str:
    if board.is_custom:
        raise QueryError("a custom board can't be painted; write its position as text")
    by_column = [
        "".join(symbol for _, symbol in column)
        for _, column in groupby(zip(board.rings, states, strict=True), key=lambda pair: pair[0][0])
    ]
    return " ".join([board.name, rules, "/".join(by_column), *map(str, counts), str(side)])
