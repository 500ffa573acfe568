"""Score the evidence that two names are one person: an estimated probability, and the grade with its measured precision.

The weights are fitted on planted cases, and the precision is measured on other players: one in twenty was given a second name
(`python -m tests.bench.players.bench_names`, docs/identity.md).
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

from zertz_db.queries.players.identity.evidence import Evidence
from zertz_db.queries.players.identity.spelling import Likeness

_MOST_ODDS = 6.0
"""Limit of the odds of a habit: games of one evening are alike, so they say less than their number."""


class Grade(NamedTuple):
    """A grade of proposals: least score in percent, and a lower bound of the measured precision of such proposals, in percent."""

    name: str
    least: int
    precision: int


GRADES = (Grade("likely", 90, 86), Grade("possible", 50, 49), Grade("weak", 10, 11))
"""From the surest. The precision is the lower end of its 95 % interval where it is lowest: of ordinary or confusable names, few or many."""

WEIGHTS: dict[str, float] = {
    "constant": 3.16,
    "letters": 0.80,
    "order": 3.29,
    "numbers": -0.52,
    "edit": -0.48,
    "part": -0.36,
    "initial": 4.03,
    "similar": -3.60,
    "length": 0.41,
    "rivals": -1.81,
    "owners": -0.91,
    "overlap": -0.72,
    "gap": -1.03,
    "common opponents": 0.25,
    "hours": 0.29,
    "openings": 0.73,
}


def list_features(found: Evidence) -> dict[str, float]:
    """Return the values that the weights refer to."""
    return {
        "constant": 1.0,
        **{kind.name: float(found.likeness is kind) for kind in Likeness if kind is not Likeness.none},
        "length": float(min(found.letters, 10) - 6),
        "rivals": log(1 + found.rivals),
        "owners": log(1 + found.owners),
        "overlap": float(found.gap == 0),
        "gap": 0.0 if found.gap is None else log(1 + found.gap / 30),
        "common opponents": log((found.common + 0.5) / (found.expected_common + 0.5)),
        "hours": max(-_MOST_ODDS, min(_MOST_ODDS, found.hours)),
        "openings": max(-_MOST_ODDS, min(_MOST_ODDS, found.openings)),
    }


def score_evidence(found: Evidence) -> float:
    """Return the estimated probability that two names are one person, from 0 to 1; players who met each other are two."""
    if found.meetings:
        return 0.0
    return 1 / (1 + exp(-sum(WEIGHTS[name] * value for name, value in list_features(found).items())))


def grade_score(score: float) -> Grade | None:
    """Return the grade of a probability, or None if it is too small to propose the pair."""
    return next((grade for grade in GRADES if score * 100 >= grade.least), None)
