"""Compare lists of counts, such as first moves: are they from one source or from two?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import lgamma, log2, sqrt


def measure_distance(one: Mapping[int, int], other: Mapping[int, int]) -> float | None:
    """Return the Jensen-Shannon distance of two lists of counts: 0 for equal shares, 1 for nothing in common; None if one is empty."""
    totals = sum(one.values()), sum(other.values())
    if not all(totals):
        return None
    divergence = 0.0
    for what in {*one, *other}:
        shares = one.get(what, 0) / totals[0], other.get(what, 0) / totals[1]
        mean = sum(shares) / 2
        divergence += sum(share * log2(share / mean) for share in shares if share) / 2
    return sqrt(max(divergence, 0.0))


def weigh_counts(one: Mapping[int, int], other: Mapping[int, int], base: Mapping[int, int], strength: float) -> float:
    """Return the logarithm of the odds that two lists of counts have one source.

    Sources vary around the shares of `base` like a Dirichlet distribution; strength: the sum of its parameters, small if sources differ
    much. Long lists weigh more than short ones, and a choice that is rare in `base` more than a usual one. 0: they say nothing.
    """
    kinds = {*one, *other}
    total = sum(base.values()) + len(base) + 1
    prior = {what: strength * (base.get(what, 0) + 1) / total for what in kinds}
    both = Counter(one)
    both.update(other)

    def likelihood(counts: Mapping[int, int]) -> float:
        games = sum(counts.values())
        kinds_part = sum(lgamma(prior[what] + number) - lgamma(prior[what]) for what, number in counts.items())
        return lgamma(strength) - lgamma(strength + games) + kinds_part

    return likelihood(both) - likelihood(one) - likelihood(other)


def measure_moves(one: Mapping[str, Counter[int]], other: Mapping[str, Counter[int]]) -> float | None:
    """Return the distance of the first moves on the board where the shorter list is longest; None if they share no board."""
    boards = sorted(one.keys() & other.keys())
    if not boards:
        return None
    board = max(boards, key=lambda board: min(one[board].total(), other[board].total()))
    return measure_distance(one[board], other[board])
