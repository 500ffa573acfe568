"""Describe a move, read from its notation, as marks on a drawing and in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from zertz_db.rules.board import RING
from zertz_db.rules.rule_sets import NAMES
from zertz_db.rules.svg.symbols import ACCENT, NEXT, circle, use

Point = tuple[float, float]

_MARBLE = re.compile(rf"([WGB])({RING.pattern})")


@dataclass(frozen=True, slots=True)
class Trace:
    """A move's traces: the marble's path (one ring for a placement), the jumped colours, the removed ring, the claimed marbles."""

    colour: str
    way: tuple[str, ...]
    jumped: tuple[str, ...]
    removed: str | None
    claimed: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        if not self.way:
            return "Pass"
        if self.jumped:
            taken = ", ".join(NAMES[colour] for colour in self.jumped)
            return f"Capture from {self.way[0]} to {' to '.join(self.way[1:])}, taking {taken}"
        words = f"{NAMES[self.colour].capitalize()} on {self.way[0]}"
        if self.removed:
            words += f", ring {self.removed} removed"
        if self.claimed:
            words += f", claiming {', '.join(f'{NAMES[colour]} {ring}' for colour, ring in self.claimed)}"
        return words


def trace(move: str) -> Trace:
    """Return the traces of a move in official notation.

    >>> str(trace("Bd7,b2 x Wa1Wa2"))
    'Black on d7, ring b2 removed, claiming white a1, white a2'
    >>> str(trace("x d3Wd5Gf6")), str(trace("-"))
    ('Capture from d3 to d5 to f6, taking white, grey', 'Pass')
    """
    is_capture = move.startswith("x ")
    head, _, claim = move.removeprefix("x ").partition(" x ")
    rings = RING.findall(head)
    marbles = _MARBLE.findall(head)
    if is_capture:
        return Trace("", tuple(rings), tuple(colour for colour, _ in marbles), None, ())
    removed = rings[1] if len(rings) > 1 else None
    return Trace(head[:1], tuple(rings[:1]), (), removed, tuple(_MARBLE.findall(claim)))


def marks(move: str, points: Mapping[str, Point]) -> str:
    """Return the traces of a move on a board with its rings at these points.

    The marks are a halo around the marble, the path of its jumps with the jumped marbles, and a dashed circle around each removed or
    claimed ring.
    """
    traced = trace(move)
    if not traced.way or any(ring not in points for ring in traced.way):
        return ""
    return "".join(_marks(traced, points))


def draw_next_move(move: str, points: Mapping[str, Point], colour: str) -> str:
    """Return a move that is not played yet, on a board with its rings at these points.

    A placement is a ghost of its marble, with a cross on the ring to go; a capture is an arrow along its jumps, with the ghost of the
    jumping marble (`colour`: W, G or B) where it lands.
    """
    traced = trace(move)
    if not traced.way or any(ring not in points for ring in traced.way):
        return ""
    return "".join(_next_move(traced, points, colour))


def _next_move(traced: Trace, points: Mapping[str, Point], colour: str) -> Iterator[str]:
    way = [points[ring] for ring in traced.way]
    if traced.jumped:
        yield circle(way[0], 21.5, fill="none", stroke=NEXT, stroke_width="3", stroke_dasharray="4 4")
        yield _arrow(way)
    if colour:
        yield f'<g opacity=".62">{use(f"only-{colour}", *way[-1])}</g>'
    yield circle(way[-1], 19, fill="none", stroke=NEXT, stroke_width="4")
    if traced.removed in points and traced.removed is not None:
        x, y = points[traced.removed]
        drawn = (
            f"M{x - 12:.1f} {y - 12:.1f}L{x + 12:.1f} {y + 12:.1f}M{x + 12:.1f} {y - 12:.1f}L{x - 12:.1f} {y + 12:.1f}"
        )
        yield f'<path d="{drawn}" fill="none" stroke="{NEXT}" stroke-width="5" stroke-linecap="round"/>'


def _arrow(way: list[Point]) -> str:
    """Return an arrow from ring to ring, with a head at each landing, short of the landed marble."""
    parts = []
    for (x0, y0), (x1, y1) in pairwise(way):
        angle = math.atan2(y1 - y0, x1 - x0)
        cos, sin = math.cos(angle), math.sin(angle)
        tip, neck = (x1 - 21 * cos, y1 - 21 * sin), (x1 - 37 * cos, y1 - 37 * sin)
        parts.append(
            f'<path d="M{x0 + 12 * cos:.1f} {y0 + 12 * sin:.1f}L{neck[0]:.1f} {neck[1]:.1f}" stroke="{NEXT}" stroke-width="6" '
            'stroke-linecap="round" fill="none" opacity=".85"/>'
            f'<path d="M{tip[0]:.1f} {tip[1]:.1f}L{neck[0] - 9 * sin:.1f} {neck[1] + 9 * cos:.1f}'
            f'L{neck[0] + 9 * sin:.1f} {neck[1] - 9 * cos:.1f}Z" fill="{NEXT}"/>'
        )
    return "".join(parts)


def _marks(traced: Trace, points: Mapping[str, Point]) -> Iterator[str]:
    way = [points[ring] for ring in traced.way]
    if traced.jumped:
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in way)
        yield (
            f'<polyline class="path" points="{line}" fill="none" stroke="{ACCENT}" stroke-width="5" stroke-linejoin="round" '
            'stroke-linecap="round" opacity=".8"/>'
        )
        yield circle(way[0], 6, fill=ACCENT)
        for colour, ((x0, y0), (x1, y1)) in zip(traced.jumped, pairwise(way), strict=True):
            middle = ((x0 + x1) / 2, (y0 + y1) / 2)
            yield use(f"only-{colour}", *middle, 0.62)
            yield circle(middle, 11, fill="none", stroke=ACCENT, stroke_width="2.5")
    gone = [*traced.claimed, *([("", traced.removed)] if traced.removed else [])]
    for colour, ring in gone:
        if ring not in points:
            continue
        if colour:
            yield use(f"only-{colour}", *points[ring], 0.62)
        yield circle(points[ring], 17, fill="none", stroke=ACCENT, stroke_width="2.5", stroke_dasharray="5 4")
    if traced.way[-1] not in [ring for _, ring in traced.claimed]:
        yield circle(way[-1], 21.5, fill="none", stroke=ACCENT, stroke_width="4")
