"""Compare what the scanner and the grammar read in the same contents."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.ingest import check_files
from zertz_db.ingest.check_files import CheckOptions
from zertz_db.ingest.plain_games.batch_scan import scan_batch
from zertz_db.ingest.plain_games.clean_contents import find_clean_contents
from zertz_db.ingest.sources.place import Content
from zertz_db.parser.boardspace import scan
from zertz_db.parser.dialects import read
from zertz_db.parser.packed_plies import PackedPlies


def compare(contents: Sequence[Content]) -> int:
    """Compare both ways on a batch: reports on clean games, plies and clocks of plain ones. Return the number of clean games."""
    clean = find_clean_contents(contents, None)
    fine = [content for content, remarks in zip(contents, clean, strict=True) if remarks is not None]
    wanted = CheckOptions()
    reports = list(check_files._check_contents(fine, wanted))
    expected = [
        check_files._report_clean(content, remarks, wanted)
        for content, remarks in zip(contents, clean, strict=True)
        if remarks is not None
    ]
    assert reports == expected
    _compare_plies(contents)
    return len(fine)


def _compare_plies(contents: Sequence[Content]) -> None:
    scanned = scan_batch([content.data for content in contents])
    plies = 0
    for content, facts in zip(contents, scanned.facts.tolist(), strict=True):
        if not facts[scan.PLIES]:
            continue
        begins = scanned.begins[plies : plies + facts[scan.PLIES] + 1]
        clocks = scanned.clocks[plies : plies + facts[scan.PLIES]].tolist()
        plies += facts[scan.PLIES]
        if facts[scan.IS_FOREIGN] or facts[scan.GM] < 0 or facts[scan.SU] < 0:
            continue  # the caller looks at these
        (record,) = read(content.data.decode("latin-1"), "boardspace", content.place.member)
        if isinstance(record.plies, PackedPlies):
            assert list(record.plies.numbers) == scanned.numbers[begins[0] : begins[-1]].tolist()
            assert record.plies.clocks == [None if clock < 0 else clock for clock in clocks]
