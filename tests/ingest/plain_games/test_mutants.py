"""The scanner and the grammar agree on changed records: on verdicts, findings, plies and clocks."""

from __future__ import annotations

import pytest

pytest.importorskip("numba")

from parser.boardspace import scan
from parser.dialects import read
from parser.packed_plies import PackedPlies
from parser.vocabulary.terms import Verdict
from tests.ingest.plain_games.mutants import mutants
from zertz_db.ingest import check_files
from zertz_db.ingest.check_files import CheckOptions
from zertz_db.ingest.plain_games.clean_contents import find_clean_contents
from zertz_db.ingest.plain_games.scan_batch import scan_batch
from zertz_db.ingest.sources.place import Content

BATCH = 1_000


def compare(contents: list[Content]) -> int:
    """Compare both ways on a batch; return the number of clean games."""
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


def _compare_plies(contents: list[Content]) -> None:
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


def test_five_thousand_changed_records_are_read_the_same_in_both_ways() -> None:
    records = list(mutants(5_000, seed=1))
    clean = sum(compare(records[at : at + BATCH]) for at in range(0, len(records), BATCH))
    assert 1_000 < clean < 4_000  # or the changes test nothing


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 22))
def test_more_changed_records_are_read_the_same_in_both_ways(seed: int) -> None:
    records = list(mutants(5_000, seed))
    for at in range(0, len(records), BATCH):
        compare(records[at : at + BATCH])


def test_a_clean_game_is_verified_in_one_record() -> None:
    records = list(mutants(300, seed=3))
    clean = find_clean_contents(records, "boardspace")
    assert any(remarks is not None for remarks in clean)
    for content, remarks in zip(records, clean, strict=True):
        if remarks is not None:
            (report,) = check_files._check_contents([content], CheckOptions("boardspace"))
            assert report.verdict == Verdict.VERIFIED
