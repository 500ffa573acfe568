"""Gather the evidence that two names are one person: spelling, years, opponents, hours and first moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from zertz_db.queries.players.identity.careers import Career, Field
from zertz_db.queries.players.identity.distributions import measure_moves, weigh_counts
from zertz_db.queries.players.identity.spelling import Likeness, compare_names, count_letters, measure_similarity

OPENING_STRENGTH = 12.0
"""Sum of the parameters of the distribution of players' first moves around those of all players, fitted on real games."""
HOUR_STRENGTH = 3.0
"""As OPENING_STRENGTH, for the time of day."""


class Evidence(NamedTuple):
    """The evidence about two names; numbers by chance are those of two strangers with as many games in the same years."""

    likeness: Likeness
    similarity: int
    letters: int
    """Letters and digits of the shorter name."""
    rivals: int
    """How often a third name is as near to one of both."""
    owners: int
    """Names that have the rarest word of both; 0 if they share no word."""
    meetings: int
    """Games against each other."""
    expected_meetings: float
    common: int
    """Common human opponents."""
    expected_common: float
    opponents: int
    """Human opponents of the one with fewer."""
    gap: int | None
    """Days between the last game of one and the first of the other; 0 if they overlap, None if a day is unknown."""
    same_days: int
    """Days on which both played."""
    hours: float
    """Logarithm of the odds that the times of day are one person's."""
    openings: float
    """Logarithm of the odds that the first moves are one person's."""
    distance: float | None
    """Jensen-Shannon distance of the first moves; None if one of them never moved first."""
    field_distance: float | None
    """The mean of the distances of both from the first moves of all players."""
    first_moves: int
    """Games as player 1 of the one with fewer."""


def gather_evidence(field: Field, one: int, other: int) -> Evidence:
    """Return the evidence that two players of a field are one person."""
    names = field.names[one], field.names[other]
    careers = field.careers[one], field.careers[other]
    common = careers[0].opponents.keys() & careers[1].opponents.keys()
    distances = [field.measure_distance(player) for player in (one, other)]
    return Evidence(
        likeness=compare_names(*names),
        similarity=measure_similarity(*names),
        letters=count_letters(*names),
        rivals=field.neighbours.count_rivals(one, other),
        owners=field.neighbours.count_owners(one, other),
        meetings=careers[0].opponents[other],
        expected_meetings=field.expect_meetings(one, other),
        common=len(common),
        expected_common=field.expect_common(one, other),
        opponents=min(len(career.opponents) for career in careers),
        gap=_measure_gap(*careers),
        same_days=len(careers[0].days.keys() & careers[1].days.keys()),
        hours=weigh_counts(careers[0].hours, careers[1].hours, field.hours, HOUR_STRENGTH),
        openings=_weigh_openings(*careers, field.openings),
        distance=measure_moves(careers[0].openings, careers[1].openings),
        field_distance=None if None in distances else sum(distance or 0 for distance in distances) / 2,
        first_moves=min(sum(moves.total() for moves in career.openings.values()) for career in careers),
    )


def _measure_gap(one: Career, other: Career) -> int | None:
    if one.span is None or other.span is None:
        return None
    return max(0, one.span[0] - other.span[1], other.span[0] - one.span[1])


def _weigh_openings(one: Career, other: Career, base: Mapping[str, Counter[int]]) -> float:
    """Add the odds of each board: which boards a player chooses is no habit of first moves."""
    boards = one.openings.keys() & other.openings.keys()
    odds = [
        weigh_counts(one.openings[board], other.openings[board], base[board], OPENING_STRENGTH)
        for board in sorted(boards)
    ]
    return sum(odds)
