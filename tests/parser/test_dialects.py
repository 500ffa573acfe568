"""Detection of dialects, and the package's lazy names."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db import parser
from zertz_db.parser.dialects import DIALECTS, detect, read

SERVER = '(;GM[22]VV[2]SU[Zertz]P0[id "ada"]P1[id "bo"]\n; P0[0 Start P0]\n; P0[1 RtoB 2 0 D 4]\n; P0[2 R- D 1]\n)'
OFFICIAL = '[Event "Test"]\n\n1. Wd4,d1 Gb3,a1 *\n'


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        (SERVER, "boardspace"),
        (" " + SERVER, "boardspace"),
        ("(; gm[22]\nSU[Zertz]", "boardspace"),
        ("(;\nSU[Zertz+11]", "boardspace"),
        ("(;\n; P0[0 Start P0]", "boardspace"),
        (OFFICIAL, "gipf"),
        ("\ufeff" + OFFICIAL, "gipf"),
        ("Wd4,d1\nx d1Gd3\n", "gipf"),
        ("wd4,d1", "gipf"),
        ("12. x d1Gd3Wd5", "gipf"),
        ("{ from my notebook }\n; a remark\nBd7,b2 x Wa1Wa2", "gipf"),
        ("A game of last week\n\n1. Wd4,d1 Gb3,a1\n", "gipf"),
        ("wd4,d1 wf2,d7 f2-f4 b5-d5-d3", "terse"),
        ("wd4,d1, wf2,d7, f2-f4", "terse"),
        ("# a note\nGAME = ['wd4,d1', 'f2-f4']", "terse"),
        ("('wd4,d1', 'f2-f4')", "terse"),
        ("2. Nd2, a3, Nf4, a4; 3. Bg5, c1", "newsletter"),
        ("2. Nd2, a3 (black is on d2 now), Nf4, a4; 3. Bg5, c1", "newsletter"),
        ("1. Wd4, a1 (1. Wd4, d1), Bd3, a2", "gipf"),
        ("2. Nd2,a3 Nf4,a4 3. Bg5,c1", "gipf"),
        ("37 Blitz\nWd4,d1\n", "zertz3d"),
        ("37 rings\nWd4,d1\n", "gipf"),
        ("# Seed: 1\n#\nPlayer 1: {'action': 'PASS'}", "transcript"),
        ("From: a server\n\nSummary of Zertz+11 Board 7\n", "mail"),
        ("#\n# Zertz game record\n 1 Wd4,d1", "rec"),
        ("Pm1D4WRr1A1", "openxum"),
        ("D4:w/D1, D3:b/A4", "direction"),
        ("", None),
        (" \n", None),
        ("Dear ada, shall we play on Tuesday?", None),
        ("(;GM[1]FF[4];B[aa];W[bb])", None),
        ("1. e4 e5 2. Nf3", None),
        ("\x00\x01\x02", None),
    ],
)
def test_a_dialect_is_detected_from_the_content(text: str, dialect: str | None) -> None:
    assert detect(text) == dialect
    assert detect(text, "games.txt") == dialect


MOVES = "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Ba2,b1 3. Wg4,g1 Gc2,c1 4. We2,f1 Bb4,e1"


@given(
    at=st.integers(0, len(MOVES) - 1),
    instead=st.sampled_from(["", " ", ",", "-", "x", " x ", "X", ";", ".", "(", "a", "9", "w", "W"]),
    cut=st.integers(0, 2),
    head=st.sampled_from(["", '[Event "Test"]\n[Board "37"]\n\n', "{a game}\n"]),
)
def test_damaged_official_notation_stays_official(at: int, instead: str, cut: int, head: str) -> None:
    assert detect(f"{head}{MOVES[:at]}{instead}{MOVES[at + cut :]}\n{MOVES}") == "gipf"


@pytest.mark.parametrize("text", ["1. Wd4 x d3Wd5", "1. Wd4x d3Wd5", "Wd4xd3Wd5", "1. Wd4-d1 Bd3,a1", "Wd4xd1 Bd3,a1"])
def test_a_slip_that_looks_like_another_dialect_is_one(text: str) -> None:
    assert detect(text) == "gipf"


@pytest.mark.parametrize(("name", "dialect"), [("a.sgf", "boardspace"), ("A.SGF", "boardspace"), ("a.txt", "gipf")])
def test_the_ending_decides_between_two(name: str, dialect: str) -> None:
    assert detect("Wd4,d1\n" + SERVER, name) == dialect


@given(st.text())
def test_any_text_has_a_known_dialect_or_none(text: str) -> None:
    assert detect(text) in {None, *(dialect.name for dialect in DIALECTS)}


@pytest.mark.parametrize(
    ("text", "dialect", "found"),
    [
        (SERVER, None, ["boardspace"]),
        (OFFICIAL, None, ["gipf"]),
        (OFFICIAL, "boardspace", ["boardspace"]),
        ("nothing of the kind", None, []),
        ("", None, []),
        ("", "boardspace", []),
        ("", "gipf", []),
    ],
)
def test_a_text_is_read_in_its_dialect_or_the_given_one(text: str, dialect: str | None, found: list[str]) -> None:
    assert [record.dialect for record in read(text, dialect)] == found


def test_the_file_name_reaches_the_reader() -> None:
    assert [record.date for record in read(SERVER, name="Z-ada-bo-2021-05-06-0708.sgf")] == ["2021.05.06"]


def test_an_unknown_dialect_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="boardspace, zen"):
        read(SERVER, "pgn")


def test_every_name_of_the_package_is_there() -> None:
    assert {name for name in parser.__all__ if getattr(parser, name) is None} == set()
    with pytest.raises(AttributeError, match="no attribute 'write_everything'"):
        _ = parser.write_everything


def test_importing_the_package_does_not_load_the_parser() -> None:
    code = "from zertz_db import parser; import sys; parser.detect; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
