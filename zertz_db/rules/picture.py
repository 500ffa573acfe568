"""The board as a drawing (SVG) that reads on light and dark pages alike."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from zertz_db.rules.board import COLUMNS, RING

if TYPE_CHECKING:
    from zertz_db.rules.position import Position

STEP = 48
"""Pixels between the centres of neighbouring rings."""

_RING, _MARBLE, _MARGIN = 20, 16.5, 52
_GROUND, _LINE, _INK, _ACCENT = "#ece7dc", "#6b6356", "#5a5348", "#c2410c"
_FILL = {"W": "#ffffff", "G": "#9b9b9b", "B": "#1c1c1c"}
_NAMES = {"W": "white", "G": "grey", "B": "black", "o": "vacant", None: "removed"}

Point = tuple[float, float]


def svg(position: Position, last_move: str | None = None) -> str:
    """The board as an SVG element: rings, marbles, removed rings as faint dots, column letters below, numbers above.

    last_move: the move that led here, in official notation: its marble, path and removed rings are marked.
    """
    points = _points(position)
    right, bottom = (max(point[axis] for point in points.values()) + _MARGIN for axis in (0, 1))
    parts = [
        f'<rect width="{right:.0f}" height="{bottom:.0f}" rx="12" fill="{_GROUND}"/>',
        *_coordinates(position, points),
        *(_ring(position, ring, point) for ring, point in points.items()),
        *(_marks(last_move, points) if last_move else ()),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:.0f} {bottom:.0f}" width="{right:.0f}" '
        f'height="{bottom:.0f}" font-family="sans-serif" role="img">'
        f"<title>{position.board.name} rings, player {position.side} to move</title>{''.join(parts)}</svg>"
    )


def _points(position: Position) -> dict[str, Point]:
    """Where each ring of the board is drawn, those that are gone included."""
    places = position.board.places
    left, top = min(x for x, _ in places), max(y for _, y in places)
    return {
        ring: (_MARGIN + (x - left) * STEP * math.sqrt(3) / 2, _MARGIN + (top - y) * STEP / 2)
        for ring, (x, y) in zip(position.board.rings, places, strict=True)
    }


def _coordinates(position: Position, points: dict[str, Point]) -> Iterator[str]:
    """Each column's letter below it, the number of its last ring above it, and the numbers beside the first column."""
    for letter in COLUMNS:
        column = [ring for ring in position.board.rings if ring[0] == letter]
        if column:
            x, bottom = points[column[0]]
            yield _text(x, bottom + 0.78 * STEP, letter, "bold")
            yield _text(x, points[column[-1]][1] - 0.6 * STEP, column[-1][1:])
    first = position.board.rings[0][0]
    for ring in position.board.rings:
        if ring[0] == first:
            x, y = points[ring]
            yield _text(x - 0.68 * STEP, y + 5, ring[1:])


def _text(x: float, y: float, text: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="14" font-weight="{weight}" text-anchor="middle" '
        f'fill="{_INK}">{text}</text>'
    )


def _ring(position: Position, ring: str, point: Point) -> str:
    held = position.on(ring)
    title = f"<title>{ring}: {_NAMES[held]}</title>"
    if held is None:
        return f"<g>{title}{_circle(point, 2.5, fill=_LINE, opacity='0.35')}</g>"
    drawn = _circle(point, _RING, fill="none" if held != "o" else _GROUND, stroke=_LINE, stroke_width="3")
    if held in _FILL:
        drawn += _circle(point, _MARBLE, fill=_FILL[held], stroke="#1c1c1c", stroke_width="1.2")
    return f"<g>{title}{drawn}</g>"


def _marks(move: str, points: dict[str, Point]) -> Iterator[str]:
    """What the last move did: a halo around its marble, the path of its jumps, a dashed circle where rings vanished."""
    head, _, claimed = move.removeprefix("x ").partition(" x ")
    rings = [ring for ring in RING.findall(head) if ring in points]
    if not rings:
        return
    gone = [ring for ring in RING.findall(claimed) if ring in points]
    if move.startswith("x "):
        path = " ".join("{:.1f},{:.1f}".format(*points[ring]) for ring in rings)
        yield f'<polyline points="{path}" fill="none" stroke="{_ACCENT}" stroke-width="4" stroke-linejoin="round" opacity="0.85"/>'
        yield _circle(points[rings[0]], 5, fill=_ACCENT)
        marble = rings[-1]
    else:
        marble, *removed = rings
        gone += removed
    for ring in gone:
        yield _circle(points[ring], 12, fill="none", stroke=_ACCENT, stroke_width="2", stroke_dasharray="4 3")
    if marble not in gone:
        yield _circle(points[marble], _RING + 2, fill="none", stroke=_ACCENT, stroke_width="4")


def _circle(point: Point, radius: float, **style: str) -> str:
    attributes = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<circle cx="{point[0]:.1f}" cy="{point[1]:.1f}" r="{radius}" {attributes}/>'
