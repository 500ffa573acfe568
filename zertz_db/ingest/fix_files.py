"""Repaired copies of files: beside the original, never in its place."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from parser import faults
from parser.dialects import facts_of
from parser.record import Record
from zertz_db.check.checked_record import ILLEGAL
from zertz_db.check.repair.patch_text import repaired_copy, repaired_text
from zertz_db.check.repair.repairs import Repair, find_repairs
from zertz_db.ingest.check_files import CheckOptions
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources.place import Place
from zertz_db.ingest.sources.read_bytes import read_contents


class RepairedCopy(NamedTuple):
    """A repaired copy: its text, the repairs in it, each with the line of its record, and how many records could not be repaired."""

    text: str
    repairs: tuple[tuple[int, Repair], ...]
    left: int


def get_copy_name(place: Place) -> Path:
    """Where the repaired copy of a file, or of an archive's member, goes: `game.repaired.txt` beside `game.sgf`."""
    path = Path(place.path)
    member = place.shown[1].replace("/", "-").replace("\\", "-").replace("!", "-").replace(":", "-")
    stem = f"{path.name}-{member.rpartition('.')[0] or member}" if member else path.stem
    return path.with_name(f"{stem}.repaired.txt")


def repair_file(place: Place, wanted: CheckOptions) -> RepairedCopy:
    """A copy of what is at a place with its illegal records repaired, where a repair makes all of a record legal.

    Of a file in official notation all is copied; of others only the repaired games, in official notation.
    """
    found = [
        one
        for one in read_and_check(
            read_contents([place]), wanted.dialect, full=False, language=wanted.language, rules=wanted.rules
        )
        if isinstance(one, SourceRecord)
    ]
    mended: dict[int, Repair] = {}
    for one in found:
        if one.checked.verdict == ILLEGAL:
            best = faults.guarded(partial(find_repairs, one.checked, 1, one.text), partial(_log_repair_failure, one))
            if best and best[0].is_proven:
                mended[one.number] = best[0]
    illegal = sum(one.checked.verdict == ILLEGAL for one in found)
    lines = tuple((one.checked.record.span.line, mended[one.number]) for one in found if one.number in mended)
    text = _text(found, mended).rstrip("\n") + "\n" if mended else ""
    return RepairedCopy(text, lines, illegal - len(mended))


def _log_repair_failure(found: SourceRecord, error: Exception) -> list[Repair]:
    faults.log(error, f"repairs of {found.place.name}:{found.checked.record.span.line}")
    return []


def _text(found: list[SourceRecord], mended: dict[int, Repair]) -> str:
    if not all(facts_of(one.checked.record.dialect).is_repaired_in_place for one in found):
        return "\n".join(repaired_text(*_pair(one, mended)) for one in found if one.number in mended)
    stretches = (list(some) for _, some in groupby(found, lambda one: id(one.text)))
    return "".join(
        repaired_copy(some[0].text, [_pair(one, mended)[1:] for one in some if one.number in mended])
        for some in stretches
    )


def _pair(one: SourceRecord, mended: dict[int, Repair]) -> tuple[str, Record, Repair]:
    return one.text, one.checked.record, mended[one.number]
