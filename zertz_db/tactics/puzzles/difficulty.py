"""Estimate how difficult a puzzle is before anybody has tried it.

The estimate is on the scale of ratings: a player whose rating equals it finds the first move in one of two cases, one with 400 points more
in ten of eleven. It is a sum, fitted by logistic regression to what human players did with such positions in their games (docs/puzzles.md
has the figures). More rings make a win easier to find: they mean an early win. The numbers of legal moves and of sacrifices add nothing to
the five terms: the first goes with the rings, the second with the length.
"""

from __future__ import annotations

from zertz_db.rules.position import Position

_BASE = 1250
_PER_PLY = 110
"""For each ply of the win."""
_PER_MARBLE = 80
"""For each marble on the board."""
_PER_RING = -17
"""For each ring on the board."""
_PER_COLOUR = -110
"""For each colour that wins."""
_ISOLATION = 115
"""For an isolation in the solution."""
EASIEST, HARDEST = 400, 3000


def estimate_difficulty(position: Position, length: int, colours: int, *, isolates: bool) -> int:
    """Return the difficulty of a puzzle.

    length: plies of its win. colours: number of colours that win on the winning ring. isolates: whether the solution has an isolation.
    """
    rings = len(position.rings)
    marbles = rings - len(position.vacant_rings)
    terms = (
        _PER_PLY * length + _PER_MARBLE * marbles + _PER_RING * rings + _PER_COLOUR * colours + _ISOLATION * isolates
    )
    return max(EASIEST, min(HARDEST, _BASE + terms))
