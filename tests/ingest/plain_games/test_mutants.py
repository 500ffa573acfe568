"""The scanner and the grammar agree on changed records: on verdicts, findings, plies and clocks."""

from __future__ import annotations

import pytest

pytest.importorskip("numba")

from tests.ingest.plain_games.comparison import compare
from tests.ingest.plain_games.mutants import mutants
from zertz_db.ingest import check_files
from zertz_db.ingest.check_files import CheckOptions
from zertz_db.ingest.plain_games.clean_contents import find_clean_contents
from zertz_db.parser.vocabulary.terms import Verdict

BATCH = 1_000


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
