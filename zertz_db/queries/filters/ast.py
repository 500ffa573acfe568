"""Trees of filters: terms joined by and, or, not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


class Place(NamedTuple):
    """Part of a text: index of its first character, and index after its last."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Plain:
    """Single value."""

    text: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """Range between two values; None is an open end. strict: excluding the values themselves."""

    low: str | None
    high: str | None
    strict: bool = False
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """Field with alternative values."""

    field: str
    values: tuple[Plain | Range, ...]
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class All:
    """Conjunction of parts; true without parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Disjunction of parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """Negation of a part."""

    part: Node


Node: TypeAlias = Term | All | Either | Negated
