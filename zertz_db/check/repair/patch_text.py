"""Write repaired copies of texts, with a comment at each repair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from zertz_db.check.repair.repairs import Change, Repair
from zertz_db.parser.dialects import facts_of
from zertz_db.parser.gipf.writer import write
from zertz_db.parser.record import Ply, Record, Span

_LOOKED_BACK = 200


def repaired_text(text: str, record: Record, repair: Repair) -> str:
    """Return a record's part of a text, repaired, with a comment after each changed ply that quotes the old text.

    A record in official notation whose plies keep their number changes only at the repair. Any other is written again, in official
    notation. Raises ValueError for a repair that does not make all of the record legal, and the writer's own errors.
    """
    if not repair.is_proven:
        raise ValueError(f"only {repair.reach} plies would be legal: only whole repairs are written")
    if facts_of(record.dialect).is_repaired_in_place and _stay_in_place(text, repair.changes):
        return _changed_in_place(text, record, repair)
    return write(_with_comments(repair))


def repaired_copy(text: str, repaired: Iterable[tuple[Record, Repair]]) -> str:
    """Return a whole text in official notation, with the given records repaired and all others unchanged."""
    parts, end = [], 0
    for record, repair in sorted(repaired, key=lambda pair: pair[0].span.start):
        parts += [text[end : record.span.start], _fitting(text, record.span, repaired_text(text, record, repair))]
        end = record.span.end
    return "".join([*parts, text[end:]])


def _fitting(text: str, span: Span, new: str) -> str:
    """Return a record with the separators from its neighbours: a span may end with the empty lines after a record."""
    before = text[max(0, span.start - _LOOKED_BACK) : span.start].rstrip(" \t")
    old, after = text[span.start : span.end], text[span.end : span.end + 1]
    lead = "\n\n" if new.startswith("[") and before and not before.endswith("\n") else ""
    gap = old[len(old.rstrip()) :] or ("\n\n" if after.strip() else "")
    return f"{lead}{new.rstrip()}{gap}"


def _stay_in_place(text: str, changes: Sequence[Change]) -> bool:
    """Return whether each change replaces one ply in its place, and no ply is changed twice."""
    places = {change.span for change in changes}
    return len(places) == len(changes) and all(
        change.old and change.new and _bare(text[change.span.start : change.span.end]) == _bare(change.old)
        for change in changes
    )


def _bare(ply: str) -> str:
    """Return a ply without what readers skip: spaces, capitals, other characters for x."""
    return "".join(ply.lower().replace("×", "x").split())


def _changed_in_place(text: str, record: Record, repair: Repair) -> str:
    parts, end = [], record.span.start
    for change in sorted(repair.changes, key=lambda change: change.span.start):
        rest = text[change.span.end : record.span.end]
        marks = rest[: len(rest) - len(rest.lstrip("!?"))]  # these follow their ply without a space
        parts += [text[end : change.span.start], f"{change.new}{marks} {{{_comment(change)}}}"]
        end = change.span.end + len(marks)
    return "".join([*parts, text[end : record.span.end]])


def _comment(change: Change) -> str:
    if not change.new:
        return f"repaired: {change.old} stood here ({change.kind})"
    return f"repaired: was {change.old} ({change.kind})" if change.old else f"repaired: put in ({change.kind})"


def _with_comments(repair: Repair) -> Record:
    """Return the repaired record with a comment at each change: after the ply, or before all if it affects all of them."""
    record = repair.record
    plies: list[Ply] = list(record.plies)
    comment = record.comment
    for change in repair.changes:
        after = None if change.ply is None else min(change.ply - (not change.new), len(plies)) - 1
        if after is None or after < 0:
            comment = _joined(comment, _comment(change))
        else:
            plies[after] = plies[after]._replace(comment=_joined(plies[after].comment, _comment(change)))
    return replace(record, plies=tuple(plies), comment=comment)


def _joined(comment: str | None, more: str) -> str:
    return f"{comment}\n{more}" if comment else more
