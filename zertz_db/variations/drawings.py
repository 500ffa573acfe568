"""Circles and arrows on the board, as other programs write them in comments: `[%csl Gd4,Re5]`, `[%cal Gd4e5]`.

The letter before the rings is a colour: green, red, yellow or blue.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.rules.board import RING

COLOURS = "GRYB"
"""Letters of the colours: green, red, yellow, blue. New drawings are green."""
_RING = f"(?:{RING.pattern})"
_SHAPE = re.compile(rf"([{COLOURS}])({_RING})({_RING})?")
_MARK = re.compile(rf"\s*\[%c[sa]l\s+((?:[{COLOURS}]{_RING}(?:{_RING})?\s*,?\s*)+)\]")


class Shape(NamedTuple):
    """A circle around a ring, or (with `to`) an arrow from it to another. colour: a letter of COLOURS."""

    colour: str
    ring: str
    to: str = ""


def split_drawings(comment: str) -> tuple[str, list[Shape]]:
    """Return a comment without its drawings, and the drawings.

    >>> split_drawings("why? [%csl Gd4][%cal Rd4e5]")
    ('why?', [Shape(colour='G', ring='d4', to=''), Shape(colour='R', ring='d4', to='e5')])
    """
    shapes = [Shape(*shape) for mark in _MARK.finditer(comment) for shape in _SHAPE.findall(mark[1])]
    return (_MARK.sub("", comment).strip() if shapes else comment), shapes


def join_drawings(text: str, shapes: Sequence[Shape]) -> str:
    """Return a comment with drawings at its end.

    >>> join_drawings("why?", [Shape("G", "d4"), Shape("R", "d4", "e5")])
    'why? [%csl Gd4][%cal Rd4e5]'
    """
    marks = ""
    for name, chosen in (
        ("csl", [shape for shape in shapes if not shape.to]),
        ("cal", [shape for shape in shapes if shape.to]),
    ):
        if chosen:
            marks += f"[%{name} {','.join(''.join(shape) for shape in chosen)}]"
    return " ".join(filter(None, (text, marks)))


def toggle_shape(comment: str, ring: str, to: str = "") -> str:
    """Return a comment with one drawing more, or without it if it is there, whatever its colour."""
    text, shapes = split_drawings(comment)
    others = [shape for shape in shapes if shape[1:] != (ring, to)]
    if len(others) == len(shapes):
        others.append(Shape(COLOURS[0], ring, to))
    return join_drawings(text, others)
