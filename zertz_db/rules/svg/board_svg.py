"""Draw the board (SVG) for light and dark pages alike."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol

from zertz_db.parser.vocabulary.board_names import COLUMNS
from zertz_db.rules.board import Board
from zertz_db.rules.rule_sets import Count, RuleSet
from zertz_db.rules.svg.move_marks import Point, marks
from zertz_db.rules.svg.symbols import GROUND, circle, definitions, rack, text, use

STEP = 48
"""Pixels between the centres of neighbouring rings."""
MARGIN = 56
"""Pixels from the centres of the outermost rings to the edge of the drawing."""

_NAMES = {"W": "white", "G": "grey", "B": "black", "o": "vacant", ".": "removed"}
_ROW, _LABEL = 34, 82


class Drawable(Protocol):
    """A position as far as it is drawn. `Position` is one; it uses this module, so this module does not import it."""

    board: Board
    rules: RuleSet

    @property
    def side(self) -> int:
        """Return the side to move: player 1 or 2."""

    @property
    def pool(self) -> Count:
        """Return the marbles in the pool."""

    @property
    def captured(self) -> tuple[Count, Count]:
        """Return the captures of player 1 and player 2."""

    def on(self, ring: str) -> str | None:
        """Return the content of a ring: `W`, `G`, `B`, `o` for vacant, None without a ring or after its removal."""


def svg(
    position: Drawable,
    last_move: str | None = None,
    *,
    coordinates: bool = True,
    letters: bool = False,
    racks: bool = False,
) -> str:
    """Return the board as an SVG element: rings, marbles with depth, removed rings as ghosts.

    last_move: the previous move, in official notation: its marble, path, removed ring and claims are marked. coordinates: column letters
    below, numbers above and at the left. letters: W, G, B on the marbles. racks: below the board, each player's captures, with slots for
    the winning sets (a tick after three of each), and the pool.
    """
    points = places(position.board)
    half_width, half_height = (max(point[axis] for point in points.values()) + MARGIN for axis in (0, 1))
    below = list(_racks(position)) if racks else []
    half_width = max(half_width, *(length / 2 + 16 for _, length in below), 0)
    height = 2 * half_height + _ROW * len(below) + (14 if below else 0)
    rows = "".join(
        f'<g transform="translate({16 - half_width:.1f} {half_height + _ROW * number + 8:.1f})">{row}</g>'
        for number, (row, _) in enumerate(below)
    )
    box = f"{-half_width:.0f} {-half_height:.0f} {2 * half_width:.0f} {height:.0f}"
    style = ' style="--zertz-letters:inline"' if letters else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{2 * half_width:.0f}" height="{height:.0f}" '
        f'font-family="sans-serif" role="img"{style}>'
        f"<title>{_describe_board(position.board)}, player {position.side} to move</title>{definitions()}"
        f'<rect x="{-half_width:.0f}" y="{-half_height:.0f}" width="{2 * half_width:.0f}" height="{height:.0f}" rx="12" fill="{GROUND}"/>'
        f"{board_drawing(position.board, layout(position), coordinates)}"
        f"{marks(last_move, points) if last_move else ''}{rows}</svg>"
    )


def _describe_board(board: Board) -> str:
    return f"custom board of {len(board.rings)} rings" if board.is_custom else f"{board.name} rings"


def places(board: Board) -> dict[str, Point]:
    """Return the drawn place of each ring, including removed ones: pixels right of and below the board's middle."""
    columns, heights = zip(*board.places, strict=True)
    middle = (min(columns) + max(columns)) / 2, (min(heights) + max(heights)) / 2
    return {
        ring: ((x - middle[0]) * STEP * math.sqrt(3) / 2, (middle[1] - y) * STEP / 2)
        for ring, (x, y) in zip(board.rings, board.places, strict=True)
    }


def layout(position: Drawable) -> str:
    """Return the content of each ring, in the board's order: `W G B`, `o` vacant, `.` removed."""
    return "".join(position.on(ring) or "." for ring in position.board.rings)


def board_drawing(board: Board, held: str, coordinates: bool = True) -> str:
    """Return the rings of a board with their content (characters of `layout`, or of patterns), each a group with the ring's name."""
    points = places(board)
    rings = (_ring(ring, character, points[ring]) for ring, character in zip(board.rings, held, strict=True))
    edge = (
        f'<g class="coordinates" aria-hidden="true">{"".join(_coordinates(board, points))}</g>' if coordinates else ""
    )
    return edge + "".join(rings)


@lru_cache(2000)
def _ring(ring: str, character: str, point: Point) -> str:
    title = f"<title>{ring}: {_NAMES.get(character, character)}</title>"
    touched = circle(point, STEP / 2, fill="none", pointer_events="all")
    return f'<g class="ring" data-ring="{ring}">{title}{touched}{use(character, *point)}</g>'


def _coordinates(board: Board, points: dict[str, Point]) -> Iterator[str]:
    """Yield each column's letter below it, the number of its last ring above it, and the numbers next to the first column."""
    for letter in COLUMNS:
        column = [ring for ring in board.rings if ring[0] == letter]
        if column:
            x, bottom = points[column[0]]
            yield text(x, bottom + 0.84 * STEP, letter, 15, "bold")
            yield text(x, points[column[-1]][1] - 0.62 * STEP, column[-1][1:])
    first = board.rings[0][0]
    for ring in board.rings:
        if ring[0] == first:
            x, y = points[ring]
            yield text(x - 0.72 * STEP, y + 5, ring[1:])


def _racks(position: Drawable) -> Iterator[tuple[str, float]]:
    """Yield a labelled row for each player and one for the pool, with its width."""
    rules = position.rules
    first, second = position.captured
    rows = (
        ("player 1", first, rules.goal, rules.each),
        ("player 2", second, rules.goal, rules.each),
        ("pool", position.pool, rules.supply, 0),
    )
    for label, held, goal, each in rows:
        drawn, width = rack(held, [max(pair) for pair in zip(held, goal, strict=True)], each)
        yield f'{text(0, 5, label, anchor="start")}<g transform="translate({_LABEL} 0)">{drawn}</g>', width + _LABEL
