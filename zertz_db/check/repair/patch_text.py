"""Repaired copies of texts, with a comment at each repair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from parser.dialects import facts_of
from parser.gipf.writer import write
from parser.record import Ply, Record, Span
from zertz_db.check.repair.repairs import Change, Repair

_LOOKED_BACK = 200


def repaired_text(text: str, record: Record, repair: Repair) -> str:
    """The part of a text that holds a record, repaired, a comment behind each changed ply saying what was written there.

    A record in official notation whose plies keep their number stays as it is but for the repair. Any other is written anew, in
    official notation. Raises ValueError for a repair that does not make all of the record legal, and the writer's own.
    """
    if not repair.is_proven:
        raise ValueError(f"only {repair.reach} plies would be legal: what is not repaired whole is not written")
    if facts_of(record.dialect).is_repaired_in_place and _stay_in_place(text, repair.changes):
        return _changed_in_place(text, record, repair)
    return write(_with_comments(repair))


def repaired_copy(text: str, repaired: Iterable[tuple[Record, Repair]]) -> str:
    """Return a whole text in official notation, with these records of it repaired and all others as they are."""
    parts, end = [], 0
    for record, repair in sorted(repaired, key=lambda pair: pair[0].span.start):
        parts += [text[end : record.span.start], _fitting(text, record.span, repaired_text(text, record, repair))]
        end = record.span.end
    return "".join([*parts, text[end:]])


def replaced(text: str, span: Span, new: str) -> str:
    """Return a text in official notation with another record in the place of the one at `span`, and all else as it is."""
    return f"{text[: span.start]}{_fitting(text, span, new)}{text[span.end :]}"


def _fitting(text: str, span: Span, new: str) -> str:
    """A record with what parts it from its neighbours: a span may end with the blank lines behind a record."""
    before = text[max(0, span.start - _LOOKED_BACK) : span.start].rstrip(" \t")
    old, behind = text[span.start : span.end], text[span.end : span.end + 1]
    lead = "\n\n" if new.startswith("[") and before and not before.endswith("\n") else ""
    gap = old[len(old.rstrip()) :] or ("\n\n" if behind.strip() else "")
    return f"{lead}{new.rstrip()}{gap}"


def _stay_in_place(text: str, changes: Sequence[Change]) -> bool:
    """Whether each change replaces a ply, as it stands in the text, by another, and none of them twice."""
    places = {change.span for change in changes}
    return len(places) == len(changes) and all(
        change.old and change.new and _bare(text[change.span.start : change.span.end]) == _bare(change.old)
        for change in changes
    )


def _bare(ply: str) -> str:
    """A ply without what readers pass over: blanks, capitals, other signs for x."""
    return "".join(ply.lower().replace("×", "x").split())


def _changed_in_place(text: str, record: Record, repair: Repair) -> str:
    parts, end = [], record.span.start
    for change in sorted(repair.changes, key=lambda change: change.span.start):
        rest = text[change.span.end : record.span.end]
        marks = rest[: len(rest) - len(rest.lstrip("!?"))]  # these stand at their ply without a blank
        parts += [text[end : change.span.start], f"{change.new}{marks} {{{_comment(change)}}}"]
        end = change.span.end + len(marks)
    return "".join([*parts, text[end : record.span.end]])


def _comment(change: Change) -> str:
    if not change.new:
        return f"repaired: {change.old} stood here ({change.kind})"
    return f"repaired: was {change.old} ({change.kind})" if change.old else f"repaired: put in ({change.kind})"


def _with_comments(repair: Repair) -> Record:
    """The repaired record with a comment at each change: behind the ply, or in front of all if it concerns all of them."""
    record = repair.record
    plies: list[Ply] = list(record.plies)
    comment = record.comment
    for change in repair.changes:
        behind = None if change.ply is None else min(change.ply - (not change.new), len(plies)) - 1
        if behind is None or behind < 0:
            comment = _joined(comment, _comment(change))
        else:
            plies[behind] = plies[behind]._replace(comment=_joined(plies[behind].comment, _comment(change)))
    return replace(record, plies=tuple(plies), comment=comment)


def _joined(comment: str | None, more: str) -> str:
    return f"{comment}\n{more}" if comment else more
