"""Batches with clean games: the order of reports, the sample, disagreements, and failures of the scanner."""

from __future__ import annotations

import copy
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("numba")

from tests.ingest.plain_games.mutants import mutants
from zertz_db.ingest import check_files
from zertz_db.ingest.check_files import CheckOptions, Report, check_batch, pack_reports, unpack_reports
from zertz_db.ingest.plain_games import clean_contents, clean_games
from zertz_db.ingest.sources.discover import find_files, list_places
from zertz_db.ingest.sources.place import Content, Damage, Place, SourceItem
from zertz_db.parser.record import Remark, Span
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.rules import compiled


@pytest.fixture
def places(tmp_path: Path) -> list[SourceItem]:
    """Fifty records in an archive, plain and others."""
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        for number, content in enumerate(mutants(50, seed=5)):
            archive.writestr(f"{number}/{content.place.member}", content.data)
    return list(list_places(find_files([tmp_path])))


def by_grammar(places: list[SourceItem], wanted: CheckOptions) -> list[Report]:
    return list(check_files._check_contents(check_files.read_contents(places), wanted))


@pytest.mark.parametrize(
    "wanted", [CheckOptions(), CheckOptions(ignore=("N5",)), CheckOptions(json=True), CheckOptions(boards=True)]
)
def test_reports_are_in_the_order_of_the_records(
    places: list[SourceItem], wanted: CheckOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clean_contents, "SAMPLE_STEP", 20)
    monkeypatch.setattr(clean_contents, "_ENOUGH_BYTES", 0)
    assert check_batch(places, wanted) == by_grammar(places, wanted)


@pytest.mark.parametrize(
    ("sizes", "parts"),
    [
        ([], []),
        ([1] * 5, [5]),
        ([60] * 5, [2, 2, 1]),
        ([500, 1, 1], [1, 2]),
        ([100, 99, 1], [1, 2]),
    ],
)
def test_parts_of_a_batch_hold_a_bounded_number_of_bytes(
    sizes: list[int], parts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clean_contents, "_MAX_HELD_BYTES", 100)
    contents = [Content(Place("a.zip"), bytes(size)) for size in sizes]
    found = list(clean_contents.split_contents(iter(contents)))
    assert [len(part) for part in found] == parts
    assert [content for part in found for content in part] == contents


def test_damaged_members_count_with_their_packed_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean_contents, "_MAX_HELD_BYTES", 100)
    damages = [Damage(Place("a.zip"), "it can't be unpacked", bytes(60))] * 4
    assert [len(part) for part in clean_contents.split_contents(iter(damages))] == [2, 2]


def test_reports_do_not_depend_on_the_parts(places: list[SourceItem], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean_contents, "_ENOUGH_BYTES", 0)
    monkeypatch.setattr(clean_contents, "_MAX_HELD_BYTES", 3_000)
    assert check_batch(places, CheckOptions()) == by_grammar(places, CheckOptions())


def test_reports_come_from_a_worker_as_they_are_there_and_small(places: list[SourceItem]) -> None:
    sent = copy.deepcopy(places)
    reports = check_batch(sent, CheckOptions())
    packed = pack_reports(sent, reports)
    assert unpack_reports(places, packed) == reports
    is_plain = [report == Report(report.place, Verdict.VERIFIED) for report in reports]
    assert [isinstance(one, int) for one in packed] == is_plain
    assert len(set(is_plain)) == 2


def test_texts_that_no_scan_takes_load_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "is_loaded", lambda: False)
    monkeypatch.setattr(clean_games, "find_clean_games", lambda *_: pytest.fail("it is called"))
    large = [Content(Place("a.sgf"), b"(;" + b"x" * 150_000)] * 3
    assert clean_contents.find_clean_contents(large, None) == [None] * 3


def test_a_disagreement_is_an_internal_error_and_the_grammar_counts(
    places: list[SourceItem], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = Remark("N540", Span(0, 1, 1, 1), "never so")
    monkeypatch.setattr(clean_contents, "SAMPLE_STEP", 1)
    monkeypatch.setattr(
        check_files, "find_clean_contents", lambda contents, _: [(wrong,), *[None] * (len(contents) - 1)]
    )
    first, *others = check_batch(places, CheckOptions())
    by_first, *by_others = by_grammar(places, CheckOptions())
    assert [finding.code for finding, _ in first.findings] == [*(f.code for f, _ in by_first.findings), "E109"]
    assert (first.verdict, others) == (by_first.verdict, by_others)
    assert "the scanner finds this record clean, the grammar does not" in caplog.text


@pytest.mark.parametrize("error", [ValueError("a fault"), compiled.CompilerMissing("no numba"), MemoryError()])
def test_a_failing_scanner_leaves_all_records_to_the_grammar(
    places: list[SourceItem], error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(clean_contents, "_ENOUGH_BYTES", 0)
    monkeypatch.setattr(clean_games, "find_clean_games", fail)
    assert check_batch(places, CheckOptions()) == by_grammar(places, CheckOptions())


def test_few_records_do_not_load_the_compiler(places: list[SourceItem], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "is_loaded", lambda: False)
    monkeypatch.setattr(clean_games, "find_clean_games", lambda *_: pytest.fail("it loads the compiler"))
    assert check_batch(places[:20], CheckOptions()) == by_grammar(places[:20], CheckOptions())


def test_a_sample_of_clean_games_depends_on_the_bytes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean_contents, "SAMPLE_STEP", 10)
    contents = list(mutants(100, seed=6))
    clean = [() if number % 2 else None for number in range(100)]
    sample = clean_contents.pick_sample(contents, clean)
    assert sample == clean_contents.pick_sample(contents, clean)
    assert len(sample) == 5
    assert all(clean[number] is not None for number in sample)
