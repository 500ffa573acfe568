"""The scanner of official notation and the grammar agree on verdicts, findings and their places, in texts of several changed records."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytest.importorskip("numba")

from tests.ingest.plain_games.official_mutants import seeds, texts
from zertz_db.ingest import check_files
from zertz_db.ingest.check_files import CheckOptions, Report
from zertz_db.ingest.plain_games import clean_contents, official_games
from zertz_db.ingest.records import official_parts, segments
from zertz_db.ingest.records.read_records import Verified, read_and_check, read_briefly
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.parser.dialects import read
from zertz_db.parser.gipf import scan
from zertz_db.rules import compiled

PLACE = Place("games.txt", named=True)
WANTED = CheckOptions()


@pytest.fixture(autouse=True)
def _scan_short_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean_contents, "_ENOUGH_BYTES", 0)
    monkeypatch.setattr(official_parts, "_ENOUGH_CHARACTERS", 0)


def by_grammar(text: str) -> list[Report]:
    content = Content(PLACE, text.encode())
    return [check_files._build_report(record, WANTED) for record in read_and_check([content], full=False)]


def by_scanner(text: str) -> list[Report]:
    return list(check_files._check_contents([Content(PLACE, text.encode())], WANTED))


def shown(reports: list[Report]) -> list[object]:
    """Return what a user sees: offsets in a text that is read in parts count from the part."""
    return [
        (
            one.verdict,
            one.skipped,
            [(found._replace(span=None), found.span and found.span[2:], line) for found, line in one.findings],
        )
        for one in reports
    ]


def count_clean(text: str) -> int:
    return sum(isinstance(one, Verified) for one in read_briefly([Content(PLACE, text.encode())]))


def compare(text: str) -> int:
    """Compare both ways; return the number of clean records."""
    assert shown(by_scanner(text)) == shown(by_grammar(text)), text
    return count_clean(text)


def test_unchanged_games_are_clean() -> None:
    plain = [text for text in seeds() if "{" not in text.replace("{[%clk", "") and text.isascii()]
    assert len(plain) > 30
    assert count_clean("\n".join(plain)) == len(plain)
    assert compare("\n\n" + "\n".join(plain)) == len(plain)


def test_dates_with_a_remark_are_left_to_the_grammar() -> None:
    years, months, days = ("2023", "2024", "????", "0000"), (0, 1, 2, 4, 12, 13), (0, 1, 28, 29, 30, 31, 32)
    parts = (("??", *(f"{number:02}" for number in numbers)) for numbers in (months, days))
    for year, month, day in itertools.product(years, *parts):
        date = f"{year}.{month}.{day}"
        (record,) = read(f'[Date "{date}"]\n1. Wd4', "gipf")
        is_plain = "W531" not in [remark.code for remark in record.remarks]
        is_leap_day = date in ("2024.02.29", "????.02.29")
        assert scan.is_date(date.encode(), 0, 10) == (is_plain and not is_leap_day), date


def test_most_clocks_are_clean() -> None:
    clocks = [text for text in seeds() if "{" in text and "{" not in text.replace("{[%clk", "")]
    assert len(clocks) > 3
    assert compare("\n".join(clocks)) == len(clocks)


@pytest.mark.parametrize(
    ("before", "clean"),
    [
        ("", 3),
        ('[Annotator "Ada"]\n\n', 2),  # the tag may belong to the next game
        ("1. Wd4 1-0\n\n", 2),
        ('[Event "x"]\n\n1. Wd4 {a comment} 1-0\n\n', 2),
        ("{ a comment\nof two lines }\n", 0),  # it may quote the games after it
        ('[Event "x\\\n', 0),
    ],
)
def test_a_game_after_another_text_is_left_to_the_grammar(before: str, clean: int) -> None:
    text = before + "\n".join(seeds()[:3])
    assert compare(text) == clean


def test_places_in_a_text_of_several_segments_are_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "SEGMENT_BYTES", 4_000)
    games = list(seeds()[:6])
    text = "\n".join([*games, games[0].replace("1-0", "0-1", 1), *games, "1. Wz9", *games] * 4)
    assert compare(text) > 50


def test_a_disagreement_is_an_internal_error_and_the_grammar_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    games = list(seeds()[:4])
    games[1] = games[1].replace("Bg2,a2", "Bg2,d4")  # this ring is not free
    expected = by_grammar("\n".join(games))
    monkeypatch.setattr(official_parts, "SAMPLE_STEP", 1)
    monkeypatch.setattr(official_games, "_are_clean", lambda *given: np.ones(len(given[-1]), bool))
    found = by_scanner("\n".join(games))
    codes = [[finding.code for finding, _ in report.findings] for report in found]
    assert codes == [[], ["E109", *(finding.code for finding, _ in expected[1].findings)], [], []]
    assert [report.verdict for report in found] == [report.verdict for report in expected]


@pytest.mark.parametrize("error", [ValueError("a fault"), compiled.CompilerMissing("no numba"), MemoryError()])
def test_a_failing_scanner_leaves_all_records_to_the_grammar(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(official_games, "find_official_games", fail)
    text = "\n".join(seeds()[:3])
    assert by_scanner(text) == by_grammar(text)


def test_short_texts_are_left_to_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(official_parts, "_ENOUGH_CHARACTERS", 2_000)
    monkeypatch.setattr(official_games, "find_official_games", lambda *_: pytest.fail("it is called"))
    assert count_clean(seeds()[0]) == 0


def test_changed_texts_are_read_the_same_in_both_ways() -> None:
    some = list(texts(30, seed=1))
    clean = sum(map(compare, some))
    assert clean > 30  # or the changes test nothing


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 22))
def test_more_changed_texts_are_read_the_same_in_both_ways(seed: int) -> None:
    for text in texts(1_000, seed):
        compare(text)
