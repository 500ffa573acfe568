"""Changes of a filter by clicks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.dashboards.sections.filter_bar import build_term
from zertz_db.dashboards.sections.filter_switches.filter_text import drop_open_field, split_terms
from zertz_db.queries.filters.compile import condition


@given(st.text(min_size=1).filter(lambda text: text.strip() and not set(text) & set("\0")))
def test_any_name_can_be_asked_for(name: str) -> None:
    where, values = condition(build_term("player", name))
    assert where
    assert values


@pytest.mark.parametrize(
    ("typed", "counts"),
    [("board:37 player:", "board:37"), ("board:", ""), ("-ending:", ""), ("open:", "open:"), ('player:"a  b" vs:', 'player:"a  b"')],
)  # fmt: skip
def test_a_field_without_value_at_the_end_is_not_asked(typed: str, counts: str) -> None:
    assert drop_open_field(typed) == counts


def test_words_keep_what_is_quoted() -> None:
    assert split_terms('player:"Ada  L" (a or "b c") x:"open') == ['player:"Ada  L"', "(a", "or", '"b c")', 'x:"open']
