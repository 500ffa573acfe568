"""Search for the edits that repair a record: the likeliest first, until no likelier one is possible.

The cost of an edit is its own cost (`edits`), its distance from the fault, and its disagreement with the record's other statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush, nsmallest
from itertools import chain, count
from math import inf
from typing import NamedTuple, TypeAlias

from zertz_db.check.repair.candidates import CandidateBatch
from zertz_db.check.repair.edits import COST_OF_PICK, EXTRA, MISSING, PER_PLY, Edit
from zertz_db.check.repair.missing_plies import MissingPlacement, edit_of
from zertz_db.check.repair.priors import prior_cost
from zertz_db.check.repair.replay_edits import Reach, Reaches, Replays
from zertz_db.check.replay.attempt import Attempt
from zertz_db.parser.record import Record
from zertz_db.parser.vocabulary.terms import ENDINGS_BY_MOVES, LOSSES, RESULT_OF, GameResult

_FIRST_BATCH, _LARGEST_BATCH = 100, 2_000
"""Number of edits replayed at once, at first and at most; each batch doubles it."""


class Tried(NamedTuple):
    """An edit with its replay's result and its whole cost."""

    edit: Edit
    reach: Reach
    cost: float


class Search:
    """The edits of a record in batches, replayed on demand."""

    def __init__(self, record: Record, tried: Attempt, batches: Iterable[CandidateBatch]) -> None:
        self._tried = tried
        self._candidates = batches
        self._cost = _Cost(record, tried)
        self._replayed: list[_Replayed] = []

    def whole(self) -> Iterator[Tried]:
        """Yield the edits that make every ply legal, best first; among equal ones those nearer to the fault."""
        replays, order = Replays(self._tried), count()
        waiting: list[tuple[float, int, int, Tried]] = []
        for least, edits, placements in chain(_batches(self._candidates), [CandidateBatch(inf, [], [])]):
            while waiting and waiting[0][0] < least:
                yield heappop(waiting)[-1]
            replayed = (edits, replays.of_edits(edits)), (placements, replays.of_placements(placements))
            self._replayed += replayed
            for one in chain.from_iterable(self._weighed(some, 0) for some in replayed):
                heappush(waiting, (one.cost, -one.edit.at, next(order), one))

    def furthest(self, most: int) -> list[Tried]:
        """Return a number of replayed edits that leave the fewest plies after the last legal one, best first."""
        left = nsmallest(most, chain.from_iterable(reaches.left() for _, reaches in self._replayed))
        found = chain.from_iterable(self._weighed(some, max(left, default=0)) for some in self._replayed)
        return nsmallest(most, found, key=lambda one: (one.reach.plies - one.reach.legal, one.cost))

    def _weighed(self, replayed: _Replayed, most: int) -> Iterator[Tried]:
        """Yield the edits that leave at most a number of plies after the last legal one."""
        edits, reaches = replayed
        for number, left in enumerate(reaches.left()):
            if left <= most:
                found, reach = edits[number], reaches.of(number)
                edit = found if isinstance(found, Edit) else edit_of(self._tried, found)
                yield Tried(edit, reach, self._cost.of(edit, reach))


_Replayed: TypeAlias = tuple[Sequence[Edit | MissingPlacement], Reaches]


def _batches(batches: Iterable[CandidateBatch]) -> Iterator[CandidateBatch]:
    """Yield batches joined to larger ones."""
    size, joined = _FIRST_BATCH, CandidateBatch(0.0, [], [])
    for batch in batches:
        if not joined.edits and not joined.placements:
            joined = CandidateBatch(batch.least, [], [])
        joined.edits.extend(batch.edits)
        joined.placements.extend(batch.placements)
        if len(joined.edits) + len(joined.placements) >= size:
            yield joined
            joined, size = CandidateBatch(0.0, [], []), min(2 * size, _LARGEST_BATCH)
    yield joined


class _Cost:
    """Cost of an edit by its distance from the fault, by players' habits, and by the record's other statements: end and numbers of
    plies.
    """

    def __init__(self, record: Record, tried: Attempt) -> None:
        self._tried = tried
        self._result = record.result if record.result != GameResult.UNKNOWN else None
        self._ending = record.ending
        self._is_misnumbered = any(remark.code == "W522" for remark in record.remarks)
        self._counted = next((value for name, value in record.tags if name == "PlyCount"), None)

    def of(self, edit: Edit, reach: Reach) -> float:
        """Return the whole cost of an edit with this reach."""
        prior = prior_cost(self._tried.position(edit.at), edit.plies[0]) if edit.kind in COST_OF_PICK else 0.0
        return edit.cost + PER_PLY * (self._tried.played - edit.at) + prior + self._against(edit, reach)

    def _against(self, edit: Edit, reach: Reach) -> float:
        cost = self._against_end(reach)
        if self._is_misnumbered:
            cost += 0.0 if edit.kind in (MISSING, EXTRA) else 2.0
        if self._counted is not None:
            cost += 0.0 if self._counted == str(reach.plies) else 2.0
        return cost

    def _against_end(self, reach: Reach) -> float:
        if reach.ending:
            won = RESULT_OF.get(reach.winner, GameResult.TIE)
            return 0.0 if self._result in (won, None) and self._ending not in LOSSES else 4.0
        if self._ending is None:
            return 1.0 if self._result is None else 3.0
        return 3.0 if self._ending in ENDINGS_BY_MOVES else 0.0
