"""Reading official notation."""

# ruff: noqa: RUF001 - some texts have letters of other scripts
from __future__ import annotations

import re
import subprocess
import sys
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.check.check_record import check
from zertz_db.parser.gipf import grammar
from zertz_db.parser.gipf.reader import CODES, read
from zertz_db.parser.gipf.tags import FIELDS
from zertz_db.parser.gipf.writer import write
from zertz_db.parser.record import Marble, Ply, Record
from zertz_db.parser.text import size_limits
from zertz_db.play.generate import generate_games


def one(text: str) -> Record:
    (record,) = read(text)
    return record


def brief(ply: Ply) -> str:
    """Return a ply in a form of our own, so that tests do not depend on the writer."""
    jumps = "".join(f">{colour}{ring}" for colour, ring in ply.jumps)
    claim = "".join(f"+{colour}{ring}" for colour, ring in ply.claim)
    return f"{ply.kind[:2]} {ply.colour or ''}{ply.ring}{f'/{ply.removed}' if ply.removed else ''}{jumps}{claim}"


def plies(record: Record) -> list[str]:
    return [brief(ply) for ply in record.plies]


def codes(record: Record) -> list[str]:
    return [remark.code for remark in record.remarks]


# ---- the notation

GAME = """[Event "Tuesday"]
[Site "?"]
[Date "2024.02.??"]
[Round "3"]
[Player1 "Ann \\"A\\" \\\\ B"]
[Player2 "Bob"]
[Result "1-0"]
[Board "48"]
[RuleSet "blitz"]
[Tournament "yes"]
[Claims "written"]
[Clock "down"]
[Termination "normal"]
[Opening "unknown tag"]

{before} 1. Wd4,d1! Bd7,b2 x Wa1Wa2 {[%clk 0:01:02] a thought} ; and another
2. x d1Gd3Wd5 ( 2. Gd2 (deeper) {)} Wd3 ) Wd4 $5 ?!
3. - 1-0
"""


def test_a_whole_game() -> None:
    record = one(GAME)
    assert (record.dialect, record.fault, record.remarks) == ("gipf", None, ())
    assert plies(record) == ["pl Wd4/d1", "pl Bd7/b2+Wa1+Wa2", "ca d1>Gd3>Wd5", "pl Wd4", "pa "]
    assert (record.event, record.site, record.date, record.round) == ("Tuesday", None, "2024.02.??", "3")
    assert (record.player1, record.player2) == ('Ann "A" \\ B', "Bob")
    assert (record.board, record.rule_set, record.tournament, record.claims) == ("48", "blitz", True, "written")
    assert (record.clock, record.result, record.ending, record.ending_by) == ("down", "1-0", None, None)
    assert record.tags[-1] == ("Opening", "unknown tag")
    assert len(record.tags) == 14
    assert record.comment == "before"
    assert [ply.marks for ply in record.plies] == [("!",), (), (), ("$5", "?!"), ()]
    assert (record.plies[1].clock, record.plies[1].comment) == (62_000, "a thought\nand another")
    assert record.plies[2].variations == ("2. Gd2 (deeper) {)} Wd3",)
    assert GAME[record.span.start : record.span.end] == GAME.rstrip()
    assert record.result_span is not None
    assert GAME[record.result_span.start : record.result_span.end] == "1-0"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Wd4,d1 Bd7,b2 2. x d1Gd3Wd5 -", ["pl Wd4/d1", "pl Bd7/b2", "ca d1>Gd3>Wd5", "pa "]),
        ("Wd4\nBd7\n\nGe1", ["pl Wd4", "pl Bd7", "pl Ge1"]),
        ("1. Wd4\n1... Bd7\n2. Ge1", ["pl Wd4", "pl Bd7", "pl Ge1"]),
        ("1. Wd4\n2. Bd7\n3. Ge1", ["pl Wd4", "pl Bd7", "pl Ge1"]),
        ("1.Wd4 Bd7 2.Ge1", ["pl Wd4", "pl Bd7", "pl Ge1"]),
        ("Wd4 x Wa1", ["pl Wd4+Wa1"]),
        ("Wd4 x Wa1 Wa2", ["pl Wd4+Wa1", "pl Wa2"]),
        ("Wd4 x\nWa1Ba2", ["pl Wd4+Wa1+Ba2"]),
        ("Wd4 x d3Wd5", ["pl Wd4", "ca d3>Wd5"]),
        ("x b2Wb4 Wb2", ["ca b2>Wb4", "pl Wb2"]),
        ("Wq12,j10", ["pl Wq12/j10"]),
        ("- - {c} -", ["pa ", "pa ", "pa "]),
    ],
)
def test_plies(text: str, expected: list[str]) -> None:
    record = one(text)
    assert (plies(record), record.fault, record.remarks) == (expected, None, ())


def test_each_ply_has_its_exact_place() -> None:
    text = "\n1. Wd4,d1 {two\nlines} x d1Gd3\n  2. Bd7,b2 x Wa1Wa2! W d5"
    spans = [ply.span for ply in one(text).plies]
    assert [text[span.start : span.end] for span in spans] == ["Wd4,d1", "x d1Gd3", "Bd7,b2 x Wa1Wa2", "W d5"]
    assert [(span.line, span.column) for span in spans] == [(2, 4), (3, 8), (4, 6), (4, 23)]


@pytest.mark.parametrize(
    ("text", "clock", "comment"),
    [
        ("{[%clk 0:01:02]}", 62_000, None),
        ("{[%clk 1:00:00.5]}", 3_600_500, None),
        ("{good [%clk 0:00:00.042]}", 42, "good"),
        ("{a} {[%clk 0:00:01]} {b}", 1000, "a\nb"),
        ("{}", None, ""),
        ("{\\}\\{\\\\n}", None, "}{\\n"),
        ("{C:\\dir}", None, "C:\\dir"),
        ("; to the end {of\n", None, "to the end {of"),
        ("{\\[%clk 0:00:01]}", None, "[%clk 0:00:01]"),
    ],
)
def test_clocks_and_comments(text: str, clock: int | None, comment: str | None) -> None:
    record = one(f"Wd4 {text} Bd5")
    assert (record.plies[0].clock, record.plies[0].comment, record.remarks) == (clock, comment, ())
    assert len(record.plies) == 2


@pytest.mark.parametrize(
    ("text", "result", "ending", "by"),
    [
        ("Wd4 1-0", "1-0", None, None),
        ("Wd4 0-1", "0-1", None, None),
        ("Wd4 1/2-1/2", "1/2-1/2", None, None),
        ("Wd4 0-0", "0-0", None, None),
        ("Wd4 *", "*", None, None),
        ("Wd4", None, None, None),
        ("Wd4 resigns", None, "resign", None),
        ("Wd4 Bd5 resigns 0-1", "0-1", "resign", 1),
        ("Wd4 2. Player1 resigns", "0-1", "resign", 1),
        ("Wd4 Bd5 Player2 resigns 1-0", "1-0", "resign", 2),
        ('[Position "37 standard o 5/8/10 0/0/0 0/0/0 2"]\n[SetUp "1"]\n1... resigns', None, "resign", None),
        ('[Result "0-1"]\nWd4', "0-1", None, None),
        ('[Result "?"]\nWd4', None, None, None),
        ('[Result "0-1"]\n[Termination "resignation"]\nWd4', "0-1", "resign", 1),
        ('[Termination "time forfeit"]\nWd4 1-0', "1-0", "time", 2),
        ('[Termination "agreement"]\nWd4 1/2-1/2', "1/2-1/2", "agreed", None),
        ('[Termination "repetition"]\nWd4 1/2-1/2', "1/2-1/2", "repetition", None),
        ('[Termination "abandoned"]\nWd4 *', "*", "abandoned", None),
        ('[Termination "board-filled"]\nWd4 *', "*", "board-filled", None),
    ],
)
def test_results_and_endings(text: str, result: str | None, ending: str | None, by: int | None) -> None:
    record = one(text)
    assert (record.result, record.ending, record.ending_by, record.remarks) == (result, ending, by, ())


def test_a_half_turn_is_stored() -> None:
    record = one("Wd4,d1 {half turn 2: Wd4} {he left} resigns 1-0")
    assert record.half_turn is not None
    assert (record.half_turn.text, record.half_turn.mover, record.plies[0].comment) == ("Wd4", 2, "he left")


def test_start_positions_stay_text() -> None:
    position = "custom standard a-3:oooo/b-4:ooooo 6/8/10 0/0/0 0/0/0 1"
    record = one(f'[Board "custom"]\n[SetUp "1"]\n[Position "{position}"]\n\nWd4')
    assert (record.board, record.position, record.remarks) == ("custom", position, ())


# ---- leniencies


@pytest.mark.parametrize(
    ("text", "expected", "remarks"),
    [
        ("\ufeffWd4", ["pl Wd4"], ["W110"]),
        ("Wd4\r\nBd5\r\n", ["pl Wd4", "pl Bd5"], []),
        ("Wd4\rBd5", ["pl Wd4", "pl Bd5"], ["W713"]),
        ("Wd4\tBd5\t-", ["pl Wd4", "pl Bd5", "pa "], ["W712"]),
        ("Wd4\u00a0Bd5", ["pl Wd4", "pl Bd5"], ["W713"]),
        ("Wd4 × Wa1 X d1Gd3", ["pl Wd4+Wa1", "ca d1>Gd3"], ["W714"]),
        ("– pass", ["pa ", "pa "], ["W715"]),
        ("Wd4 1–0", ["pl Wd4"], ["W716"]),
        ("Wd4 ½-½", ["pl Wd4"], ["W716"]),
        ("wd4,d1 x d1gd3", ["pl Wd4/d1", "ca d1>Gd3"], ["W717"]),
        ("bb2 x bb3", ["pl Bb2+Bb3"], ["W717"]),
        ("WD4,D1", ["pl Wd4/d1"], ["W718"]),
        ("Wd4, d1", ["pl Wd4/d1"], ["W719"]),
        ("W d4 ,d1 Bd5", ["pl Wd4/d1", "pl Bd5"], ["W719"]),
        ("Wd4x Wa1", ["pl Wd4+Wa1"], ["W720"]),
        ("xd1Gd3", ["ca d1>Gd3"], ["W720"]),
        ("1 Wd4 Bd5 2 Ge1", ["pl Wd4", "pl Bd5", "pl Ge1"], ["W721"]),
        ("1. Wd4 3. Bd5 5. Wd1", ["pl Wd4", "pl Bd5", "pl Wd1"], ["W522"]),
        ("Wd4 Resigned", ["pl Wd4"], ["W723"]),
        ("Wd4 {[%clk 1:2:3]}", ["pl Wd4"], ["W524"]),
        ("Wd4 {[%clk 0:00:01] [%clk 0:00:02]}", ["pl Wd4"], ["W524"]),
        ("Wd4 {open Bd5 {closed}", ["pl Wd4"], ["W225"]),
        ('[Event "a"]\n[Event "b"]\nWd4', ["pl Wd4"], ["W526"]),
        ('[White "a"]\n[Player1 "b"]\nWd4', ["pl Wd4"], ["W732", "W526"]),
        ('[Result "1-0"]\nWd4 0-1', ["pl Wd4"], ["W427"]),
        ('[Termination "time"]\nWd4 resigns', ["pl Wd4"], ["W427"]),
        ('[Board "39"]\nWd4', ["pl Wd4"], ["W528"]),
        ('[Result "won"]\nWd4', ["pl Wd4"], ["W528"]),
        ('[Termination "fire alarm"]\nWd4', ["pl Wd4"], ["W529"]),
        ('[Board "61"]\nWj1,j2 x Wj3 x j5Gj3', ["pl Wi1/i2+Wi3", "ca i5>Gi3"], ["W730"]),
        ('[Board "61"]\nWj1,i2', ["pl Wj1/i2"], []),
        ('[Board "custom"]\nWj1', ["pl Wj1"], []),
        ('[Date "2024-2-29"]\nWd4', ["pl Wd4"], ["W531"]),
        ('[Date "spring"]\nWd4', ["pl Wd4"], ["W531"]),
        ('[Date "2024.02.30"]\nWd4', ["pl Wd4"], ["W531"]),
        ('[Date "2024.02.29"]\nWd4', ["pl Wd4"], []),
        ("Wd4\n\x1a", ["pl Wd4"], ["W713"]),
        ("Wd4 \0\0\0Bd3\0", ["pl Wd4", "pl Bd3"], ["W713"]),
        ("Wd4 {a\0b}", ["pl Wd4"], []),
        ('[event "x"]\nWd4', ["pl Wd4"], ["W732"]),
        ('[SetUp "1"]\nWd4', ["pl Wd4"], ["W533"]),
        ('[Position "37"]\nWd4', ["pl Wd4"], ["W533"]),
        ('[PlyCount "2"]\nWd4', ["pl Wd4"], ["W534"]),
        ("Wd4 resigns 0-1", ["pl Wd4"], ["W435"]),
        ('[Rules "blitz"]\nWd4', ["pl Wd4"], ["W536"]),
        ('[Rules "blitz"]\n[RuleSet "blitz"]\nWd4', ["pl Wd4"], []),
    ],
)
def test_what_is_read_with_a_remark(text: str, expected: list[str], remarks: list[str]) -> None:
    record = one(text)
    assert (plies(record), codes(record), record.fault) == (expected, remarks, None)


@pytest.mark.parametrize(
    ("tag", "wanted"),
    [
        ('[Board "39"]', "one of: 37, 40, 43, 44, 48, 61, custom"),
        ('[Claims "x"]', "one of: written, automatic"),
        ('[PlyCount "x"]', "a number"),
        ('[Result "won"]', "one of: 1-0, 0-1, 1/2-1/2, 0-0, *"),
        ('[Tournament "maybe"]', "one of: yes, true, 1, no, false, 0"),
    ],
)
def test_what_a_tag_may_say_is_listed(tag: str, wanted: str) -> None:
    assert [remark.suggestion for remark in one(f"{tag}\nWd4").remarks] == [wanted]


def test_a_habit_is_remarked_upon_once_at_its_first_place() -> None:
    (remark,) = one("wd4 Bd5 wd3 bd2").remarks
    assert (remark.code, remark.span.start) == ("W717", 0)
    assert "3 times" in remark.message


def test_spaces_in_comments_and_tags_cause_no_remark() -> None:
    assert one('[Event "a\tb"]\n\nWd4 {a\tb\u00a0c}').remarks == ()


def test_a_contradicted_tag_stays_and_the_terminator_counts() -> None:
    record = one('[Result "1-0"]\nWd4 0-1')
    assert (record.result, record.tags) == ("0-1", (("Result", "1-0"),))


def test_the_first_of_two_tags_counts() -> None:
    record = one('[White "a"]\n[Player1 "b"]\nWd4')
    assert (record.player1, record.tags) == ("a", (("White", "a"), ("Player1", "b")))


# ---- faults


@pytest.mark.parametrize(
    ("text", "code", "place", "before", "expected"),
    [
        ("Wd4 hello Bd5", "E210", "hello", 1, "a ply such as Wd4,d1 or x d1Gd3"),
        ("Wd4,d1Bd7,b2", "E210", "B", 1, "a claim such as x Wa1"),
        ("Wd4 resing 1-0", "E210", "resing", 1, "a resignation"),
        ("Wd4 {open", "E211", "{open", 1, None),
        ("Wd4 (open {)} Bd5", "E212", "(", 1, None),
        ("Wd4 (a (b) 1-0", "E212", "(", 1, None),
        ('[Event "x]\n[Site "y"]\n\nWd4', "E213", '[Event "x]', 0, None),
        ("[Event x]\n\nWd4", "E213", "[Event x]", 0, None),
        ('[Event "x"\nWd4', "E213", '[Event "x"', 0, None),
        ("Wd4 [%clk 0:00:01] Bd5", "E213", "[%clk 0:00:01] Bd5", 1, None),
        ("Bd5 Wd13", "E214", "d13", 1, "a ring such as d4"),
        ("Bd5 x d4Gz3", "E214", "z3", 1, "a ring such as d4"),
        ("Bd5 Wd4,r1", "E214", "r1", 1, "a ring such as d4"),
        ("Wd5 Nd4", "E215", "N", 1, "a colour letter W, G or B"),
        ("Bd5 x d1Sd3", "E215", "S", 1, "a colour letter W, G or B"),
        ("Bd5 d4,d1", "E215", "d4", 1, "a colour letter W, G or B"),
        ("Bd5 Wd", "E216", "d", 1, "a ring such as d4"),
        ("Bd5 Wd4,", "E216", "", 1, "a ring such as d4"),
        ("Bd5 Wd4, Bd6", "E216", "Bd6", 1, "a ring such as d4"),
        ("Bd5 x d1", "E217", "", 1, "a jump such as Gd3: the colour jumped and the ring reached"),
        ("Bd5 x d1 Gd3", "E217", "Gd3", 1, "a jump such as Gd3: the colour jumped and the ring reached"),
        ("Wd4 ) Bd5", "E218", ")", 1, None),
        ("Wd4 } Bd5", "E218", "}", 1, None),
        ("Wd4 resigns Bd5", "E219", "Bd5", 1, "a result such as 1-0"),
        ("Wd4 1-0 1-0", "E219", "1-0", 1, "the end of the record"),
        ("! Wd4", "E222", "!", 0, "a ply such as Wd4,d1 or x d1Gd3"),
        ("(Wd4) Bd5", "E222", "(", 0, "a move number"),
    ],
)
def test_faults_are_placed_and_explained(text: str, code: str, place: str, before: int, expected: str | None) -> None:
    record = one(text)
    fault = record.fault
    assert fault is not None
    assert (fault.code, text[fault.span.start : fault.span.end]) == (code, place)
    assert expected in fault.expected if expected else not fault.expected
    assert len(fault.expected) <= 3
    assert len(record.plies) == before


@pytest.mark.parametrize(
    ("sign", "result"),
    [
        ("=", "1/2-1/2"), ("+-", "1-0"), ("+/-", "1-0"), ("+:-", "1-0"), ("+ -", "1-0"), ("+−", "1-0"), ("±", "1-0"),
        ("-+", "0-1"), ("-/+", "0-1"), ("--+", "0-1"), ("∓", "0-1"), ("=.", "1/2-1/2"),
    ],
)  # fmt: skip
def test_a_sign_for_a_result_or_a_judgement_is_a_fault_that_names_both(sign: str, result: str) -> None:
    fault = one(f"Wd4 Bd5 {sign}").fault
    assert fault is not None
    assert (fault.code, fault.message) == (
        "E210",
        f"{sign.rstrip('.')!r} can be the result or a judgement of the position",
    )
    assert fault.suggestion is not None
    assert f"write {result}, for a" in fault.suggestion
    assert "$1" in fault.suggestion
    assert fault.expected[0] == "a result such as 1-0"


@pytest.mark.parametrize(
    ("text", "result", "variations"),
    [
        ("Wd4 Bd5 (0-1)", "0-1", ()),
        ("Wd4 Bd5 (0-1) *", "*", ("0-1",)),
        ("Wd4 Bd5 (0-1) Wd6", None, ("0-1",)),
        ("Wd4 Bd5 (Wd6 0-1)", None, ("Wd6 0-1",)),
        ("Wd4 Bd5 ((0-1))", None, ("(0-1)",)),
    ],
)
def test_a_result_in_parentheses_counts_at_the_end_only(
    text: str, result: str | None, variations: tuple[str, ...]
) -> None:
    record = one(text)
    assert (record.result, record.plies[1].variations, record.fault) == (result, variations, None)
    assert ("W716" in codes(record)) == (result == "0-1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Wd4 Bd5 1-0 resigns\n1. Wd6", [("1-0", 2, 2), (None, None, 1)]),
        ("1. Wd4 Bd5 0-1 (resign) 1. Wd6", [("0-1", 1, 2), (None, None, 1)]),
        ("1. Wd4 Bd5 1/2-1/2 resigns", [("1/2-1/2", None, 2)]),
        ("1. Wd4 resigns 0-1 resigns", [("0-1", 1, 1)]),
        ("1. Wd4 Bd5 Player2 resigns (short of time) 1-0 (at home)", [("1-0", 2, 2)]),
        ("1. Wd4 Bd5 resigns (short of time)\n\n1. Wd6", [(None, None, 2), (None, None, 1)]),
        ("1. Wd4 Bd5 Player2 resigns in a lost position", [("1-0", 2, 2)]),
        ("1. Wd4 Bd5 1-0\nresigns", [("1-0", 2, 2)]),
        ("1. Wd4 Bd5 1-0 {well}\n\nresigned.\n\n1. Wd6", [("1-0", 2, 2), (None, None, 1)]),
        ("1. Wd4 Bd5 1-0\nPlayer2 resigns\n", [("1-0", 2, 2)]),
        ("1. Wd4 Bd5 0-1 Player 1 resigns", [("0-1", 1, 2)]),
        ("1. Wd4 Bd5 0-1 Player2 resigns", [("0-1", 2, 2)]),
        ("1. Wd4 Bd5 0-1\nresigns 1-0", [("0-1", None, 2), ("1-0", 2, 0)]),
        ("1. Wd4 (resign) Bd5 1-0", [("1-0", None, 2)]),
    ],
)
def test_a_resignation_after_the_result_is_no_game_of_its_own(
    text: str, expected: list[tuple[str | None, int | None, int]]
) -> None:
    records = list(read(text))
    assert [(record.result, record.ending_by, len(record.plies)) for record in records] == expected
    assert [record.fault for record in records] == [None] * len(expected)


@pytest.mark.parametrize(
    ("behind", "comment"),
    [
        ("1-0 (time)", "time"),
        ("1-0(time)", "time"),
        ("1-0 (time", "(time"),
        ("1-0\n\n(on time,\nat home)", "on time,\nat home"),
        ("1-0 (on time,\nafter move 20)", "on time,\nafter move 20"),
        ("1-0 in 20 moves", "in 20 moves"),
        ("1-0 (see 1. Wd4 (better))", "see 1. Wd4 (better)"),
        ("1-0 {well} (time) (played at home)", "well\ntime\nplayed at home"),
        ("1-0 - on time; really", "on time\nreally"),
        ("1-0, Black resigns {well}", "Black resigns\nwell"),
        ("(1-0) (time)", "time"),
        ("[1-0]", None),
        ("\n[ 1 - 0 ]. (time)", "time"),
        ("1-0 ()", None),
    ],
)
def test_words_after_the_result_are_a_comment(behind: str, comment: str | None) -> None:
    text = f"1. Wd4 Bd5 {behind}"
    first, second = read(f"{text}\n\n{text}")
    for record in (first, second):
        assert (record.fault, record.result, record.ending, len(record.plies)) == (None, "1-0", None, 2)
        assert record.plies[-1].comment == comment
        assert {remark.code for remark in record.remarks} <= {"W757", "W716"}


@pytest.mark.parametrize("behind", ["Wd4,d1 Bd3,a1", "time 1. Wd4", "time 1 Wd4", "[time]", "\nHello"])
def test_no_move_becomes_a_comment_after_the_result(behind: str) -> None:
    first, *others = read(f"1. Wd4 Bd5 1-0 {behind}")
    assert (first.result, first.plies[-1].comment) == ("1-0", None)
    assert others


def test_many_zeros_around_a_game_do_not_make_it_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size_limits, "MAX_RECORD_LENGTH", 5_000)
    zeros = "\0" * 5_001
    for text, codes_of in (
        (f"Wd4 0-1\n{zeros}Bd5 0-1\n", [[], ["W713"]]),
        (f"Wd4 0-1\n{zeros}\n", [["W713"]]),
        (f"{zeros}Wd4 0-1\n", [["W713"]]),
        (f"Wd4 {zeros} 0-1\n", [[]]),
    ):
        assert [codes(record) for record in read(text)] == codes_of
        assert [record.fault for record in read(text)].count(None) == ("Wd4 \0" not in text) * len(codes_of)


@pytest.mark.parametrize("result", ["0-1.", "(0-1)", "(0-1).", "0 / 1"])
def test_the_next_game_begins_after_a_result_in_another_spelling(result: str) -> None:
    for separator in ("\n", " ", "\n\n"):
        for head in ("1. ", '[Event "b"]\n1. '):
            first, second = read(f"1. Wd4 Bd5 {result}{separator}{head}Wd6")
            assert (first.result, plies(first), plies(second)) == ("0-1", ["pl Wd4", "pl Bd5"], ["pl Wd6"])


def test_the_likeliest_meaning_is_named_first() -> None:
    fault = one("Wd4 resing 1-0").fault
    assert fault is not None
    assert fault.expected[0] == "a resignation"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Rules", "RuleSet"),
        ("Rule_Set", "RuleSet"),
        ("Variant", "RuleSet"),
        ("Rings", "Board"),
        ("Bord", "Board"),
        ("Winner", "Result"),
        ("Reslt", "Result"),
        ("Plyer2", "Player2"),
        ("Terminaton", "Termination"),
        ("Positon", "Position"),
        ("Setup", None),
        ("EventDate", None),
        ("TimeControl", None),
        ("Opening", None),
        ("Annotator", None),
        ("UTCTime", None),
        ("WhiteElo", None),
        ("GM", None),
        ("Weather", None),
    ],
)
def test_tags_that_look_like_ones_that_count(name: str, meant: str | None) -> None:
    phrases = [remark for remark in one(f'[{name} "a \\"b\\" \\\\"]\nWd4').remarks if remark.code == "W536"]
    assert [f"{meant} was meant" in remark.message for remark in phrases] == [True] * bool(meant)
    assert [remark.suggestion for remark in phrases] == [f'[{meant} "a \\"b\\" \\\\"]'] * bool(meant)


STYLE = [
    "Wd4 hello", "Wd4 {open", "Wd4 (open", '[Event "x]', "Bd5 Wd13", "Nd4", "d4", "Wd", "x d1", "x d1 Gd3", "Wd4 )", "Wd4 1-0 1-0",
    "!", "\ufeffWd4\tBd5\u00a0Wd5", "Wd4× Wa1 – 1–0", "wd4, D1", "Wd4 2 Bd5 9. Wd6", "Wd4 Resigned 1-0", "Wd4 {[%clk 1:2:3] {}",
    '[Result "1-0"]\n[Board "39"]\n[Date "x"]\n[event "y"]\n[Termination "fire"]\n[SetUp "1"]\n[PlyCount "2"]\n[Rules "x"]\nWd4 0-1',
    '[Board "61"]\n[Date "2024-2-29"]\n[Event "a"]\n[Event "b"]\n[Position "37"]\n[Termination "time"]\nWj1 resigns 1-0',
]  # fmt: skip


@pytest.mark.parametrize("text", STYLE)
def test_messages_are_phrases_in_one_style(text: str) -> None:
    """Small letters at the beginning (tags and the like are names), no full stop at the end."""
    phrases = [
        (found.message, found.suggestion) for record in read(text) for found in (*record.remarks, record.fault) if found
    ]
    assert phrases
    names = (*FIELDS, "Player", "X", "[")
    for words in (words for both in phrases for words in both if words):
        assert not re.search(r"[^\d]\.$", words), words
        assert not words[0].isupper() or words.startswith(names), words


def test_a_fault_knows_line_and_column() -> None:
    fault = one("Wd4\n\n  Bd5,d13 Wd1").fault
    assert fault is not None
    assert (fault.span.line, fault.span.column) == (3, 7)
    assert fault.suggestion is not None


def test_a_broken_record_has_its_facts() -> None:
    record = one('[Event "x"]\n[Result "1-0"]\n[PlyCount "9"]\n\nWd4 {c} ?! Bd5 oops 1-0')
    assert (record.event, record.result, plies(record)) == ("x", "1-0", ["pl Wd4", "pl Bd5"])
    assert (record.plies[0].comment, record.plies[0].marks, record.remarks) == ("c", ("?!",), ())


# ---- many games

TAGGED = '[Event "next"]\n\n1. Ge1 *\n'


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", []),
        (" \n\ufeff\n", []),
        ("{only a comment}", []),
        ('[Event "no moves"]\n', [0]),
        ("[Event x\n", [0]),
        ("1. 1. 1. Wd4", [1]),
        ('[Event "a"]\n\nWd4 1-0\n\n[Event "b"]\n\nWd4 Bd5', [1, 2]),
        ('[Event "a"]\n\nWd4\n\n[Event "b"]\n\nWd4 Bd5', [1, 2]),
        ('[Event "a"]\n\n[Event "b"]\n\nWd4 Bd5', [0, 2]),
        ('[Event "a"]\n\n[Site "b"]\n\nWd4 Bd5', [2]),
        ("Wd4 1-0 Bd5 Wd6 0-1", [1, 2]),
        ("1. Wd4 Bd5 1. Ge1", [2, 1]),
        ("1. Wd4 Bd5 1 Ge1 Bd7 2 Wd2", [2, 3]),
        ("1. Wd4 (1. Gd4 1-0) 1... Bd5", [2]),
        ("Wd4 1-0 {well played} Bd5", [1, 1]),
        ("Wd4 1-0 junk", [1]),
        ("Wd4 1-0 junk4", [1, 0]),
        ("junk\n\n" + TAGGED, [0, 1]),
        ("Wd4 {open\n\n" + TAGGED, [1, 1]),
        ("Wd4 {open\n\n1. Wd4 Bd5", [1, 2]),
        ("Wd4 (open\n\n" + TAGGED, [1, 1]),
        ("Wd4 ((open 1-0\n\n1. Wd4 Bd5", [1, 2]),
        ("Wd4,d13 Bd5 1-0\n\nWd4 Bd5", [0, 2]),
        ('[Event "open\n\nWd4 1-0\n\n' + TAGGED, [0, 1]),
        ('[Event open]\n[Site "s"]\n\nWd4 1-0\n\n' + TAGGED, [0, 1]),
    ],
)
def test_records_are_separated_and_no_bad_one_swallows_the_next(text: str, counts: list[int]) -> None:
    assert [len(record.plies) for record in read(text)] == counts


def test_a_comment_after_the_terminator_belongs_to_the_game_it_ends() -> None:
    first, second = read("Wd4 1-0 {well played} Bd5")
    assert (first.plies[0].comment, second.comment) == ("well played", None)


def test_lines_are_counted_over_the_whole_text() -> None:
    second = list(read('Wd4\n\n1-0\n\n[Event "b"]\nWd5'))[1]
    assert (second.span.line, second.plies[0].span.line) == (5, 6)


def test_reading_is_lazy() -> None:
    records = read("Wd4 1-0\n" * 3)
    with patch.object(grammar, "parse", wraps=grammar.parse) as parse:
        next(records)
    assert parse.call_count == 1


def test_importing_the_reader_does_not_import_lark() -> None:
    code = "import sys, parser.gipf.reader, parser.gipf.writer; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---- any text at all

PIECES = st.sampled_from(
    [
        *("Wd4", "Bd7,b2", "Gq12,q1 x Wa1Ba2", "x d1Gd3Wd5", "x d1Gd3", "-", "1.", "1...", "2.", "3", "27.", "resigns"),
        *("{c}", "{[%clk 0:00:01]}", "{[%clk 9]}", "; line\n", "!", "?!", "$3", "(Wd4)", "(a (b) {)} c)", "1-0", "*", "1–0"),
        *("{half turn: Wd4}", "Player2 resigns", "wd4", "WD4", "W d4", "Wd4, d1", "× d1Gd3", "Wd13", "Nd4", "x", "W", "d4", ","),
        *("{", "}", "(", ")", "[", "]", '"', "\\", "\n", "\n\n", "\r\n", "\t", "\ufeff", "\u00a0", "–", "word"),
        *('{q\n[Event "e"]\n', '1-0[Event "e"]\n', "% 1-0\n", "> ", "| ", "\n| - | a |\n", "Вd4", "ｄ４", "0 - 1", "½:½", "Tie", "--"),
        *('[Event "a "b""]\n', "[Event “e”]\n", "[Event 'e']\n", "; 2. Wd4", "; Wd4 is good\n", "Player A: Wd4", "Ada: Wd4", ",-"),
        *('[Event "e"]\n', '[Board "61"]\n', '[Result "1-0"]\n', '[PlyCount "3"]\n', "[Event e]\n", "Wj1", "Wi1"),
    ]
)  # fmt: skip
SOUP = st.lists(st.tuples(PIECES, st.sampled_from([" ", " ", " ", "\n", ""])), max_size=25).map(
    lambda pieces: "".join(piece + gap for piece, gap in pieces)
)


def edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, length, new in edits:
        place = start % (len(text) + 1)
        text = text[:place] + new + text[place + length :]
    return text


MUTANTS = st.builds(
    edited,
    st.sampled_from([GAME, GAME + "\n" + GAME, GAME.replace("\n", "\r\n")]),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 9), st.text(max_size=3) | PIECES), max_size=6),
)
QUICK = '\n\n[Player1 "Ada"]\n[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 1-0\n'
ANYTHING = st.one_of(SOUP, MUTANTS, st.text())


@settings(max_examples=400, deadline=None)
@given(ANYTHING)
def test_no_text_raises_and_every_place_is_in_the_text(text: str) -> None:
    end = 0
    for record in read(text):
        assert end <= record.span.start <= record.span.end <= len(text)
        end = record.span.end
        spans = [remark.span for remark in record.remarks] + [ply.span for ply in record.plies]
        spans += [record.fault.span] if record.fault else []
        for span in spans:
            assert 0 <= span.start <= span.end <= end
            assert span.line == text.count("\n", 0, span.start) + 1
        known = {remark.code for remark in record.remarks} | ({record.fault.code} if record.fault else set())
        assert known <= CODES.keys()


@settings(max_examples=400, deadline=None)
@given(ANYTHING)
@pytest.mark.long
def test_runs_and_single_characters_give_equal_records(text: str) -> None:
    fast = list(read(text))
    with patch.object(grammar, "parse", grammar.parse_by_character):
        assert list(read(text)) == fast


@pytest.mark.parametrize(
    "piece",
    [
        "1. ",
        "(",
        ")",
        "{",
        "[",
        '[A "',
        '"',
        "{\n\n",
        '{\n[A "b"]\n',
        '{{\n[A "b"]\n{a}',
        "{\\}",
        "[A “",
        ">",
        "> ",
        "|",
        "|\n",
        "%\n",
        ";",
        "; Wd4",
        "В",
        "Player A: ",
        "a ",
        "Ada: Wd4 ",
        "½",
        "\u200b",
        "'",
        "Wd4\n",
        "Wd4 (",
        "Wd4 {a} ",
        "x d1",
        "1. Wd4 1. ",
        "\\",
        '[A "b"]\n',
    ],
    ids=repr,
)
def test_a_long_text_is_read_as_well(piece: str) -> None:
    text = piece * 4_000
    assert sum(1 for _ in read(text)) <= text.count("1.") + text.count("\n[A") + 1


def test_marbles_keep_colour_and_ring() -> None:
    (ply,) = one("Bd7,b2 x Wa1Ga12").plies
    assert ply.claim == (Marble("W", "a1"), Marble("G", "a12"))


def test_the_fast_search_for_odd_spaces_finds_all_of_them() -> None:
    from zertz_db.parser.gipf.reader import _ANY_ODD_CHARACTER, _ODD_SPACE

    signs = "".join(map(chr, range(0x110000)))
    odd = set(_ODD_SPACE.findall(signs))
    assert "\u3000" in odd
    assert odd <= set(_ANY_ODD_CHARACTER.findall(signs))


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
def test_the_quick_way_gives_what_the_thorough_one_gives(text: str) -> None:
    from zertz_db.parser.gipf import reader as gipf

    text = text.replace("[", "\n[") + QUICK
    quick = list(read(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gipf, "_read_fast", lambda *_: None)
        assert quick == list(read(text))


@pytest.mark.parametrize("board", ["37", "48", "61"])
def test_the_quick_way_gives_the_same_records(board: str) -> None:
    from zertz_db.parser.gipf import reader as gipf
    from zertz_db.parser.packed_plies import PackedPlies

    texts = []
    for number, moves in enumerate(("1. Wd4,d1 Bd3,a1 2. x d3Wd5", "1. Wd4 x Wa1Ga2 - 2. Bb2,c1", "1. Wa1,b1")):
        texts += [f'[Player1 "A{number}"]\n[Board "{board}"]\n\n{moves} {result}\n' for result in ("1-0", "*", "")]
    texts += ['[Board "37"]\n\n1. Wd4,d1 {[%clk 0:01:02.5]} Bd3,a1 {[%clk 0:00:59]} 1/2-1/2\n']
    text = "\n".join(texts)
    quick = list(read(text))
    assert 5 <= sum(isinstance(record.plies, PackedPlies) for record in quick) < len(quick)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gipf, "_read_fast", lambda *_: None)
        assert quick == list(read(text))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_records_on_one_line_are_those_on_lines_of_their_own(seed: int) -> None:
    text = "\n".join(write(record) for record in generate_games(3, seed=seed))
    apart, glued = list(read(text)), list(read(" ".join(text.split())))
    assert len(glued) == 3
    for one, other in zip(apart, glued, strict=True):
        assert (one.player1, one.player2, one.date, one.result) == (
            other.player1,
            other.player2,
            other.date,
            other.result,
        )
        assert [(ply.kind, ply.ring) for ply in one.plies] == [(ply.kind, ply.ring) for ply in other.plies]


@pytest.mark.parametrize(
    ("tags", "date", "time"),
    [
        ('[Date "2024.05.01"]\n[Time "19:30"]', "2024.05.01", "19:30"),
        ('[Date "2024.05.01"]\n[Time "9:05:07"]', "2024.05.01", "09:05:07"),
        ('[Date "2024.05.01"]\n[StartTime "19.30"]', "2024.05.01", "19:30"),
        ('[UTCDate "2024.05.01"]\n[UTCTime "17:30:00"]', "2024.05.01", "17:30:00"),
        ('[Date "2024.05.02"]\n[Time "01:30"]\n[UTCDate "2024.05.01"]\n[UTCTime "23:30"]', "2024.05.02", "01:30"),
        ('[Date "????.??.??"]\n[UTCDate "2024.05.01"]', "2024.05.01", None),
        ('[Time "noon"]', None, None),
        ('[Time "25:00"]', None, None),
        ('[Time "?"]', None, None),
    ],
)
def test_the_time_of_day_is_that_of_the_tags(tags: str, date: str | None, time: str | None) -> None:
    (record,) = read(f'{tags}\n[Board "37"]\n\n1. Wd4,d1 *')
    assert (record.date, record.time) == (date, time)
    (again,) = read(write(check(record).completed()))
    assert (again.date, again.time) == (date, time)
    assert {name for name, _ in record.tags} <= {name for name, _ in again.tags}


@pytest.mark.parametrize(
    ("between", "records"),
    [
        (' [Event "b"]\n\n1. ', 2),
        (' resigns [Event "b"]\n[Site "c"]\n1. ', 2),
        (' {it ends} [Event "b"] 1. ', 2),
        (' [Event "b"] 2. ', 1),
        (' [Event "b"]\n', 1),
    ],
)
def test_a_tag_after_a_space_begins_a_game_if_a_first_move_follows(between: str, records: int) -> None:
    found = [*read(f"1. Wd4,d1 Bd3,a1{between}Wd4,d1")]
    assert len(found) == records
    assert [remark.code for record in found for remark in record.remarks if remark.code == "W742"] == ["W742"] * (
        records - 1
    )


def test_a_tag_after_a_result_needs_no_line_of_its_own() -> None:
    assert [len(record.remarks) for record in read('1. Wd4,d1 Bd3,a1 0-1 [Event "b"] 1. Wd4,d1 *')] == [0, 0]
