"""What a filter asks, as a tree: terms joined by and, or, not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


class Place(NamedTuple):
    """Where something stands in a text: from this character, up to but not including that one."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Plain:
    """A value by itself."""

    text: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """From one value to another; None is an open end. strict: without the values themselves."""

    low: str | None
    high: str | None
    strict: bool = False
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A field with the values that it may have: one of them will do."""

    field: str
    values: tuple[Plain | Range, ...]
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class All:
    """Everything of this; nothing at all is always true."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Something of this."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """Not this."""

    part: Node


Node: TypeAlias = Term | All | Either | Negated
