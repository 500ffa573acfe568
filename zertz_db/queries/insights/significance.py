"""Test whether two shares differ, and correct for many tests.

The test is that of two proportions with a pooled variance: z = (a - b) / sqrt(p (1 - p) (1/n + 1/m)), p the share in both samples
together. It needs independent samples, ENOUGH trials in each, and at least five expected hits and misses in each (Cochran's rule).
Holm's correction (1979) keeps the chance of any false difference in a table below LEVEL: the smallest of k values is multiplied by k,
the next one by k - 1, and so on, and none is below the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt

from zertz_db.queries.wilson import ENOUGH

LEVEL = 0.05
"""A difference is significant if its corrected probability is below this."""
MIN_EXPECTED = 5
"""Minimum number of expected hits, and of misses, in each sample."""


def find_probability(hits: int, trials: int, other_hits: int, other_trials: int) -> float | None:
    """Return the probability of a difference of two shares as large as this if there is none; None for too few trials.

    >>> round(find_probability(60, 100, 40, 100), 4)
    0.0047
    >>> find_probability(3, 9, 40, 100) is None
    True
    """
    if min(trials, other_trials) < ENOUGH:
        return None
    every, of = hits + other_hits, trials + other_trials
    if min(trials, other_trials) * min(every, of - every) < MIN_EXPECTED * of:
        return None
    pooled = every / of
    error = sqrt(pooled * (1 - pooled) * (1 / trials + 1 / other_trials))
    return erfc(abs(hits / trials - other_hits / other_trials) / error / sqrt(2))


def correct_for_many(probabilities: Sequence[float | None]) -> list[float | None]:
    """Return the probabilities with Holm's correction, in their order; None, which was not tested, stays None.

    >>> correct_for_many([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    tested = sorted((value, place) for place, value in enumerate(probabilities) if value is not None)
    corrected: list[float | None] = [None] * len(probabilities)
    least = 0.0
    for number, (value, place) in enumerate(tested):
        least = max(least, min(1.0, value * (len(tested) - number)))
        corrected[place] = least
    return corrected
