"""Define the strengths of the engine: the limits of its search."""

from __future__ import annotations

from dataclasses import dataclass

from zertz_db.errors import UserMistake


@dataclass(frozen=True, slots=True)
class Strength:
    """The limits of a strength.

    nodes, depth: of the alpha-beta search; the depth is a number of placements. margin: a move less than this below the best is as likely
    as the best; a set that lacks one marble is worth 500. proof_depth, proof_nodes: of the search for a forced win; no search if 0.
    guard_depth, guard_nodes: a move is avoided if a forced win of the opponent within this many plies is found after it; 0 for none.
    lapse: the probability of any legal move instead of a good one, unless a win is seen.
    """

    name: str
    summary: str
    nodes: int
    depth: int
    margin: int = 0
    proof_depth: int = 0
    proof_nodes: int = 0
    guard_depth: int = 0
    guard_nodes: int = 20_000
    lapse: float = 0.0


EASY = Strength(
    "easy",
    "sees wins in one, and one placement ahead; plays two moves in five at random",
    nodes=20_000,
    depth=1,
    margin=60,
    lapse=0.4,
)
MEDIUM = Strength(
    "medium",
    "sees forced wins in three plies, and about two placements ahead",
    nodes=60_000,
    depth=2,
    margin=10,
    proof_depth=3,
    proof_nodes=20_000,
)
HARD = Strength(
    "hard",
    "sees forced wins in nine plies, avoids those of the opponent in five, and searches up to 700,000 positions",
    nodes=700_000,
    depth=12,
    proof_depth=9,
    proof_nodes=100_000,
    guard_depth=5,
)
STRENGTHS = {strength.name: strength for strength in (EASY, MEDIUM, HARD)}
"""The strengths by name, weakest first."""


class NoSuchStrength(UserMistake):
    """The strength does not exist; the message lists those that do."""


def strength_named(name: str) -> Strength:
    """Return a strength by its name. Raises NoSuchStrength."""
    if name not in STRENGTHS:
        raise NoSuchStrength(f"no strength is called {name!r}; there are {', '.join(STRENGTHS)}")
    return STRENGTHS[name]
