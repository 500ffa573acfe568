"""List the edits that could repair a record, in batches: at the illegal ply and at every ply before it, the likeliest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from zertz_db.check.repair.edits import LEAST, PER_PLY, Edit, list_edits
from zertz_db.check.repair.missing_plies import (
    MISSING_PLY_COST,
    MissingPlacement,
    missing_captures,
    missing_placements,
    passed,
    rest_of,
)
from zertz_db.check.replay.attempt import Attempt
from zertz_db.rules import kernel

_LATER = int((MISSING_PLY_COST - LEAST) / PER_PLY)
"""Extra plies of distance at which any other edit is as likely as a missing placement."""


class CandidateBatch(NamedTuple):
    """Edits of about equal likelihood. No edit of this or a later batch costs less than `least`, its distance included."""

    least: float
    edits: list[Edit]
    placements: list[MissingPlacement]


def candidate_batches(tried: Attempt) -> Iterator[CandidateBatch]:
    """Yield every small edit at the illegal ply and, ever further back, at the plies before it.

    There are far more missing placements than other edits, so they come later in proportion to their cost.
    """
    rest, alternates = rest_of(tried), _alternation_check(tried)
    for distance in range(tried.played + 1 + _LATER):
        edits: list[Edit] = []
        placements: list[MissingPlacement] = []
        if distance <= tried.played:
            at = tried.played - distance
            edits += (*list_edits(tried, at), *passed(tried, at, rest), *missing_captures(tried, at))
        if distance == 0 and tried.refusal == kernel.GAME_OVER:
            left = len(tried.plies) - tried.played
            edits.append(Edit("plies after the end", tried.played, len(tried.plies), (), 1.2 + 0.4 * left))
        if distance >= _LATER and alternates(1, tried.played):
            placements += missing_placements(tried, tried.played - distance + _LATER, rest)
        alternating = [edit for edit in edits if alternates(len(edit.plies) - edit.until + edit.at, edit.until)]
        yield CandidateBatch(LEAST + PER_PLY * distance, alternating, placements)


def _alternation_check(tried: Attempt) -> Callable[[int, int], bool]:
    """Return whether players, if the record names them, still alternate with a number of plies inserted before one."""
    last_named = max((number for number, ply in enumerate(tried.plies) if ply.mover), default=-1)

    def alternating(more: int, until: int) -> bool:
        return max(until, tried.played) > last_named or more % 2 == tried.wrong_player

    return alternating
