"""Filters written as text, and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db import queries
from zertz_db.queries.filters import trees
from zertz_db.queries.filters.ast import Plain, Term
from zertz_db.queries.filters.errors import FilterError
from zertz_db.queries.filters.parser import parse
from zertz_db.queries.filters.terms import join_filters, quote_value, write_term
from zertz_db.queries.filters.trees import parse_filter, required_value, required_values

TEXTS = st.text(st.sampled_from('ab*- .,:()<>=“"\n\tor')) | st.text()


@given(TEXTS.filter(lambda text: '"' not in text or "”" not in text))
def test_a_written_value_is_read_unchanged(text: str) -> None:
    (value,) = term.values if isinstance(term := parse_filter(write_term("player", text)), Term) else ()
    assert isinstance(value, Plain)
    assert value.text == text


def test_a_value_with_both_marks_gets_a_wildcard() -> None:
    assert quote_value('a "b” c') == '“a "b* c”'


@given(st.lists(st.tuples(st.sampled_from(["player", "vs", "or", "not", "Board"]), TEXTS), min_size=1), TEXTS)
def test_simple_terms_are_parsed_without_the_grammar(terms: list[tuple[str, str]], rest: str) -> None:
    text = " ".join(f"{field}:{quote_value(value)}" for field, value in terms)
    assert parse_filter(text) == parse(text)
    for more in (f"{text}{rest}", f" {text} {rest}"):
        fast = trees._parse_terms(more)
        assert not fast or (fast if len(fast) > 1 else fast[0]) == (getattr(tree := parse(more), "parts", tree))


def test_options_hold_for_both_sides_of_or() -> None:
    assert join_filters("board:48", "ada or ben") == "board:48 (ada or ben)"
    assert join_filters("player:ada", "vs:ben") == "player:ada vs:ben"
    assert (join_filters("board:48", " "), join_filters("", "ada or ben")) == ("board:48", "ada or ben")
    with pytest.raises(FilterError, match="not opened"):
        join_filters("board:48", "ada) or (ben")


@pytest.mark.parametrize(
    ("text", "board", "values"),
    [
        ("", None, []),
        ("board:48", "48", [("board", "48")]),
        ("board:48 ada", "48", [("board", "48"), ("text", "ada")]),
        ("rules:blitz (board:48 date:2010..)", "48", None),
        ("board:37,48", None, None),
        ("board:48 or ada", None, None),
        ("not board:48", None, None),
        ("board:37 board:48", None, [("board", "37"), ("board", "48")]),
    ],
)
def test_what_a_filter_requires(text: str, board: str | None, values: list[tuple[str, str]] | None) -> None:
    assert (required_value(text, "board"), required_values(text)) == (board, values)


def test_the_old_class_gives_a_text_and_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="write a filter as text"):
        assert (
            queries.Filters(player="Ada L", rule_set="blitz", words="a or b") == 'player:"Ada L" rules:blitz (a or b)'
        )
    with pytest.raises(TypeError, match="no argument 'colour'"):
        queries.Filters(colour="white")
