"""ZEN games and ZIP positions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.parser.dialects import WRITERS, Unwritable, detect
from zertz_db.parser.record import Marble, Record
from zertz_db.parser.text.ring_names import MIRRORED
from zertz_db.parser.zen import reader as zen
from zertz_db.parser.zen import writer as zen_writer
from zertz_db.parser.zen import zip_position
from zertz_db.parser.zen.zip_position import NoPosition

EMPTY = "6/8/10 0/0/0 0/0/0 1"
ZIP37 = f"oooo/ooooo/oooooo/ooooooo/1oooooo/2ooooo/3oooo {EMPTY}"
ZIP48 = f"oooo/ooooo/oooooo/ooooooo/oooooooo/1ooooooo/2oooooo/3ooooo {EMPTY}"
OURS48 = f"ooooo/oooooo/ooooooo/oooooooo/1ooooooo/2oooooo/3ooooo/4oooo {EMPTY}"
ZIP61 = f"ooooo/oooooo/ooooooo/oooooooo/ooooooooo/1oooooooo/2ooooooo/3oooooo/4ooooo {EMPTY}"
GAME = f"""[Event "A friendly game"]
[Date "2026.07.16"]
[Player1 "Ada"]
[Player2 "Ben"]
[Result "1-0"]
[ZIP "{ZIP37}"]
[TimeControl "5+3"]

{{hello}} 1. Wb3-c4 {{[%cal Gb3c4][%csl Rd4] look}} (1. Wd4-a1 Bd5 (1... Gd5)) 1... Gd2
2. Bd4xf4xf2+bW Wc2-b2! 1-0
"""


def one(text: str) -> Record:
    (record,) = zen.read(text)
    return record


def plies(record: Record) -> list[str]:
    written = []
    for ply in record.plies:
        jumps = "".join(f">{jump.colour or '?'}{jump.ring}" for jump in ply.jumps)
        removed = f"/{ply.removed}" if ply.removed else ""
        written.append(f"{ply.colour}{ply.ring}{jumps}{removed}{'+' + ply.taken if ply.taken else ''}")
    return written


def test_a_whole_game() -> None:
    record = one(GAME.replace("+bW", "+bw"))
    assert (record.dialect, record.fault, record.remarks) == ("zen", None, ())
    assert plies(record) == ["Wb3/c4", "Gd2", "Bd4>Bf4>Wf2", "Wc2/b2"]
    assert (record.board, record.position, record.coordinates) == ("37", None, None)
    assert (record.event, record.player1, record.player2, record.date) == (
        "A friendly game", "Ada", "Ben", "2026.07.16",
    )  # fmt: skip
    assert (record.result, record.comment) == ("1-0", "hello")
    assert record.plies[0].comment == "[%cal Gb3c4][%csl Rd4] look"
    assert record.plies[0].variations == ("1. Wd4-a1 Bd5 (1... Gd5)",)
    assert record.plies[3].marks == ("!",)
    assert ("TimeControl", "5+3") in record.tags


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Wd7", ["Wd7"]),
        ("1. Wd4 Gd7-e6", ["Wd4", "Gd7/e6"]),
        ("1. Wd7xd5xd3+bg", ["Wd7>Bd5>Gd3"]),
        ("1. Wb3-c4+w", ["Wb3/c4+W"]),
        ("1. Wd4+wb", ["Wd4+WB"]),
        ("1. Wa4xc4xe5+w", ["Wa4>?c4>?e5+W"]),  # a suffix that contradicts the jumps
        ("1. Wa4xc4", ["Wa4>?c4"]),
        ("12.Wd4-a1 12...Gd5-b1", ["Wd4/a1", "Gd5/b1"]),
    ],
)
def test_plies(text: str, expected: list[str]) -> None:
    record = one(f'[ZIP "{ZIP37}"]\n\n{text}')
    assert (plies(record), record.fault) == (expected, None)


def test_colours_of_jumped_marbles_are_in_order() -> None:
    record = one("1. Wa4xc4xe5+wg")
    assert record.plies[0].jumps == (Marble("W", "c4"), Marble("G", "e5"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1. Wd4×d6", "W714"),
        ("1. WD4-a1".replace("D4", "d4 "), "W719"),
        ("1 Wd4-a1 Gd5", "W721"),
    ],
)
def test_leniencies(text: str, code: str) -> None:
    record = one(text)
    assert record.fault is None
    assert [remark.code for remark in record.remarks] == [code]


@pytest.mark.parametrize(
    ("movetext", "code", "found", "before"),
    [
        ("1. Wb3-c4 Gd2,a1", "E210", ",a1", 2),
        ("1. Wb3-", "E216", "", 0),
        ("1. Wb3-c4 x d1Gd3", "E210", "x", 1),
        ("1. Wb3-c4 Wz9", "E214", "z9", 1),
        ("1. Wb3-c4 {open", "E211", "{open", 1),
        ("1. Wb3-c4 Wa5-d1 Gd3", "E359", "Wa5-d1", 1),
    ],
)
def test_faults_are_placed(movetext: str, code: str, found: str, before: int) -> None:
    text = f'[ZIP "{ZIP37}"]\n\n{movetext}'
    record = one(text)
    assert record.fault is not None
    assert (record.fault.code, len(record.plies)) == (code, before)
    assert text[record.fault.span.start : record.fault.span.end] == found


@pytest.mark.parametrize(
    "position",
    [
        "",
        "nonsense",
        "oooo 6/8/10",
        f"5 {EMPTY}",
        f"oooo/{'o' * 99} {EMPTY}",
        f"{'/o' * 40} {EMPTY}",
        "oo 6/8/10 0/0/0 0/0/0 3",
    ],
)
def test_a_start_position_that_is_none(position: str) -> None:
    record = one(f'[ZIP "{position}"]\n\n1. Wb3-c4')
    assert record.fault is not None
    assert (record.fault.code, record.plies) == ("E251", ())


def test_the_board_of_48_is_the_mirror_image() -> None:
    record = one(f'[ZIP "{ZIP48}"]\n\n1. We8-a1 {{[%cal Ge8a1]}} (1. Wa1) Gh5-d7')
    assert (record.board, record.position) == ("48", None)
    assert plies(record) == ["Wd8/h1", "Ga5/e7"]
    assert (record.plies[0].comment, record.plies[0].variations) == ("[%cal Gd8h1]", ("1. Wh1",))
    assert [remark.code for remark in record.remarks] == ["N504"]


def test_without_a_start_position_the_board_is_open() -> None:
    record = one("1. Wb3-c4 Gd2-a1")
    assert (record.board, record.position, record.coordinates) == (None, None, MIRRORED)


@pytest.mark.parametrize(
    ("text", "board", "position"),
    [
        (ZIP37, "37", None),
        (ZIP48, "48", None),
        (OURS48, "48", None),
        (ZIP61, "61", None),
        (
            "oooo/ooooo/oooWoo/ooooooo/1ooooo/2ooooo/3oooo 5/8/10 0/0/0 0/0/0 2",
            "37",
            "37 standard oooo/ooooo/oooWoo/ooooooo/ooooo./ooooo/oooo 5/8/10 0/0/0 0/0/0 2",
        ),
        (f"oo/ooo/1oo {EMPTY}", "custom", f"custom standard a0:oo/b-1:ooo/c0:oo {EMPTY}"),
        (
            "oo/oBo/1oo 6/8/9 0/0/0 0/0/0 1",
            "37",
            "37 standard oo../oBo../.oo.../......./....../...../.... 6/8/9 0/0/0 0/0/0 1",
        ),
        (
            f"oo/////////////ooo {EMPTY}",
            "custom",
            f"custom standard a0:oo/n-13:ooo {EMPTY}",
        ),
    ],
)  # fmt: skip
def test_positions(text: str, board: str, position: str | None) -> None:
    start = zip_position.read(text)
    assert (start.board, start.position) == (board, position)


def test_rings_are_called_by_the_start_position_s_own() -> None:
    # Column a is gone, and the lowest ring of the next: b2 is the ZIP's a1.
    start = zip_position.read("1oooo/oooooo/ooooooo/1oooooo/2ooooo/3oooo 6/8/10 0/0/0 0/0/0 2")
    assert (start.names["a1"], start.names["b1"], start.names["f4"]) == ("b2", "c1", "g4")


@given(st.text("oWGB0123456789/ ", max_size=80))
def test_any_text_is_a_position_or_none(text: str) -> None:
    try:
        zip_position.read(f"{text} {EMPTY}")
    except NoPosition as cause:
        assert str(cause)


@given(st.text() | st.text('[]"ZIPWGBabd1234-x+wg{}(). \n', max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for record in zen.read(text):
        assert record.dialect == "zen"
        assert record.fault is None or record.fault.message


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        (GAME, "zen"),
        ("1. Wb3-c4 Gd2-a1", "zen"),
        ("Wb3-c4", "zen"),
        ("1. Wa4xc4xe5+wg", "zen"),
        ('[Event "x"]\n[Site "y"]\n\n1. Wb3-c4', "zen"),
        ("{a note} 1. Wb3 -c4", "zen"),
        ("1. Wb3,c4 -", "gipf"),
        ("1. Wd4 x Wa1", "gipf"),
        ('[Event "Wb3-c4"]\n\n1. Wb3,c4', "gipf"),
    ],
)
def test_it_is_detected_from_the_content(text: str, dialect: str) -> None:
    assert detect(text) == dialect
    assert detect(text, "a.txt") == dialect


RECORD = one(f'[ZIP "{ZIP37}"]\n\n1. Wb3-c4 *')


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"rule_set": "blitz"}, "ZEN has the standard rules only"),
        ({"tournament": True}, "ZEN has the standard rules only"),
        ({"claims": "written"}, "ZEN claims every full group, so written claims have no form"),
        ({"result": "1/2-1/2"}, "ZEN has no result 1/2-1/2: a player must win"),
        ({"result": "0-0"}, "ZEN has no result 0-0: a player must win"),
        ({"plies": (RECORD.plies[0]._replace(kind="pass"),)}, "ZEN has no pass"),
    ],
)
def test_what_zen_can_not_express_is_a_value(changes: dict[str, object], cause: str) -> None:
    from dataclasses import replace

    assert WRITERS["zen"](replace(RECORD, **changes)) == Unwritable(cause)


def test_characters_without_a_form_are_replaced() -> None:
    from dataclasses import replace

    text = zen_writer.write(replace(RECORD, event='The "big" one', comment="a {brace}"))
    assert (one(text).event, one(text).comment) == ("The 'big' one", "a (brace)")
