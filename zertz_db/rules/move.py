"""Represent moves as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Jump(NamedTuple):
    """One jump of a capture: the jumped marble's colour and the landing ring."""

    colour: str
    ring: str


@dataclass(frozen=True, slots=True)
class Move:
    """A placement (`colour` on `ring`, `removed` or None), a capture (`ring` and `jumps`), or a pass (nothing set).

    `claim` names the rings that a placement claims, which matters only under written claims. `str` gives the official notation
    without claims; `Position.notation` adds them.

    >>> str(Move("d4", colour="W", removed="d1")), str(Move("d1", jumps=(Jump("G", "d3"),))), str(Move())
    ('Wd4,d1', 'x d1Gd3', '-')
    """

    ring: str = ""
    colour: str = ""
    removed: str | None = None
    jumps: tuple[Jump, ...] = ()
    claim: frozenset[str] = frozenset()

    def __str__(self) -> str:
        if self.jumps:
            return f"x {self.ring}" + "".join(f"{jump.colour}{jump.ring}" for jump in self.jumps)
        if not self.ring:
            return "-"
        return f"{self.colour}{self.ring}" + (f",{self.removed}" if self.removed else "")


PASS = Move()
