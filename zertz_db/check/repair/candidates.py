"""The edits that could mend a record, in waves: at the illegal ply and at every ply before it, the likeliest first."""

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
"""So many plies further from the fault any other edit may be as likely as such a placement."""


class CandidateBatch(NamedTuple):
    """Edits that are about equally likely: none of them, nor of the waves behind, costs less than `least`, its distance included."""

    least: float
    edits: list[Edit]
    placements: list[MissingPlacement]


def candidate_batches(tried: Attempt) -> Iterator[CandidateBatch]:
    """Every small edit at the illegal ply and, ever further back, at the plies before it.

    Of placements left out there are far more than of all others: they come as much later as they cost more.
    """
    rest, is_kept = rest_of(tried), _turns_kept_by(tried)
    for distance in range(tried.played + 1 + _LATER):
        edits: list[Edit] = []
        placements: list[MissingPlacement] = []
        if distance <= tried.played:
            at = tried.played - distance
            edits += (*list_edits(tried, at), *passed(tried, at, rest), *missing_captures(tried, at))
        if distance == 0 and tried.refusal == kernel.GAME_OVER:
            left = len(tried.plies) - tried.played
            edits.append(Edit("plies after the end", tried.played, len(tried.plies), (), 1.2 + 0.4 * left))
        if distance >= _LATER and is_kept(1, tried.played):
            placements += missing_placements(tried, tried.played - distance + _LATER, rest)
        kept = [edit for edit in edits if is_kept(len(edit.plies) - edit.until + edit.at, edit.until)]
        yield CandidateBatch(LEAST + PER_PLY * distance, kept, placements)


def _turns_kept_by(tried: Attempt) -> Callable[[int, int], bool]:
    """Return whether players, where the record names them, take turns with so many plies more in front of one."""
    last_named = max((number for number, ply in enumerate(tried.plies) if ply.mover), default=-1)

    def kept(more: int, until: int) -> bool:
        return max(until, tried.played) > last_named or more % 2 == tried.wrong_player

    return kept
