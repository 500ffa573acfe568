"""Propose aliases with evidence and a score. People decide (`zertz_db.edit.claim_names`)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from zertz_db.plurals import format_count
from zertz_db.queries.players.identity.careers import Career, read_field
from zertz_db.queries.players.identity.evidence import Evidence, gather_evidence
from zertz_db.queries.players.identity.score import GRADES, grade_score, score_evidence
from zertz_db.queries.result import Column, Result
from zertz_db.store.annotations import people_file
from zertz_db.store.folder.database import Database
from zertz_db.store.names import fold_name

PROPOSALS = (
    Column("name", "a player's name"),
    Column("player", "the player with more games whose alias `name` may be"),
    Column("score", "estimated probability in percent that both are one person, fitted on planted cases"),
    Column("grade", "; ".join(f"{grade.name}: a score of {grade.least} or more" for grade in GRADES)),
    Column("precision", "at least this share of the proposals of this grade was right on planted cases, in percent"),
    Column("likeness", "how the names are alike"),
    Column(
        "similarity", "how much the names are alike, case and signs aside: 100 is equal (share of letters in common)"
    ),
    Column("rivals", "how often a third name is as near to one of both: in a crowd of names, likeness says less"),
    Column("common_opponents", "number of human opponents of both"),
    Column("expected_opponents", "number of common opponents that chance gives, by the players' games of each year"),
    Column("opponents", "number of human opponents of the player with fewer"),
    Column("years", "the years in which `name` played"),
    Column("player_years", "the years in which `player` played"),
    Column("gap", "days between the last game of one and the first of the other; 0 if they overlap"),
    Column("same_days", "days on which both played"),
    Column("distance", "distance of their first moves (Jensen-Shannon): 0 for equal shares, 1 for nothing in common"),
    Column("field_distance", "mean distance of both from the first moves of all humans"),
    Column("games", "games of `name`"),
    Column("evidence", "the evidence in words"),
)
_LEAST_MOVES = 5
"""Minimum number of first moves of both for words about their distance."""
_CLEAR_ODDS = 2.0
"""Minimum logarithm of the odds of a habit for words about it: 7 to 1."""


def propose_names(database: Database, least: int = GRADES[-1].least) -> Result:
    """List pairs of human players whose names are alike and that may be one person, likeliest first. Columns: PROPOSALS.

    least: minimum score. Players who met are two people. What was accepted or rejected before is not proposed again.
    """
    field = read_field(database)
    decided = {claim.pair for claim in people_file.read_aliases(database.annotations_dir) if claim.verdict != "later"}
    rows: list[tuple[Any, ...]] = []
    for pair in field.neighbours.pairs:
        minor, major = sorted(pair, key=lambda player: (field.careers[player].games, field.names[player]))
        names = field.names[minor], field.names[major]
        if frozenset(map(fold_name, names)) in decided or major in field.careers[minor].opponents:
            continue
        found = gather_evidence(field, minor, major)
        score = score_evidence(found)
        grade = grade_score(score)
        if grade is None or score * 100 < least:
            continue
        careers = field.careers[minor], field.careers[major]
        rows.append((
            *names, int(score * 100), grade.name, grade.precision, found.likeness.value, found.similarity, found.rivals, found.common,
            round(found.expected_common, 1), found.opponents, *map(_years, careers), found.gap, found.same_days,
            _rounded(found.distance), _rounded(found.field_distance), careers[0].games, "; ".join(_describe(found)),
        ))  # fmt: skip
    rows.sort(key=lambda row: (-row[2], -row[6], row[0].lower(), row[1]))
    return Result(PROPOSALS, rows)


def evidence(database: Database, name: str, player: str) -> str:
    """Return the evidence that two humans are one player, for or against it; "" if the names are not of two humans with games."""
    field = read_field(database)
    known = {fold_name(shown): number for number, shown in field.names.items()}
    one, other = (known.get(fold_name(text)) for text in (name, player))
    if one is None or other is None or one == other:
        return ""
    return "; ".join(_describe(gather_evidence(field, one, other)))


def _describe(found: Evidence) -> Iterator[str]:
    yield f"names {found.similarity} % alike: {found.likeness.value}"
    if found.rivals:
        yield f"{format_count(found.rivals, 'other name')} as near"
    yield f"{found.common} of {found.opponents} human opponents in common, {found.expected_common:.1f} expected"
    if found.meetings:
        yield f"they met in {format_count(found.meetings, 'game')}, which is strong evidence against it"
    else:
        expected = f", {found.expected_meetings:.1f} games expected" if found.expected_meetings >= 0.1 else ""
        yield f"they never met{expected}"
    if found.gap:
        yield f"{format_count(found.gap, 'day')} between their games"
    elif found.gap == 0:
        same = f", both on {format_count(found.same_days, 'day')}" if found.same_days else ", never on the same day"
        yield f"active at the same time{same}"
    if found.distance is not None and found.field_distance is not None and found.first_moves >= _LEAST_MOVES:
        yield f"first moves {found.distance:.2f} from each other, {found.field_distance:.2f} from those of all players"
    for what, odds in (("times of day", found.hours), ("first moves", found.openings)):
        if abs(odds) >= _CLEAR_ODDS:
            yield f"{what} like {'one person' if odds > 0 else 'two people'}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _years(career: Career) -> str:
    if career.span is None:
        return ""
    first, last = (dt.date.fromordinal(_EPOCH + day).year for day in career.span)
    return str(first) if first == last else f"{first}–{last}"


_EPOCH = dt.date(1970, 1, 1).toordinal()
