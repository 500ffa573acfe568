"""Any text: every reader yields Records and raises nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parser.forms import FORMS
from tests.parser.round_trips import completed
from zertz_db.parser.dialects import DIALECTS, Dialect, detect, read

SIGNS = {
    "jsonl": '{}[]":,"moves""tags"Wd4a1x null-1.5e\\u\n',
    "boardspace": "(;)[]P0P1RtoB DoneTMSUZertz24 \n",
    "zen": '[]ZIP"WGBabcd1234-x+wg{}().* \n',
    "zertz3d": "37 Blitz#WGBabd134,x-\n ",
    "transcript": "Player 12: {'action': 'PUT',}#RingsD4\n",
    "terse": "wgbnabd134,-[]'\"=#().; \n",
    "newsletter": 'NBGWabdg1457,;. x\n[]"',
    "mail": "Summary of Zertz+1 Board 2PlayerWGBabd134,x(Auto)\n",
    "rec": "# Zertz game record\n12WGBabd34,x-",
    "openxum": "PmRrCa12DEFG4567WGB ,[]'",
    "direction": "ABCDG1234:wgb/-lurd, ",
    "gipf": 'WGBNSZabd134,x-{};()[]"!?.* \n',
}
WORDS = ('{"moves": ["Wd4,d1"', '{"moves": ["x d1Gd3", null], "tags": {"Board": 1e999}}\n',
         "Wd4,d1", "x d4Gd2", "Player 1: {'action': 'CAP', 'src': 'A1'}", "37 Blitz\n", "Wb3-c4", "[ZIP \"o 1/1/1 0/0/0 0/0/0 1\"]",
         "Summary of Zertz Board 1", "Player 1 Player 2 a b\n", " 2 resign\n", "Pm1D4W", "Rr2A1", "D4:w/D1", "D4-ld", "[Language \"it\"]",
         "{", "}", "(", "\n\n", "1.", "1-0", "['wd4,d1',", "Nd2, a3;", "# Zertz game record\n", "f2-f4", "*", "\x00", "\ufeff")  # fmt: skip


def whole(dialect: str, text: str) -> None:
    for record in read(text, dialect, "a.txt"):
        assert record.dialect == dialect
        assert 0 <= record.span.start <= record.span.end <= len(text)
        assert record.fault is None or record.fault.message
        assert all(ply.span.start <= ply.span.end for ply in record.plies)


@pytest.mark.parametrize("dialect", SIGNS)
def test_every_reader_reads_any_text(dialect: str) -> None:
    @settings(max_examples=60, deadline=None)
    @given(
        st.text(max_size=80) | st.text(SIGNS[dialect], max_size=120) | st.lists(st.sampled_from(WORDS)).map(" ".join)
    )
    def check(text: str) -> None:
        whole(dialect, text)

    check()


def test_there_are_texts_for_every_dialect() -> None:
    assert SIGNS.keys() == {dialect.name for dialect in DIALECTS}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "(",
        "{",
        "Wd4",
        "1.",
        "wd4,",
        "Player 1: {",
        "x d4",
        "\n",
        "#",
        "'",
        "[[",
        '{"a":',
        '{"moves":[',
        "Zertz Board 1 ",
        '[a "',
    ],
)
def test_no_reader_hangs_on_what_never_ends(dialect: Dialect, unit: str) -> None:
    whole(dialect.name, unit * 3000)


@pytest.mark.parametrize("form", FORMS)
def test_a_dialect_is_detected_from_its_own_writing(form: str) -> None:
    dialect, write, boards, _ = FORMS[form]
    for record in completed(5, 9, board=boards[0]):
        assert detect(write(record)) == dialect
        assert detect(write(record), "a.txt") == dialect
