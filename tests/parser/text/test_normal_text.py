"""People's texts: what is read, what is remarked upon once, and what stays unchanged."""

# ruff: noqa: RUF001 - some texts have letters of other scripts
from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parser.gipf.test_writer import facts, records
from zertz_db.check.check_record import check
from zertz_db.parser.dialects import detect, read
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.gipf.writer import write
from zertz_db.parser.record import Record
from zertz_db.parser.text.normal_text import COMMENT, normal, normal_tags, passages

QUOTED = '[Event "Club night"]\n[Player1 "Cleo"]\n\n1. Wa2,b1 Bd3,a1 *\n'


def one(text: str) -> Record:
    (record,) = read(text)
    return record


def codes(record: Record) -> list[str]:
    return [remark.code for remark in record.remarks]


# ---- comments


@pytest.mark.parametrize(
    "comment",
    [
        f"from the export:\n{QUOTED}",
        'compare with\n[Event "Club night"]\nwhere it went on',
        f"two games:\n{QUOTED}\n{QUOTED}",
        '\n  [Event "indented"]\n',
        f"with a comment of its own:\n{QUOTED.replace('Bd3', '{good} Bd3')}",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_comment_that_is_closed_is_a_comment_whatever_it_holds(comment: str, line_end: str) -> None:
    text = f'[Player1 "Ada"]\n\n1. Wd4,d1 {{{comment}}} Bd3,a1 2. x d3Wd5 Player2 resigns 1-0'.replace("\n", line_end)
    record = one(text)
    assert (record.player1, len(record.plies), record.result, record.fault) == ("Ada", 3, "1-0", None)
    assert record.plies[0].comment == comment.strip()
    assert codes(record) == ["N532"]


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        (f"1. Wd4,d1 {{open\n\n{QUOTED}", [1, 2]),
        (f"1. Wd4,d1 {{open\n\n{QUOTED.replace('Bd3', '{good} Bd3')}", [1, 2]),
        (
            f"1. Wd4,d1 {{open\n\n{QUOTED.replace('Bd3', '{good} Bd3')}\n{QUOTED.replace('Bd3', '{as} {well} Bd3')}",
            [1, 2, 2],
        ),
    ],
)
def test_a_comment_that_is_left_open_does_not_take_other_games_along(text: str, plies: list[int]) -> None:
    found = list(read(text))
    assert [len(record.plies) for record in found] == plies
    assert [record.fault is None for record in found] == [False] + [True] * (len(plies) - 1)


def test_an_unclosed_clock_is_a_clock_that_can_t_be_read() -> None:
    record = one("1. Wd4,d1 {[%clk 0:00:01} Bd3,a1 *")
    assert (codes(record), record.plies[0].comment, record.plies[0].clock) == (["W524"], "[%clk 0:00:01", None)


# ---- one remark each, and its words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1. Вd4,d1 Вd3,a1 2. Вe6,a2 *", ["W740"]),
        ("> 1. Wd4,d1\n> Bd3,a1\n> 2. x d3Wd5\n", ["W744"]),
        ("| 1. | Wd4,d1 | Bd3,a1 |\n| 2. | x d3Wd5 | |", ["W745"]),
        ("% a\n% b\n1. Wd4,d1\n% c\nBd3,a1\n% d\n", ["W743"]),
        ("Ada: Wd4,d1\nBen: Bd3,a1\nAda: x d3Wd5", ["W749"]),
        ("Ada: Wd4,d1\nBen: Bd3,a1\nAda: x d3Wd5\nBen: resigns", ["W749"]),
        ('[Event "a "b" c"]\n[Site "d "e" f"]\n1. Wd4,d1 *', ["W741"]),
        ("1. Wd4,d1 Bd3,a1; 2. x d3Wd5 Bd7,b1; 3. Wa2,a3 *", ["N535"]),
        ("1. Wd4,d1 ; or Wd5,a1\nBd3,a1 ; or Bd2,a1\n*", ["W546"]),
    ],
)
def test_a_habit_has_one_remark_in_a_record(text: str, found: list[str]) -> None:
    record = one(text)
    assert (codes(record), record.fault) == (found, None)
    assert record.remarks[0].message.endswith("times)") == (text.count("(") == 0)


def test_the_remark_names_the_letter() -> None:
    (remark,) = one("1. Wd4,d1 Вd3,a1 *").remarks
    assert remark.message == "'В' (U+0412, Cyrillic capital letter ve) is read as B"
    assert (remark.span.line, remark.span.column) == (1, 11)


@pytest.mark.parametrize("text", ["Партия 1. Wd4,d1 *", "1. Wd4,d1 {Вd3 х} *", '[Event "Вечер"]\n1. Wd4,d1 *'])
def test_words_of_other_scripts_stay(text: str) -> None:
    for record in read(text):
        assert "W740" not in codes(record)
    assert normal(text).text == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{> no mail\n> at all} 1. Wd4,d1 *", "> no mail\n> at all"),
        ("{a\n% b} 1. Wd4,d1 *", "a\n% b"),
        ("{a | b\n| c |} 1. Wd4,d1 *", "a | b\n| c |"),
        ("{Ada: Wd4,d1; Bd3} 1. Wd4,d1 *", "Ada: Wd4,d1; Bd3"),
        ("> {a\n> b} 1. Wd4,d1 *", "a\n  b"),
    ],
)
def test_comments_stay_as_they_are(text: str, found: str) -> None:
    record = one(text)
    assert (record.comment, len(record.plies)) == (found, 1)


def test_names_say_whose_ply_it_is() -> None:
    text = "Player 1: Wd4,d1\nPlayer 1: Bd3,a1\n"
    assert [ply.mover for ply in one(text).plies] == [1, 1]
    assert {finding.code for finding in check(one(text), full=False).findings} >= {"E330"}


# ---- semicolons


@pytest.mark.parametrize(
    ("text", "plies", "found"),
    [
        ("1. Wd4,d1 Bd3,a1; 2. Ge6,a2 x d3Wd5 1-0", 4, ["N535"]),
        ("1. Wd4,d1 Bd3,a1;2.Ge6,a2", 3, ["N535"]),
        ("1. Wd4,d1; Bd3,a1; Ge6,a2 resigns", 3, ["N535"]),
        ("1. Wd4,d1 Bd3,a1; 2. Ge6,z2 1-0", 2, ["N535"]),
        ("1. Wd4,d1 ; 2. Bd3,a1 was better\n*", 1, ["W546"]),
        ("1. Wd4,d1 ; a fine ring\nBd3,a1 *", 2, []),
        ("1. Wd4,d1 ; 1-0 was near\nBd3,a1 *", 2, []),
    ],
)
def test_a_semicolon_separates_turns_or_begins_a_comment(text: str, plies: int, found: list[str]) -> None:
    record = one(text)
    assert (len(record.plies), codes(record)) == (plies, found)


def test_an_illegal_ply_after_a_semicolon_is_illegal() -> None:
    record = one('[Result "1-0"] 1. Wd4,d1 Bd3,a1; 2. Ge6,a2 x d3Wd5 1-0')
    assert check(record, full=False).verdict == "illegal"


# ---- games without a blank between them


@pytest.mark.parametrize(
    "result", ["0-1", "*", "1/2-1/2", "0-1 {well played}", "Player1 resigns 0-1", "Player1 resigns"]
)
def test_glued_games_are_two_with_a_warning(result: str) -> None:
    text = f'[Event "A"]\n\n1. Wd4,d1 Bd3,a1 {result}[Event "B"]\n[Board "37"]\n\n1. Wd4,d1 *\n'
    first, second = read(text)
    assert (first.event, len(first.plies), first.fault, codes(first)) == ("A", 2, None, [])
    assert (second.event, second.board, len(second.plies), codes(second)) == ("B", "37", 1, ["W742"])


def test_a_game_stuck_to_a_result_may_have_no_tags() -> None:
    first, second = read("1. Wd4,d1 Bd3,a1 0-11. Wd4,d1 *")
    assert (first.result, len(first.plies), codes(second)) == ("0-1", 2, ["W742"])


def test_tags_stuck_to_a_ply_begin_a_game_where_they_have_the_line_for_themselves() -> None:
    assert [record.event for record in read('1. Wa2,b1[Event "Club night"]\n\n1. Wd4,d1 *')] == [None, "Club night"]
    (record,) = read('1. Wa2,b1[Annotator "x"] Bd3,a1 *')
    assert record.fault is not None and record.fault.code == "E213"


# ---- logs


LOG = """** New game **
-- Current Seed 1
Player 1: {'action': 'PUT', 'marble': 'w', 'dst': 'D4', 'remove': 'D1'}
2024-05-01 INFO Player 2: {'action': 'PUT', 'marble': 'b', 'dst': 'D3', 'remove': 'A1'} took 3 s
Player 1: {'action': 'CAP', 'marble': 'b', 'src': 'D3', 'dst': 'D5', 'capture': 'w', 'cap': 'D4'}
"""


@pytest.mark.parametrize("dialect", [None, "transcript"])
def test_the_actions_of_a_log_are_read(dialect: str | None) -> None:
    text = f"Known pipe types:\n['A4', 'B5', '']\n{LOG}{LOG}Traceback (most recent call last):\nAssertionError\n"
    found = list(read(text, dialect))
    assert [(len(record.plies), record.fault, codes(record)) for record in found] == [(3, None, ["N530"])] * 2
    assert "times" in found[0].remarks[0].message


def test_a_damaged_action_of_a_log_is_a_fault() -> None:
    record = one(LOG.replace("'dst': 'D3'", "'dst': 'Z9'"))
    assert record.fault is not None and record.fault.code == "E253"


# ---- which dialect


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("On Monday Ada wrote:\n> 1. Wd4,d1 Bd3,a1\n", "gipf"),
        ('> [Event "x"]\n> [ZIP "oooo/ooooo 6/8/10 0/0/0 0/0/0 1"]\n>\n> 1. Wb3-c4\n', "zen"),
        ("| 1. | Wd4,d1 | Bd3,a1 |\n", "gipf"),
        ("1. Вd4,d1 Wd3,a1", "gipf"),
        ("１. Ｗｄ４，ｄ１", "gipf"),
        ("1) Bd4, a1 Nd6, a2", "gipf"),
        ("1) Bd4, a1, Nd6, a2; 2) Nd2, a3", "newsletter"),
        ("Player A: Wd4,d1\nPlayer B: Bd3,a1", "gipf"),
        (f"x\n{LOG}", "transcript"),
        ("x\n" * 4000 + LOG, "transcript"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", None),
        ("> Dear Ada,\n> see you on Tuesday.\n", None),
    ],
)
def test_marks_around_a_game_do_not_hide_its_dialect(text: str, dialect: str | None) -> None:
    assert detect(text) == dialect


# ---- diagonals


@pytest.mark.parametrize(
    "text",
    [
        "1. Bd4,a1 Nd6,a2 2. Nd2,a3 Nf4,a4 3. Bg5,c1",
        "1. Bd4,a1, Nd6,a2; 2. Nd2,a3, Nf4,a4; 3. Bg5,c1",
        "1) Bd4, a1, Nd6, a2; 2) Nd2, a3, Nf4, a4; 3) Bg5, c1",
        "1) Bd4, a1 Nd6, a2\n2) Nd2, a3 Nf4, a4\n3) Bg5, c1",
    ],
)
def test_italian_letters_speak_for_diagonals_on_a_smaller_board(text: str) -> None:
    checked = check(one(text), full=False)
    assert (checked.board, checked.moves) == ("37", ["Wd4,a1", "Bd6,a2", "Bd2,a3", "Bf2,a4", "Wg2,c1"])


def test_english_letters_do_not() -> None:
    text = "1. Wd4,a1 Bd6,a2 2. Bd2,a3 Bf4,a4 3. Wg5,c1"
    assert check(one(text), full=False).board == "48"


# ---- any text


SIGNS = st.sampled_from(
    ["\n", "> ", "%", "|", "; Wd4", "{", "}", "\n[A \"x\"]\n", "“", "'", '"', "\\", "Вd4", "1-0", "Ada: Wd4,d1", ",a1, Wd4", "x",
     " ", "[B “", "”]"]
)  # fmt: skip
TEXTS = st.lists(SIGNS, max_size=25).map("".join)


@given(TEXTS)
def test_a_text_keeps_its_length_and_its_lines(text: str) -> None:
    clean = normal(text)
    assert len(clean.text) == len(clean.written) == len(text)
    again, _ = normal_tags(clean.text)
    feeds = [at for at, sign in enumerate(text) if sign == "\n"]
    for other in (clean.text, clean.written, again):
        assert [at for at, sign in enumerate(other) if sign == "\n"] == feeds


@given(TEXTS)
def test_passages_are_in_order_and_apart(text: str) -> None:
    behind = 0
    for kind, start, end in passages(text):
        assert behind <= start < end <= len(text)
        assert kind != COMMENT or text[start] + text[end - 1] == "{}"
        behind = end


@settings(deadline=None, max_examples=60)
@given(records(), TEXTS, TEXTS, TEXTS)
def test_what_is_written_has_nothing_to_change(game: Record, event: str, before: str, behind: str) -> None:
    game = replace(game, event=event or None, comment=before or None)
    if game.plies:
        game = replace(game, plies=(game.plies[0]._replace(comment=behind or None), *game.plies[1:]))
    text = write(game)
    assert [facts(record) for record in gipf.read(f"{text}\n{text}")] == [facts(game)] * 2


@pytest.mark.parametrize(
    "unit", ["{", "{\\}", '{\n[A "b"]\n{a}', '{{\n[A "b"]\n', '"', '[A "', "[A “", "[A “b", "> {\n", "|", "; Wd4", "В",
     "Ab Cd: ", "a1, Wd4,"]
)  # fmt: skip
def test_the_work_grows_with_the_length_alone(unit: str) -> None:
    """Every search is bounded: 10^5 of them take a moment; quadratic growth would take an hour."""
    text = unit * 100_000
    assert len(normal_tags(normal(text).text)[0]) == len(text)
