"""Every leniency has a code of its own, and gives the record of the proper form."""

# ruff: noqa: RUF001 - some texts have letters of other scripts
from __future__ import annotations

from typing import NamedTuple

import pytest

from zertz_db.check.catalogue import PAGE
from zertz_db.check.check_record import check
from zertz_db.check.findings import catalogue
from zertz_db.parser.dialects import read
from zertz_db.parser.record import Ply, Record, Span

GAME = '[Board "37"]\n\n'
SERVER = "(;GM[22]SU[Zertz]; P0[RtoB 2 0 D 4]; P0[R- D 1]; P0[Done]{}"
MAIL = "Summary of Zertz Board 12\n"
IN_SET = '[SetUp "1"]\n[Position "37 standard o.oo/..ooo/oooooo/ooooooo/oooooo/ooBoo/oooo 3/8/9 3/0/0 0/0/0 1"]\n\n'
IMMOBILE = '[SetUp "1"]\n[Position "37 standard WWWW/GGGGB/BBB.../B....../o...../...../.... 0/0/0 0/0/0 2/4/5 1"]\n\n'
FILLED = "We1 x Wa1Wa2Wa3Wa4Gb1Gb2Gb3Gb4Bb5Bc1Bc2Bc3Bd1We1 0-1"


class Leniency(NamedTuple):
    """A text that departs from its notation, its proper form, and the dialect (None: detected)."""

    code: str
    text: str
    proper: str
    dialect: str | None = None


IN_READING = [
    Leniency("W712", GAME + "1. Wd4,a1\tBd2,a2 *", GAME + "1. Wd4,a1 Bd2,a2 *"),
    Leniency("W713", GAME + "1. Wd4,a1\u00a0Bd2,a2 *", GAME + "1. Wd4,a1 Bd2,a2 *"),
    Leniency("W713", GAME + "1. Wd4,a1\u2003Bd2,a2 *", GAME + "1. Wd4,a1 Bd2,a2 *"),
    Leniency("W714", GAME + "1. Wd4,a1 Bd3,a2 2. X d4Bd2 *", GAME + "1. Wd4,a1 Bd3,a2 2. x d4Bd2 *"),
    Leniency("W714", GAME + "1. Wd4,a1 × Wa2 *", GAME + "1. Wd4,a1 x Wa2 *"),
    Leniency("W714", "1. Wd4-a1 Bd3-a2 2. Wd4×d2 *", "1. Wd4-a1 Bd3-a2 2. Wd4xd2 *", "zen"),
    Leniency("W715", GAME + "1. Wd4,a1 pass *", GAME + "1. Wd4,a1 - *"),
    Leniency("W715", GAME + "1. Wd4,a1 — *", GAME + "1. Wd4,a1 - *"),
    Leniency("W716", GAME + "1. Wd4,a1 ½-½", GAME + "1. Wd4,a1 1/2-1/2"),
    Leniency("W716", GAME + "1. Wd4,a1 0–1", GAME + "1. Wd4,a1 0-1"),
    *(
        Leniency("W716", GAME + f"1. Wd4,a1 {result}", GAME + f"1. Wd4,a1 {proper}")
        for result, proper in (
            ("0 - 1", "0-1"), ("1:0", "1-0"), ("0 : 1", "0-1"), ("1−0", "1-0"), ("1\u20110", "1-0"), ("0 -\n1", "0-1"),
            ("1-O", "1-0"),
            ("½ – ½", "1/2-1/2"), ("½:½", "1/2-1/2"), ("1/2 - 1/2", "1/2-1/2"), ("1/2", "1/2-1/2"), ("½", "1/2-1/2"),
            ("0.5-0.5", "1/2-1/2"),
            ("tie", "1/2-1/2"), ("Tie", "1/2-1/2"), ("draw", "1/2-1/2"),
            ("0-1.", "0-1"), ("1 - 0.", "1-0"), ("0 - 1.", "0-1"), ("1:0!", "1-0"), ("1-0,", "1-0"), ("1/2.", "1/2-1/2"), ("0-0.", "0-0"),
            ("½-½.", "1/2-1/2"), ("1/2 - 1/2.", "1/2-1/2"), ("Draw!", "1/2-1/2"), ("*.", "*"),
            ("1/0", "1-0"), ("0/1", "0-1"), ("0 / 1.", "0-1"),
            ("(0-1)", "0-1"), ("( 1 : 0 )", "1-0"), ("(½-½).", "1/2-1/2"), ("(tie)", "1/2-1/2"), ("(*)", "*"),
            ("(0-1) {well played}", "0-1 {well played}"),
        )
    ),
    Leniency("W716", "1. Wd4-a1 Bd3-a2 (1-0)", "1. Wd4-a1 Bd3-a2 1-0", "zen"),
    *(
        Leniency("W733", f'[Result "{result}"]\n1. Wd4,a1', f'[Result "{proper}"]\n1. Wd4,a1')
        for result, proper in (
            ("0 - 1", "0-1"), ("1–0", "1-0"), ("0:1", "0-1"), ("½-½", "1/2-1/2"), ("1/2", "1/2-1/2"), ("Tie", "1/2-1/2"),
            ("draw", "1/2-1/2"), ("Player 2 wins", "0-1"), ("0-1.", "0-1"), ("(1-0)", "1-0"), ("1/0", "1-0"), ("(draw).", "1/2-1/2"),
        )
    ),
    Leniency("W733", '[Termination "Draw"]\n1. Wd4,a1 1/2-1/2', '[Termination "agreed"]\n1. Wd4,a1 1/2-1/2'),
    *(
        Leniency("W733", f'[Language "{name}"]\n1. Bd4,a1 Gd2,a2 *', f'[Language "{code}"]\n1. Bd4,a1 Gd2,a2 *')
        for name, code in (("Italian", "it"), ("italiano", "it"), ("it-IT", "it"), ("Français", "fr"), ("English", "en"))
    ),
    Leniency("W715", GAME + "1. Wd4,a1 -- *", GAME + "1. Wd4,a1 - *"),
    Leniency("W720", GAME + "1. Bd7,b2 xWa1Wa2 *", GAME + "1. Bd7,b2 x Wa1Wa2 *"),
    Leniency("W720", GAME + "1. Bd7,b2xWa1Wa2 *", GAME + "1. Bd7,b2 x Wa1Wa2 *"),
    *(
        Leniency("W740", GAME + f"1. {ply} *", GAME + f"1. {proper} *")
        for ply, proper in (
            ("Вd2,a2", "Bd2,a2"), ("Βd2,a2", "Bd2,a2"), ("Bd2,а2", "Bd2,a2"), ("Ｂｄ２，ａ２", "Bd2,a2"),
            ("Bd٢,a2", "Bd2,a2"), ("B𝐝2,a₂", "Bd2,a2"),
            ("х d4Bd2", "x d4Bd2"), ("✕ d4Bd2", "x d4Bd2"), ("χ d4Bd2", "x d4Bd2"),
        )
    ),
    Leniency("W740", "1. Wd4,a1 １-０", "1. Wd4,a1 1-0"),
    Leniency("W740", '[Воard "37"]\n1. Wd4,a1', '[Board "37"]\n1. Wd4,a1'),
    Leniency("W740", '[Board "３７"]\n1. Wd4,a1', '[Board "37"]\n1. Wd4,a1'),
    *(
        Leniency("W741", f"[Player1 {value}]\n1. Wd4,a1", f"[Player1 {proper}]\n1. Wd4,a1")
        for value, proper in (
            ('"Ada "the" Best"', r'"Ada \"the\" Best"'), ("“Ada”", '"Ada"'), ("„Ada“", '"Ada"'), ("«Ada»", '"Ada"'), ("'Ada'", '"Ada"'),
            ("‘Ada’", '"Ada"'), ("“Ada “the” Best”", '"Ada “the” Best"'), ('"Ada "[Best]""', r'"Ada \"[Best]\""'),
        )
    ),
    Leniency("W743", "% a\n" + GAME + "1. Wd4,a1\n% 1. Bd3 {\nBd2,a2 *\n% end", GAME + "1. Wd4,a1\nBd2,a2 *"),
    Leniency("W744", '> [Board "37"]\n>\n> 1. Wd4,a1\n> Bd2,a2 *\n', GAME + "1. Wd4,a1 Bd2,a2 *"),
    Leniency("W744", 'Ada wrote:\n\n>> [Board "37"]\n>> 1. Wd4,a1 {of\n>> two}\n', GAME + "1. Wd4,a1 {of\n   two}"),
    Leniency("W745", "| n | a | b |\n|---|:-:|---|\n| 1. | Wd4,a1 | Bd2,a2 |\n| 2. | Be6,a3 | |\n", "1. Wd4,a1 Bd2,a2 2. Be6,a3"),
    Leniency("W745", "+----+--------+\n| 1. | Wd4,a1 |\n+----+--------+\n", "1. Wd4,a1"),
    Leniency("W745", "1. | Wd4,a1 | Bd2,a2\n2. | - | -\n", "1. Wd4,a1 Bd2,a2 2. - -"),
    Leniency("W749", "Ada: Wd4,a1\nBen Smith: Bd2,a2\n", "Wd4,a1 Bd2,a2"),
    Leniency("W749", "1. White: Wd4,a1 Black: Bd2,a2\n", "1. Wd4,a1 Bd2,a2"),
    Leniency("W753", GAME + "1. Wd4,- Bd2,-- 2. We1,– *", GAME + "1. Wd4 Bd2 2. We1 *"),
    Leniency("N535", GAME + "1. Wd4,a1 Bd2,a2; 2. Be6,a3 *", GAME + "1. Wd4,a1 Bd2,a2 2. Be6,a3 *"),
    Leniency("N535", GAME + "1. Wd4,a1, Bd2,a2, 2. x d3Be3, Wb1,c1 *", GAME + "1. Wd4,a1 Bd2,a2 2. x d3Be3 Wb1,c1 *"),
    Leniency("W717", GAME + "1. wd4,a1 *", GAME + "1. Wd4,a1 *"),
    Leniency("W717", MAIL + " 1 wd4,a1\n", MAIL + " 1 Wd4,a1\n"),
    Leniency("W718", GAME + "1. WD4,a1 *", GAME + "1. Wd4,a1 *"),
    Leniency("W719", GAME + "1. Wd4, a1 *", GAME + "1. Wd4,a1 *"),
    Leniency("W719", "1. Wd4 -a1 *", "1. Wd4-a1 *", "zen"),
    Leniency("W720", GAME + "1. Wd4,a1 Bd3,a2 2. xd4Bd2 *", GAME + "1. Wd4,a1 Bd3,a2 2. x d4Bd2 *"),
    Leniency("W721", GAME + "1) Wd4,a1 *", GAME + "1. Wd4,a1 *"),
    Leniency("W721", "1 Wd4-a1 *", "1. Wd4-a1 *", "zen"),
    Leniency("W723", GAME + "1. Wd4,a1 Player1 resigned 0-1", GAME + "1. Wd4,a1 Player1 resigns 0-1"),
    Leniency("W723", GAME + "1. Wd4,a1 Player 1 resigns 0-1", GAME + "1. Wd4,a1 Player1 resigns 0-1"),
    *(
        Leniency("W723", GAME + f"1. Wd4,a1 {written}", GAME + f"1. Wd4,a1 Player{loser} resigns {result}")
        for written, loser, result in (
            ("1-0 resigns", 2, "1-0"), ("0-1 (resign)", 1, "0-1"), ("0-1 {well} resigned.", 1, "0-1 {well}"),
            ("1-0 (resignation)", 2, "1-0"),
        )
    ),
    Leniency("W724", "wD4,d1; bd3,a1; d3-d5", "wd4,d1; bd3,a1; d3-d5", "terse"),
    Leniency("W724", "wd4,d1; Bd3,a1; d3-d5", "wd4,d1; bd3,a1; d3-d5", "terse"),
    Leniency(
        "W724",
        "# Rings: 37\nPlayer 1: {'action': 'PUT', 'marble': 'W', 'dst': 'd4', 'remove': 'D1'}\n",
        "# Rings: 37\nPlayer 1: {'action': 'PUT', 'marble': 'w', 'dst': 'D4', 'remove': 'D1'}\n",
    ),
    Leniency("W725", '[Board "37"] [Event "x"]\n1. Wd4,a1 *', '[Board "37"]\n[Event "x"]\n1. Wd4,a1 *'),
    Leniency("W730", '[Board "61"]\n1. Wj5,a1 *', '[Board "61"]\n1. Wi5,a1 *'),
    Leniency("W732", '[board "37"]\n1. Wd4,a1 *', '[Board "37"]\n1. Wd4,a1 *'),
    Leniency("W732", '[White "ada"]\n1. Wd4,a1 *', '[Player1 "ada"]\n1. Wd4,a1 *'),
    Leniency("W732", '[Zip "ooo/ooo/ooo 6/8/10 0/0/0 0/0/0 1"]\n1. Wa1 *', '[ZIP "ooo/ooo/ooo 6/8/10 0/0/0 0/0/0 1"]\n1. Wa1 *', "zen"),
    Leniency("W733", '[RuleSet "Blitz"]\n1. Wd4,a1 *', '[RuleSet "blitz"]\n1. Wd4,a1 *'),
    Leniency("W733", '[Termination "By_Resignation"]\n1. Wd4,a1 1-0', '[Termination "resignation"]\n1. Wd4,a1 1-0'),
    Leniency("W746", SERVER.format(""), SERVER.format(")")),
    Leniency("W747", "saved\n" + SERVER.format(")"), SERVER.format(")")),
    Leniency("W747", SERVER.format(") seen"), SERVER.format(")")),
    Leniency("W748", SERVER.format("; P1[Edit]; P1[RtoB 2 0 E 6])"), SERVER.format("; P1[Edit])")),
    Leniency("W750", GAME + "1. Wd4,a1 Sd2,a2 *", GAME + "1. Wd4,a1 Bd2,a2 *"),
    Leniency("W752", '[Language "it"]\n1. Wd4,a1 Bd2,a2 *', '[Language "en"]\n1. Wd4,a1 Bd2,a2 *'),
    Leniency("W756", f"{MAIL} 1 Wd4,d1\n{MAIL} 1 Bd4,d1\n", f"{MAIL} 1 Bd4,d1\n"),
]  # fmt: skip

IN_JUDGING = {
    "W702": GAME + "1. Wd4,d1 Bb1 Player2 resigns",
    "W703": IN_SET + "1. Wa1 x Wa1 1-0",
    "W704": '[SetUp "1"]\n[Position "37 standard oooo/ooooo/oooooo/BGoWooo/oooooo/ooooo/oooo 5/3/9 0/4/0 0/0/0 1"]\n1. x d1Gd3 1-0',
    "W705": GAME + "1. Ba3,d1 Wc2,c6 2. Wc5,e1 Wd4,g2 3. Gf2,g4 Wb5,g3 4. x b5Wd5Wd3Wb1 1-0",
    "W706": '[SetUp "1"]\n[Position "37 standard o..o/B.ooo/..oooo/Goooooo/.ooooo/ooooo/oooo 6/7/9 0/0/0 0/0/0 1"]\n1. Wa1,d2 x Wa1Bb1 *',
    "W707": '[Coordinates "columns"]\n[Language "en"]\n'
    "1. Wb4, c1, We2, e6; 2. Gf1, f5, x f1Wd3; 3. Wc3, e5, x d3Wb3Wb5; 4. Bg4, g3",
    "W711": IMMOBILE + f"1... {FILLED}",
}  # fmt: skip
"""Records that are judged leniently."""


def one(text: str, dialect: str | None = None) -> Record:
    (record,) = read(text, dialect)
    assert record.fault is None
    return record


def statements(record: Record) -> object:
    """Return a record's statements, without spans."""
    facts = (
        record.board,
        record.rule_set,
        record.player1,
        record.result,
        record.ending,
        record.ending_by,
        record.position,
    )
    return facts, [_placeless(ply) for ply in record.plies]


def _placeless(ply: Ply) -> Ply:
    return ply._replace(span=Span(0, 0, 0, 0))


def codes(record: Record) -> list[str]:
    return [remark.code for remark in record.remarks]


@pytest.mark.parametrize("found", IN_READING, ids=lambda found: f"{found.code} {found.text!r}")
def test_what_is_read_leniently_is_read_as_the_proper_form(found: Leniency) -> None:
    lenient, proper = one(found.text, found.dialect), one(found.proper, found.dialect)
    assert statements(lenient) == statements(proper)
    more = [code for code in codes(lenient) if code not in codes(proper)]
    assert set(more) == {found.code}
    assert found.code not in codes(proper)


@pytest.mark.parametrize(("code", "text"), IN_JUDGING.items())
def test_what_is_judged_leniently_is_legal_and_remarked_upon(code: str, text: str) -> None:
    checked = check(one(text))
    assert checked.is_game
    assert code in {finding.code for finding in checked.findings}


def test_no_leniency_is_without_a_test_and_a_line_in_the_docs() -> None:
    leniencies = {code for code in catalogue() if code.startswith("W7")}
    of_files = {"W742"}  # two games of a file
    tested = {found.code for found in IN_READING if found.code.startswith("W7")}
    assert tested | IN_JUDGING.keys() | of_files == leniencies
    page = PAGE.read_text("utf-8")
    assert {code for code in leniencies if f" {code}" not in page} == set()
