"""Find proven repairs of illegal records: each was replayed to the end of the record.

The search tries small edits at the illegal ply and at every ply before it (`edits`), and other readings of the whole record
(`alternative_readings`). Repairs make every ply legal. The best are likely, near the fault, and agree with the record's stated result,
claims and number of plies. If no single edit suffices, those that reach furthest are edited again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import ENDING_CONTRADICTED, RESULT_CONTRADICTED, UNEXPLAINED_RESULT
from zertz_db.check.repair.alternative_readings import find_readings
from zertz_db.check.repair.candidates import CandidateBatch, candidate_batches
from zertz_db.check.repair.edits import Edit
from zertz_db.check.repair.search import Search, Tried
from zertz_db.check.replay.attempt import Attempt, replay_record
from zertz_db.check.replay.start import start_of
from zertz_db.parser.record import CAPTURE, PASS, Marble, Ply, Record, Span
from zertz_db.parser.vocabulary.terms import Severity, Verdict

if TYPE_CHECKING:
    from zertz_db.check.repair.malformed_turns import BrokenTurn

MAX_EDITS = 3
"""Maximum number of edits in a repair. A record that needs more has other problems."""

_BRANCHES = 2
"""Number of furthest-reaching edits to edit again."""

_MAX_PROVEN = 50
"""Number of likeliest edits that go through a whole check."""

_LITTLE = 3
"""An edit that reaches at most this many plies further may well be another mistake."""

_MAX_FURTHEST = 20
"""Number of furthest-reaching edits to examine if none repairs the record."""

_RACKS = {
    "pool": "from the pool",
    "own": "from the player's captures",
    "other": "from the opponent's captures",
}


class Change(NamedTuple):
    """A change: the ply's number in the record from 1 (None: all of it), and its texts; an omitted ply has no old one.

    kind describes the mistake in words; span is the range of the old text.
    """

    kind: str
    ply: int | None
    old: str
    new: str
    span: Span

    def __str__(self) -> str:
        place = f"ply {self.ply}: " if self.ply else ""
        if not self.new:
            return f"{place}without {self.old}"
        return f"{place}{self.new} for {self.old}" if self.old else f"{place}{self.new} put in"


@dataclass(frozen=True)
class Repair:
    """The edits that repair a record, and the verdict on the repaired record.

    `agrees`: whether the result follows from the moves or from the stated ending; None if the record states no result.
    """

    changes: tuple[Change, ...]
    checked: CheckedRecord
    cost: float

    @property
    def is_proven(self) -> bool:
        """Return whether all of the repaired record is legal."""
        return self.checked.is_game

    @property
    def reach(self) -> int:
        """Return the number of legal plies of the repaired record."""
        return self.checked.plies

    @property
    def record(self) -> Record:
        """Return the repaired record, completed for writing if all of it is legal."""
        return self.checked.completed() if self.is_proven else self.checked.record

    @property
    def agrees(self) -> bool | None:
        """Return whether the stated result follows from the moves and the record's own words; None without a stated result."""
        if self.checked.result_claimed is None:
            return None
        return not any(finding.code in _CONTRADICTIONS for finding in self.checked.findings)

    def __str__(self) -> str:
        plies = len(self.checked.record.plies)
        if not self.is_proven:
            legal = f"{self.reach} of {plies} plies are legal"
        else:
            legal = {0: "the record is legal", 1: "the only ply is legal"}.get(plies, f"all {plies} plies are legal")
        result = {True: " and the result agrees", False: ", but the result does not agree", None: ""}
        agreement = result[self.agrees] if self.is_proven else ""
        return f"{'; '.join(map(str, self.changes))}; with that {legal}{agreement}"


_CONTRADICTIONS = {RESULT_CONTRADICTED.code, ENDING_CONTRADICTED.code, UNEXPLAINED_RESULT.code}


def find_repairs(faulty: Record | CheckedRecord, most: int = 10, text: str = "") -> list[Repair]:
    """Return at most `most` repairs of an illegal record, best first; none for any other record, or for one whose text ends in a fault.

    Each is proven: it makes all plies of the record legal. For an invalid turn (E35x, E36x), small edits are searched in `text`, in which
    the record's spans count.

    >>> from zertz_db.parser.gipf import reader as gipf
    >>> (record,) = gipf.read('[Board "37"] 1. Wd4,d1 Bd3,a1 2. x d3Wd6 Ba2,b1')
    >>> print(find_repairs(record)[0])
    ply 3: x d3Wd5 for x d3Wd6; with that all 4 plies are legal
    """
    checked = check(faulty, full=False) if isinstance(faulty, Record) else faulty
    if checked.record.fault is not None:
        return _of_broken_turns(checked, most, text)
    return [repair for repair in _find_repairs(checked, most, MAX_EDITS) if repair.is_proven]


def apply_repair(checked: CheckedRecord, text: str = "") -> CheckedRecord:
    """Return the verdict on a record; if it is illegal, its error suggests the best repair (`text` as in `find_repairs`)."""
    best = find_repairs(checked, 1, text)
    if not best:
        return checked
    findings = tuple(
        finding._replace(suggestion=str(best[0])) if finding.severity == Severity.ERROR else finding
        for finding in checked.findings
    )
    return replace(checked, findings=findings)


def _find_repairs(checked: CheckedRecord, most: int, depth: int) -> list[Repair]:
    if checked.verdict != Verdict.ILLEGAL or checked.record.fault is not None:
        return []
    tried = checked.attempt
    if tried is None:  # without a start: perhaps there is one in another reading
        return sorted(_read_otherwise(checked), key=_by_cost)[:most]
    search = Search(checked.record, tried, candidate_batches(tried))
    proven = list(islice((repair for repair in _prove(checked, search) if _leaves_plies(repair)), most))
    proven += _read_otherwise(checked)
    if proven:
        return sorted(proven, key=_by_cost)[:most]
    partial = list(islice(_furthest(checked, search), most))
    if depth > 1:
        further = [
            _twice(first, second)
            for first in partial[:_BRANCHES]
            for second in _find_repairs(first.checked, most, depth - 1)
        ]
        partial += further
    return sorted(partial, key=lambda repair: (not repair.is_proven, -repair.reach, repair.cost))[:most]


def _leaves_plies(repair: Repair) -> bool:
    return bool(repair.checked.record.plies)


def _of_broken_turns(checked: CheckedRecord, most: int, text: str) -> list[Repair]:
    """Return repairs of a record whose reader stopped at an invalid turn."""
    from zertz_db.check.repair.malformed_turns import broken_turns  # needs Lark: 50 ms

    found: list[Repair] = []
    for broken in broken_turns(checked.record, text):
        again = check(broken.record, full=False)
        tried = again.attempt
        if tried is None or broken.record.fault is not None or tried.played < broken.at:
            continue
        edits = [edit for edit in broken.edits(tried) if edit.until <= len(tried.plies)]
        search = Search(again.record, tried, [CandidateBatch(0.0, edits, [])])
        found += islice(_prove(again, search, partial(_change_of_turn, broken)), most)
    likeliest = {repair.changes[0][2:]: repair for repair in sorted(found, key=_by_cost, reverse=True)}
    return sorted(likeliest.values(), key=_by_cost)[:most]


def _change_of_turn(broken: BrokenTurn, tried: Attempt, edit: Edit, after: CheckedRecord) -> Iterator[Change]:
    """Yield the change that an edit makes to an invalid turn."""
    plies = () if broken.is_rest else after.completed_plies[edit.at : edit.at + len(edit.plies)]
    yield Change(edit.kind, tried.record_ply(broken.at), broken.text, " ".join(map(as_written, plies)), broken.span)


def _by_cost(repair: Repair) -> float:
    return repair.cost


def _changes(tried: Attempt, edit: Edit, after: CheckedRecord) -> Iterator[Change]:
    """Yield the changes of an edit, ply by ply; after: the verdict on the edited record."""
    old = tried.plies[edit.at : edit.until]
    completed = after.completed_plies[edit.at : edit.at + len(edit.plies)]
    new = (*completed, *edit.plies[len(completed) :])
    for number in range(max(len(old), len(new))):
        before = as_written(old[number]) if number < len(old) else ""
        now = as_written(new[number]) if number < len(new) else ""
        rack = old[number].taken_from if number < min(len(old), len(new)) else None
        if rack is not None and rack != new[number].taken_from:
            before += f" {_RACKS[rack]}"
        if before != now:
            span = old[number].span if before else new[number].span
            yield Change(edit.kind, tried.record_ply(edit.at + number), before, now, span)


_Describe = Callable[[Attempt, Edit, CheckedRecord], Iterator[Change]]


def _prove(checked: CheckedRecord, search: Search, describe: _Describe = _changes) -> Iterator[Repair]:
    """Yield the repairs by one edit that make all of the record legal, best first; `describe` returns an edit's changes."""
    for one in islice(search.whole(), _MAX_PROVEN):
        repair = _repair(checked, one, describe)
        if repair.is_proven and repair.checked.record.half_turn is checked.record.half_turn:
            yield repair


def _furthest(checked: CheckedRecord, search: Search) -> Iterator[Repair]:
    """Yield the edits that reach furthest, if further than by chance."""
    for one in search.furthest(_MAX_FURTHEST):
        left = len(checked.record.plies) - checked.plies
        if left - (one.reach.plies - one.reach.legal) > _LITTLE:
            yield _repair(checked, one)


def _repair(checked: CheckedRecord, one: Tried, describe: _Describe = _changes) -> Repair:
    edit, tried, record = one.edit, checked.attempt, checked.record
    assert tried is not None  # noqa: S101 - there are edits of attempts only
    plies = (*tried.plies[: edit.at], *edit.plies, *tried.plies[edit.until :])
    after = check(replace(record, plies=plies), full=False)
    return Repair(tuple(describe(tried, edit, after)), after, one.cost)


def as_written(ply: Ply) -> str:
    """Return a ply as the record has it, in the style of the official notation, with `?` for unstated colours."""
    if ply.kind == CAPTURE:
        return f"x {ply.ring}{_marbles(ply.jumps)}"
    if ply.kind == PASS:
        return "-"
    removed = f",{ply.removed}" if ply.removed else ""
    claim = f" x {_marbles(ply.claim)}" if ply.claim else ""
    return f"{ply.colour or '?'}{ply.ring}{removed}{claim}"


def _marbles(marbles: Iterable[Marble]) -> str:
    return "".join(f"{colour or '?'}{ring}" for colour, ring in marbles)


def _read_otherwise(checked: CheckedRecord) -> Iterator[Repair]:
    """Yield the other readings of the record under which all of it is legal."""
    for reading in find_readings(checked.record, checked.board, checked.rule_set):
        start = start_of(reading.record, reading.record.board or checked.board or "").position
        if start is None or not replay_record(reading.record, start, full=False).is_legal:
            continue
        after = check(reading.record, full=False)
        if after.is_game:
            change = Change(reading.kind, None, reading.old, reading.new, checked.record.span)
            disagrees = any(finding.code in _CONTRADICTIONS for finding in after.findings)
            yield Repair((change,), after, reading.cost + 4.0 * disagrees)


def _twice(first: Repair, second: Repair) -> Repair:
    return Repair((*first.changes, *second.changes), second.checked, first.cost + second.cost)
