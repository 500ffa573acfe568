"""Repaired copies of files, next to the originals."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from zertz_db.check.repair.patch_text import repaired_copy, repaired_text
from zertz_db.check.repair.repairs import Repair, find_repairs
from zertz_db.ingest.check_files import CheckOptions
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources.place import Place
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.parser import faults
from zertz_db.parser.dialects import facts_of
from zertz_db.parser.record import Record
from zertz_db.parser.vocabulary.terms import Verdict


class RepairedCopy(NamedTuple):
    """A repaired copy: its text, its repairs, each with the line of its record, and the number of records without a repair."""

    text: str
    repairs: tuple[tuple[int, Repair], ...]
    left: int


def get_copy_name(place: Place) -> Path:
    """Return the path of the repaired copy of a file, or of an archive's member: `game.repaired.txt` next to `game.sgf`."""
    path = Path(place.path)
    member = place.shown[1].replace("/", "-").replace("\\", "-").replace("!", "-").replace(":", "-")
    stem = f"{path.name}-{member.rpartition('.')[0] or member}" if member else path.stem
    return path.with_name(f"{stem}.repaired.txt")


def repair_file(place: Place, wanted: CheckOptions) -> RepairedCopy:
    """Return a copy of a file or member with its illegal records repaired, if a repair makes a whole record legal.

    Copy all of a file in official notation; of other files only the repaired games, in official notation.
    """
    records = [
        one
        for one in read_and_check(
            read_contents([place]), wanted.dialect, full=False, language=wanted.language, rules=wanted.rules
        )
        if isinstance(one, SourceRecord)
    ]
    repairs: dict[int, Repair] = {}
    for one in records:
        if one.checked.verdict == Verdict.ILLEGAL:
            best = faults.guarded(partial(find_repairs, one.checked, 1, one.text), partial(_log_repair_failure, one))
            if best and best[0].is_proven:
                repairs[one.number] = best[0]
    illegal = sum(one.checked.verdict == Verdict.ILLEGAL for one in records)
    lines = tuple((one.checked.record.span.line, repairs[one.number]) for one in records if one.number in repairs)
    text = _text(records, repairs).rstrip("\n") + "\n" if repairs else ""
    return RepairedCopy(text, lines, illegal - len(repairs))


def _log_repair_failure(record: SourceRecord, error: Exception) -> list[Repair]:
    faults.log(error, f"repairs of {record.place.name}:{record.checked.record.span.line}")
    return []


def _text(records: list[SourceRecord], repairs: dict[int, Repair]) -> str:
    if not all(facts_of(one.checked.record.dialect).is_repaired_in_place for one in records):
        return "\n".join(repaired_text(*_pair(one, repairs)) for one in records if one.number in repairs)
    segments = (list(some) for _, some in groupby(records, lambda one: id(one.text)))
    return "".join(
        repaired_copy(some[0].text, [_pair(one, repairs)[1:] for one in some if one.number in repairs])
        for some in segments
    )


def _pair(one: SourceRecord, repairs: dict[int, Repair]) -> tuple[str, Record, Repair]:
    return one.text, one.checked.record, repairs[one.number]
