"""Large files are read in segments, with the same records as the whole."""

# ruff: noqa: RUF001 - some texts have letters of other scripts
from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.ingest.records import segments
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources import read_bytes
from zertz_db.ingest.sources.place import Content, LargeFile, Place
from zertz_db.parser.record import Span


def test_the_span_of_a_segment_begins_after_empty_lines_and_spaces() -> None:
    text = "\n\n 1. Wd4 \n"
    assert segments.Segment(text, text, "utf-8").get_trimmed_span() == Span(3, 9, 3, 2)


OFFICIAL = [
    "1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns",
    "1. Wd4,d1 *",
    "1-0",
    "1/2-1/2 {a draw}",
    '[Event "a"]\n[Board "37"]\n\n',
    "1. Wd4,d1 Bd3,a1 2. Wa2,b1 0-1",
    "{ 1-0\n\n[Event",
    "}",
    "( 1. Wd4,a1 1-0 1. Wd4 )",
    "(",
    "; 1-0 1. e",
    "\n",
    "\n\n",
    " ",
    "é",
    '{quoted\n[Event "q"]\n\n1. Wd4,d1 {inner} 1-0\n',
    '*[Event "g"]\n',
    '\n[Event "a "b" c"]\n',
    "\n% 1-0\n",
    "\n> 1-0\n",
    "\n| 1 | Wd4,d1 | 1-0 |\n",
    "; 1-0 1. Wd4,d1",
    "1. Вd4,b1 0 - 1",
    "1. Player A: Wd4,b1",
]
SERVER = [
    '(;GM[22]VV[2]SU[Zertz]P0[id "a"]P1[id "b"]',
    "\n; P0[0 Start P0]\n; P0[1 RtoB 2 0 D 4]\n; P0[2 R- D 1]\n; P0[3 Done]",
    ")\n",
    "(;",
    "C[)\n(;]",
    "; P1[4 Resign]",
    "\n",
]


def found(data: bytes, dialect: str) -> list[tuple[object, ...]]:
    place = Place("games.txt", named=True)
    return [
        (
            one.number,
            one.data,
            one.checked.verdict,
            one.checked.record.span[2:],
            [(finding.code, finding.span and finding.span[2:], finding.message) for finding in one.checked.findings],
        )
        for one in read_and_check([Content(place, data)], dialect)
        if isinstance(one, SourceRecord)
    ]


@pytest.mark.parametrize(("dialect", "pieces"), [("gipf", OFFICIAL), ("boardspace", SERVER)])
def test_segments_give_the_records_of_the_whole(dialect: str, pieces: list[str]) -> None:
    @settings(deadline=None)
    @given(st.lists(st.sampled_from(pieces), min_size=1, max_size=25))
    def same(texts: list[str]) -> None:
        data = " ".join(pieces[:1] + texts).encode()  # text before a file's first game is not a separate segment
        with pytest.MonkeyPatch.context() as patch:
            whole = found(data, dialect)
            patch.setattr(segments, "SEGMENT_BYTES", 1)
            assert found(data, dialect) == whole

    same()


@pytest.mark.parametrize("between", ["\n\n", " ", "\r\n\r\n"])
def test_a_large_file_is_cut(monkeypatch: pytest.MonkeyPatch, between: str, tmp_path: Path) -> None:
    monkeypatch.setattr(segments, "SEGMENT_BYTES", 1000)
    game = "1. Wd4,d1 Bd3,a1 2. Wa2,b1 *" if between == " " else '[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. Wa2,b1 *'
    (tmp_path / "games.txt").write_text((game + between) * 200, newline="")
    data = LargeFile(tmp_path / "games.txt")
    cut = list(segments.split_segments(data, "gipf", "games.txt"))
    assert b"".join(one.written.encode() for one in cut) == (tmp_path / "games.txt").read_bytes()
    assert len(cut) > 5
    assert max(len(one.text) for one in cut) < 1200


def test_mails_of_two_games_in_turns_belong_to_their_games() -> None:
    ada, bo = "Summary of Zertz Board 1\n", "Summary of Zertz Board 2\r\n"
    text = f"{ada} 1 Wd4,d1\n{bo} 1 Ge4,a1\n\n{ada} 2 Bd3,a1\n{bo} 2 Wb2,a2\n"
    found = list(read_and_check([Content(Place("mails"), text.encode())]))
    assert [one.checked.moves for one in found] == [["Wd4,d1", "Bd3,a1"], ["Ge4,a1", "Wb2,a2"]]
    for one, other in (found, found[::-1]):
        (again,) = read_and_check([Content(Place("kept", named=True), one.data)])
        assert again.checked.moves == one.checked.moves
        assert not set(re.findall("[WGB][a-g][1-7]", one.data.decode())) & {move[:3] for move in other.checked.moves}
        span = one.checked.record.span
        assert len(one.data) == span.end - span.start
        assert one.data.count(b"\n") == text.count("\n", span.start, span.end)


@pytest.mark.parametrize(("left", "records"), [(0, 1), (1_500, 52), (4_321, 149), (4_330, 150)])
def test_a_large_file_that_is_cut_short_meanwhile_has_less_to_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, left: int, records: int
) -> None:
    monkeypatch.setattr(read_bytes, "LARGE_FILE_BYTES", 1_000)
    monkeypatch.setattr(segments, "SEGMENT_BYTES", 1_000)
    file = tmp_path / "games.txt"
    file.write_text("1. Wd4,d1 Bd3,a1 2. Wa2,b1 *\n" * 200)
    text = file.read_text()
    (content,) = read_bytes.read_contents([Place(str(file), size=len(text))])
    assert isinstance(content, Content)
    reading = segments.split_segments(content.data, "gipf", "games.txt")
    first = next(reading).text
    with file.open("rb+") as opened:
        opened.truncate(left)
    assert "".join([first, *(one.text for one in reading)]) == text[: max(len(first), left)]
    assert len([*read_and_check([content], "gipf")]) == records


def test_a_large_file_returns_the_requested_bytes(tmp_path: Path) -> None:
    data = bytes(range(100))
    (tmp_path / "file").write_bytes(data)
    large = LargeFile(tmp_path / "file")
    assert (len(large), bytes(large)) == (100, data)
    for part in (slice(10), slice(90, None), slice(20, 30), slice(30, 20), slice(95, 200), slice(200, 300)):
        assert large[part] == data[part]
