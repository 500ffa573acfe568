"""Draw circles and arrows on a board, as people add them to comments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from zertz_db.rules.svg.symbols import circle

Point = tuple[float, float]

COLOURS = {"G": "#2f855a", "R": "#c53030", "Y": "#b7791f", "B": "#2b6cb0"}
"""Colours by their letters."""


def draw_shapes(shapes: Iterable[tuple[str, str, str]], points: Mapping[str, Point]) -> str:
    """Return circles and arrows on a board with its rings at these points.

    shapes: for each the letter of its colour, its ring, and the ring that an arrow leads to ("" for a circle). Rings that the board does
    not have are left out.
    """
    parts = []
    for letter, ring, to in shapes:
        colour = COLOURS.get(letter, COLOURS["G"])
        if ring in points and not to:
            parts.append(circle(points[ring], 24, fill="none", stroke=colour, stroke_width="5", opacity=".85"))
        elif ring in points and to in points and ring != to:
            parts.append(_arrow(points[ring], points[to], colour))
    return "".join(parts)


def _arrow(start: Point, end: Point, colour: str) -> str:
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    cos, sin = math.cos(angle), math.sin(angle)
    tip, neck = (end[0] - 6 * cos, end[1] - 6 * sin), (end[0] - 26 * cos, end[1] - 26 * sin)
    return (
        f'<path d="M{start[0] + 10 * cos:.1f} {start[1] + 10 * sin:.1f}L{neck[0]:.1f} {neck[1]:.1f}" stroke="{colour}" '
        'stroke-width="8" stroke-linecap="round" fill="none" opacity=".8"/>'
        f'<path d="M{tip[0]:.1f} {tip[1]:.1f}L{neck[0] - 12 * sin:.1f} {neck[1] + 12 * cos:.1f}'
        f'L{neck[0] + 12 * sin:.1f} {neck[1] - 12 * cos:.1f}Z" fill="{colour}" opacity=".9"/>'
    )
