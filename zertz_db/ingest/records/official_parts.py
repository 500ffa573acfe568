"""Divide a text in official notation into clean games and parts that the grammar reads.

A clean game (`official_games`) is verified without a finding. A sample of them is read by the grammar too. If it disagrees, it reads the
whole text, and the record has an internal error as one more finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from zertz_db.check.check_many import check_all
from zertz_db.ingest.plain_games.clean_contents import SAMPLE_STEP, ScannerDisagrees, is_worth_loading, remember_failure
from zertz_db.ingest.records.segments import Segment
from zertz_db.parser import faults
from zertz_db.parser.dialects import read
from zertz_db.parser.record import Record, Remark
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.rules import compiled

if TYPE_CHECKING:
    from zertz_db.ingest.plain_games.official_games import Plain

OFFICIAL = "gipf"
_ENCODING = "utf-8"
_ENOUGH_CHARACTERS = 2_000
"""Characters from which a scan, which takes 0.2 ms at least, saves time."""


class Part(NamedTuple):
    """A part of a segment. clean: its number of records if all are clean, 0 if the grammar reads it.

    wrong: the offset of a record on which the grammar disagrees.
    """

    segment: Segment
    clean: int = 0
    wrong: int | None = None

    def add_error(self, found: Iterable[tuple[Segment, Record]]) -> Iterator[tuple[Segment, Record]]:
        """Yield the records of this part, the wrong one with an internal error as one more remark."""
        for segment, record in found:
            if self.wrong is not None and record.span.start <= self.wrong < record.span.end:
                error = faults.fault(ScannerDisagrees(_MESSAGE), record.span)
                remark = Remark(error.code, error.span, error.message)
                yield segment, replace(record, remarks=(*record.remarks, remark))
            else:
                yield segment, record


_MESSAGE = "the scanner finds this record clean, the grammar does not"


def split_clean_parts(segment: Segment, size: int, name: str) -> list[Part]:
    """Return the parts of a segment, in order. size: bytes of its file. name: the file's.

    Without the compiled functions the grammar reads all.
    """
    is_usual = segment.encoding == _ENCODING and segment.written is segment.text
    if not is_usual or len(segment.text) < _ENOUGH_CHARACTERS or not is_worth_loading(size):
        return [Part(segment)]
    from zertz_db.ingest.plain_games import official_games

    try:
        plain = official_games.find_official_games(segment.text)
        wrong = _find_disagreement(segment.text, plain)
    except compiled.CompilerMissing:
        return [Part(segment)]
    except Exception as error:  # noqa: BLE001 - numba compiles and loads on the first call; whatever fails there
        remember_failure(f"{type(error).__name__}: {error}")
        return [Part(segment)]
    if wrong is not None:
        faults.log(ScannerDisagrees(_MESSAGE), f"{name}, offset {wrong}")
        return [Part(segment, wrong=wrong)]
    return list(_divide(segment, plain))


def _find_disagreement(text: str, plain: Plain) -> int | None:
    """Return the offset of the first clean record of a sample that the grammar does not find clean; None without one."""
    import numpy as np

    clean = np.flatnonzero(plain.is_clean)
    for number in clean[len(text) % SAMPLE_STEP :: SAMPLE_STEP].tolist():
        begin, end = int(plain.begins[number]), int(plain.ends[number])
        found = check_all(list(read(text[begin:end], OFFICIAL)), full=False)
        if [(one.verdict, one.findings) for one in found] != [(Verdict.VERIFIED, ())]:
            return begin
    return None


def _divide(segment: Segment, plain: Plain) -> Iterator[Part]:
    """Yield runs of clean records, and the texts between them."""
    import numpy as np

    is_clean, size = plain.is_clean, len(segment.text)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], is_clean, [False]))))
    after, here = 0, (segment.line, segment.column)
    for first, behind in edges.reshape(-1, 2).tolist():
        begin, end = int(plain.begins[first]), int(plain.ends[behind - 1])
        if segment.text[after:begin].strip():
            yield Part(_cut(segment, after, begin, here))
        yield Part(segment, behind - first)
        here = _behind(segment.text, after, end, here)
        after = end
    if segment.text[after:].strip() or not after:
        yield Part(segment if not after else _cut(segment, after, size, here))


def _cut(segment: Segment, begin: int, end: int, here: tuple[int, int]) -> Segment:
    text = segment.text[begin:end]
    return Segment(text, text, segment.encoding, *here)


def _behind(text: str, begin: int, end: int, here: tuple[int, int]) -> tuple[int, int]:
    """Return the line and column at `end`, from those at `begin`."""
    feeds = text.count("\n", begin, end)
    line, column = here
    return (line + feeds, end - text.rfind("\n", begin, end)) if feeds else (line, column + end - begin)
