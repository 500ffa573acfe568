"""Rate puzzles and those who try them: an attempt is a game between the two, which the solver or the puzzle wins.

The package `openskill` moves both ratings by the model of the players' ratings (`zertz_db.store.ratings.model`), on their scale: 400
points are odds of ten to one. A puzzle begins with its estimated difficulty, a solver with 1500. A player's first attempt at a puzzle
counts, later ones don't. `openskill` is imported with the first rating: it takes 60 ms, which other commands need not wait for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from zertz_db.store.annotations import attempts as kept
from zertz_db.store.annotations.attempts import Attempt
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text
from zertz_db.store.ratings.rating_kernel import DRIFT, SPREAD, START, UNKNOWN

ESTIMATED = 200
"""Deviation of an estimated difficulty."""


class Rated(NamedTuple):
    """A rating, its standard deviation, and the number of attempts that count in it."""

    rating: float
    deviation: float
    attempts: int = 0


NEWCOMER = Rated(START, UNKNOWN)


@dataclass(slots=True)
class PuzzleRatings:
    """Ratings of puzzles by id, and of solvers by name, as far as attempts have moved them."""

    puzzles: dict[str, Rated] = field(default_factory=dict)
    solvers: dict[str, Rated] = field(default_factory=dict)

    def difficulties(self) -> dict[str, float]:
        """Return the ratings of the puzzles."""
        return {puzzle: rated.rating for puzzle, rated in self.puzzles.items()}


def rate_attempt(solver: Rated, puzzle: Rated, *, solved: bool) -> tuple[Rated, Rated]:
    """Return the ratings of solver and puzzle after an attempt."""
    model = _model()
    sides = [model.rating(mu=one.rating, sigma=one.deviation) for one in (solver, puzzle)]
    ranks = [1, 2] if solved else [2, 1]
    [[first], [second]] = model.rate([[side] for side in sides], ranks=ranks)
    return (
        Rated(first.mu, first.sigma, solver.attempts + 1),
        Rated(second.mu, second.sigma, puzzle.attempts + 1),
    )


def rate_attempts(attempts: Iterable[Attempt], difficulties: Mapping[str, int]) -> PuzzleRatings:
    """Return the ratings after attempts, in this order. difficulties: by id; attempts at other puzzles count for nothing."""
    ratings = PuzzleRatings()
    done: set[tuple[str, str]] = set()
    for attempt in attempts:
        pair = attempt.author, attempt.puzzle
        if pair in done or attempt.puzzle not in difficulties:
            continue
        done.add(pair)
        solver = ratings.solvers.get(attempt.author, NEWCOMER)
        puzzle = ratings.puzzles.get(attempt.puzzle) or Rated(difficulties[attempt.puzzle], ESTIMATED)
        solver, puzzle = rate_attempt(solver, puzzle, solved=attempt.solved)
        ratings.solvers[attempt.author], ratings.puzzles[attempt.puzzle] = solver, puzzle
    return ratings


def rate_stored_attempts(database: Database) -> PuzzleRatings:
    """Return the ratings after all attempts that the database has."""
    attempts = kept.read(database.annotations_dir)
    if not attempts:
        return PuzzleRatings()
    query = "SELECT id, min(difficulty) FROM _puzzle GROUP BY id"
    difficulties = {to_text(number): int(found) for number, found in database.connection().execute(query).fetchall()}
    return rate_attempts(sorted(attempts, key=lambda one: one.made_at), difficulties)


@cache
def _model() -> Any:
    from openskill.models import BradleyTerryFull

    return BradleyTerryFull(mu=START, sigma=UNKNOWN, beta=SPREAD, tau=DRIFT)
