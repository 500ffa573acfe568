"""Colour letters in other languages: a record's letters or its statement decide; nothing is guessed silently."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.text.colour_letters import in_english

COMMENT = r"\{[^}]*\}"


@pytest.mark.parametrize(
    ("text", "english", "language"),
    [
        ("1. Wd4,d1 Bd3,a1 Gc2", "1. Wd4,d1 Bd3,a1 Gc2", "en"),
        ("1. Nd2,a3 Nf4,a4 2. Bg5,c1", "1. Bd2,a3 Bf4,a4 2. Wg5,c1", "it"),
        ("1. Nd2, a3, Bf4, a4;", "1. Bd2, a3, Wf4, a4;", "it"),
        ("Sd4,d1 Wd3 Gc2", "Bd4,d1 Wd3 Gc2", "de"),
        ("Zd4,d1", "Bd4,d1", "nl"),
        ("zd4,d1 wc2,b1", "bd4,d1 wc2,b1", "nl"),
        ("x d1Nd3Bd5", "x d1Bd3Wd5", "it"),
        ("Bd7,b2 x Na1Ba2", "Wd7,b2 x Ba1Wa2", "it"),
        ("{ Nd4 is best } Sd4,d1", "{ Nd4 is best } Bd4,d1", "de"),
        ("Gd4,d1 Gd3", "Gd4,d1 Gd3", "en"),
        ("Wd4,d1 Gd3", "Wd4,d1 Gd3", "en"),
        ('[Language "it"]\n1. Bd4,d1 Gd3', '[Language "it"]\n1. Wd4,d1 Gd3', "it"),
        ('[Language "fr"]\n1. Bd4,d1 Gd3', '[Language "fr"]\n1. Wd4,d1 Gd3', "fr"),
    ],
)
def test_the_letters_decide_or_the_tag(text: str, english: str, language: str) -> None:
    found = in_english(text, COMMENT)
    assert (found.text, found.language, found.is_open) == (english, language, False)


@pytest.mark.parametrize("text", ["Bd4,d1", "Bd4,d1 Gd3,a1 x d4Gd2"])
def test_black_or_white_may_stay_open_and_is_read_as_black(text: str) -> None:
    found = in_english(text, COMMENT)
    assert (found.text, found.language, found.is_open) == (text, None, True)


@pytest.mark.parametrize("text", ["Wd4,d1 Nd3,a1", "Sd4 Zd3", "Bd4 Sd3"])
def test_letters_of_no_single_language_stay(text: str) -> None:
    found = in_english(text, COMMENT)
    assert (found.text, found.language, found.is_open) == (text, None, False)


def test_a_given_language_has_priority_over_the_tag() -> None:
    assert in_english('[Language "en"] Bd4', COMMENT, "it").text == '[Language "en"] Wd4'


def test_letters_come_before_a_statement_that_they_contradict() -> None:
    found = in_english('[Language "it"] Wd4,d1 Bd3', COMMENT)
    assert (found.text, found.language, found.contradicted) == ('[Language "it"] Wd4,d1 Bd3', "en", "it")


@given(st.text("WGBNSZwgbnsz abcd1234,x{}"))
def test_a_text_keeps_its_length_and_all_but_its_letters(text: str) -> None:
    found = in_english(text, COMMENT)
    assert len(found.text) == len(text)
    assert {one for one, other in zip(text, found.text, strict=True) if one != other} <= set("BNSZbnsz")


@pytest.mark.parametrize(
    ("text", "codes", "plies"),
    [
        ("1. Nd2,a3 Bf4,a4", ["W750"], "Bd2 Wf4"),
        ('[Language "it"]\n1. Bd2,a3 Gf4,a4', ["W750"], "Wd2 Gf4"),
        ('[Language "de"]\n1. Wd2,a3 Gf4,a4', [], "Wd2 Gf4"),
        ('[Language "it"]\n1. Wd2,a3 Bf4,a4', ["W752"], "Wd2 Bf4"),
        ('[Language "xx"]\n1. Wd2,a3', ["W528"], "Wd2"),
        ("1. Bd2,a3 Gf4,a4", [], "Bd2 Gf4"),  # the official notation is English
    ],
)
def test_official_notation_in_other_languages(text: str, codes: list[str], plies: str) -> None:
    (record,) = gipf.read(text)
    assert record.fault is None
    assert [remark.code for remark in record.remarks] == codes
    assert " ".join(f"{ply.colour}{ply.ring}" for ply in record.plies) == plies
    assert [text[ply.span.start :][1:3] for ply in record.plies] == [ply.ring for ply in record.plies]


def test_the_remark_is_on_the_first_foreign_letter() -> None:
    text = "{Nothing}\n1. Gd4,d1 Sd3,a1 Sd2"
    (record,) = gipf.read(text)
    assert [text[remark.span.start] for remark in record.remarks] == ["S"]
    assert record.remarks[0].message == "the letters W, G and S are German for white, grey and black"


def test_official_notation_takes_a_language_from_outside() -> None:
    (record,) = gipf.read("1. Bd2,a3 Gf4,a4 *", "it")
    assert [ply.colour for ply in record.plies] == ["W", "G"]
