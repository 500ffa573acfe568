"""Continuations of a pattern as moves on the board on which it is drawn: without removed rings, equal ones together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from operator import add
from typing import Any

from zertz_db.queries.result import Result
from zertz_db.queries.search.lattice import STAY, Cell, Symmetry, keeps, list_symmetries
from zertz_db.queries.search.matches import Sums, count_results
from zertz_db.queries.search.pattern import Pattern
from zertz_db.rules.board import RING, Board

ELSEWHERE = "elsewhere"
"""Name of the moves beyond the edge of the board."""


def group_pattern_moves(
    continuations: Result, pattern: Pattern, cells: Mapping[str, str], board: Board
) -> list[dict[str, Any]]:
    """Return the continuations of a pattern (`Found.continuations`) by their move on a board, most matches first.

    cells: the pattern's symbols by the rings on which they are drawn. A row has `move` and the counts of `continuations`. A placement is
    its marble and ring (`Wd4`), whatever ring was removed; a capture is in official notation. Moves that a symmetry of the pattern makes
    equal are one. The last rows are moves beyond the board's edge (ELSEWHERE) and games that ended (None).
    """
    at = {board.axial[board.index[ring]]: symbol for ring, symbol in cells.items()}
    ways = _list_ways(pattern, at, board)
    q, r = _find_offset(pattern, cells, board)
    names = dict(zip(board.axial, board.rings, strict=True))
    sums: dict[str | None, Sums] = defaultdict(lambda: [0, 0, 0, 0])
    known: dict[str | None, str | None] = {None: None}
    for row in continuations.dicts():
        text = _without_removal(row["move"])
        if text not in known and text is not None:
            known[text] = _name_move(text, (q, r), ways, names, board)
        counts = [row[name] for name in ("matches", "wins", "ties", "losses")]
        sums[known[text]][:] = map(add, sums[known[text]], counts)
    ordered = sorted(sums.items(), key=lambda item: (item[0] is None, item[0] == ELSEWHERE, -item[1][0], item[0]))
    columns = continuations.names
    return [dict(zip(columns, (move, *count_results(*counts)), strict=True)) for move, counts in ordered]


def _list_ways(pattern: Pattern, at: Mapping[Cell, str], board: Board) -> Sequence[Symmetry]:
    """Return the symmetries of the pattern: any for a drawing, those of the board for turned rings, none for other rings."""
    if pattern.is_named and not pattern.turned:
        return [STAY]
    ways = list_symmetries(at, at)
    return [way for way in ways if not pattern.is_named or keeps(way, board)] or [STAY]


def _find_offset(pattern: Pattern, cells: Mapping[str, str], board: Board) -> Cell:
    """Return the distance from the pattern's coordinates to those of the rings that show it."""
    drawn = [cell for cell, symbol in pattern.cells.items() if isinstance(cell, tuple) and symbol != "?"]
    if not drawn:
        return 0, 0
    q, r = board.axial[board.index[next(iter(cells))]]
    return q - drawn[0][0], r - drawn[0][1]


def _without_removal(text: str | None) -> str | None:
    """Return a placement without the removed ring; other moves unchanged. Most continuations of a pattern differ only in that ring."""
    place = _PLACE.search(text) if text and not text.startswith("x ") else None
    return text[: place.end()] if text and place else text


def _name_move(text: str, offset: Cell, ways: Sequence[Symmetry], names: Mapping[Cell, str], board: Board) -> str:
    """Return the least of the move's images on the board; ELSEWHERE if there is none."""
    if text == "-":
        return text
    cells = list(_list_cells(text, offset, board))
    is_capture = text.startswith("x ")
    marbles = _MARBLE.findall(text)
    images = []
    for way in ways if all(cell is not None for cell in cells) else ():
        rings = [names.get(way.lay(cell)) for cell in cells if cell is not None]
        if is_capture and None not in rings:
            jumps = zip(marbles, rings[1:], strict=True)
            images.append(f"x {rings[0]}" + "".join(f"{marble}{ring}" for marble, ring in jumps))
        elif not is_capture and rings[0] is not None:
            images.append(f"{marbles[0]}{rings[0]}")
    return min(images, default=ELSEWHERE)


def _list_cells(text: str, offset: Cell, board: Board) -> Sequence[Cell | None]:
    """Return the cells of a move on the board; None for a ring that the board lacks."""
    cells: list[Cell | None] = []
    for place in _PLACE.finditer(text):
        if place["ring"]:
            number = board.index.get(place["ring"])
            cells.append(None if number is None else board.axial[number])
        else:
            cells.append((int(place["q"]) + offset[0], int(place["r"]) + offset[1]))
    return cells


_PLACE = re.compile(rf"\((?P<q>-?\d+),(?P<r>-?\d+)\)|(?P<ring>{RING.pattern})")
_MARBLE = re.compile("[WGB]")
