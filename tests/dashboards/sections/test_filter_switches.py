"""Switches of a filter: what they show of its text, and what they write into it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dashboards.conftest import Lists
from tests.dashboards.opened_pages import opened, ran, texts
from zertz_db.dashboards.sections import filter_bar
from zertz_db.dashboards.sections.filter_switches.filter_text import list_terms, replace_terms
from zertz_db.dashboards.sections.filter_switches.switch_values import (
    OTHER,
    PlayerChoice,
    Years,
    read_boards,
    read_kind,
    read_player,
    read_rating,
    read_years,
    write_years,
)
from zertz_db.queries.filters.compile import condition

PARTS = st.sampled_from(
    ["board:37", "board:37,48", "kind:bot", "-kind:bot", "date:2010..", "date:..2012", "date:2010..2012", "plies:<20", 'player:"Ada  L"',
     "first:ada", "not board:48", "(board:37 or date:2010)", "(kind:bot plies:20..30)", "ada", '"a (b"', "since:2010", "“and”"]
)  # fmt: skip
FILTERS = st.lists(st.tuples(st.sampled_from(["", "and ", "or "]), PARTS), min_size=1, max_size=6).map(
    lambda some: " ".join(f"{word if number else ''}{part}" for number, (word, part) in enumerate(some))
)


@given(FILTERS, st.sampled_from(["board", "date", "kind", "player"]))
def test_what_a_switch_writes_is_valid_and_read_again(text: str, field: str) -> None:
    term = {"board": "board:48", "date": "date:2011", "kind": "kind:human-human", "player": "player:ben"}[field]
    written = replace_terms(text, {field}, term)
    condition(written)
    assert [
        written[one.place.start :].startswith(term) for one in list_terms(written) if one.field == field and one.place
    ] == [True]
    without = replace_terms(text, {field}, "")
    condition(without)
    assert field not in [one.field for one in list_terms(without)]


@pytest.mark.parametrize(
    ("text", "fields", "term", "then"),
    [
        ("", {"board"}, "board:48", "board:48"),
        ("board:37 plies:<20", {"board"}, "board:48", "board:48 plies:<20"),
        ("plies:<20 and board:37 and ada", {"board"}, "", "plies:<20 and ada"),
        ("board:37 AND ada", {"board"}, "", "ada"),
        ("since:2010 ada until:2012", {"date", "since", "until"}, "date:2011..", "date:2011.. ada"),
        ("date:2010.. ada", {"date"}, "", "ada"),
        ("ada or ben", {"kind"}, "kind:bot", "(ada or ben) kind:bot"),
        ("not board:37", {"board"}, "board:48", "not board:37 board:48"),
        ("(board:37 plies:<20)", {"board"}, "board:48", "(board:37 plies:<20) board:48"),
        ('first:"x board:37"', {"board"}, "", 'first:"x board:37"'),
        ("bord:37 date:2010", {"date"}, "date:2011", "bord:37 date:2011"),
    ],
)  # fmt: skip
def test_only_the_term_of_the_switch_changes(text: str, fields: set[str], term: str, then: str) -> None:
    assert replace_terms(text, fields, term) == then


@pytest.mark.parametrize(
    ("read", "text", "shown"),
    [
        (read_kind, "kind:human-human", "humans"),
        (read_kind, "kind:human-bot", OTHER),
        (read_kind, "kind:human-human,bot", OTHER),
        (read_kind, "-kind:bot", "all"),
        (read_boards, "(board:37)", []),
        (read_boards, "board:48", ["48"]),
        (read_years, "date:2010", Years(2010, 2010)),
        (read_years, "date:..2012", Years(None, 2012)),
        (read_years, "since:2010 until:2012", Years(2010, 2012)),
        (read_years, "date:<2012", OTHER),
        (read_years, "date:2010,2012", OTHER),
        (read_years, "date:2010 since:2009", OTHER),
        (read_player, 'second:"Ada L" vs:ben', PlayerChoice("Ada L", "second")),
        (read_player, "first:ada second:ben", OTHER),
        (read_player, "won:ada", None),
        (read_rating, "rating:>=1800", 1800),
        (read_rating, "rating:1800..2000", OTHER),
        (read_rating, "rating:>1800", OTHER),
        (read_rating, "rating:1800", OTHER),
    ],
)
def test_what_a_switch_shows(read: Callable[[str], Any], text: str, shown: Any) -> None:
    assert read(text) == shown


@given(st.none() | st.integers(1, 9999), st.none() | st.integers(1, 9999))
def test_years_are_read_as_written(one: int | None, other: int | None) -> None:
    first, last = (min(one, other), max(one, other)) if one and other else (one, other)
    assert read_years(write_years(Years(first, last))) == Years(first, last)


@pytest.fixture
def shown(read_only: Path, lists: Lists) -> Lists:
    assert read_only
    return lists


def test_switches_show_the_text_and_write_it(shown: Lists) -> None:
    app = opened("games.py", filter="plies:>0 first:Ada")
    assert app.selectbox("switch for the player").value == "Ada"
    app.button_group("switch for the side").set_value("player")
    ran(app)
    assert app.text_input("filter").value == "plies:>0 player:Ada"
    app.button_group("switch for boards").set_value(["48"])
    ran(app)
    app.selectbox("switch for the first year").set_value(2010)
    ran(app)
    assert app.text_input("filter").value == "plies:>0 player:Ada board:48 date:2010.."
    assert app.query_params["filter"] in (
        "plies:>0 player:Ada board:48 date:2010..",
        ["plies:>0 player:Ada board:48 date:2010.."],
    )
    app.text_input("filter").set_value("board:37")
    ran(app)
    assert (app.selectbox("switch for the player").value, app.selectbox("switch for the first year").value) == (
        None,
        None,
    )
    assert len(shown.keys("games")) > 1


def test_the_switch_for_ratings(shown: Lists) -> None:
    app = opened("games.py", filter="rating:>=1500 board:37")
    assert (shown.given != {}, app.number_input("switch for ratings").value) == (True, 1500)
    app.number_input("switch for ratings").set_value(1800)
    ran(app)
    assert app.text_input("filter").value == "rating:>=1800 board:37"


def test_a_filter_goes_along_to_the_next_page_and_back(shown: Lists) -> None:
    app = opened("games.py", filter="board:48")
    app.switch_page("views/players.py").run()
    assert app.text_input("filter").value == "board:48"
    app.text_input("filter").set_value("")
    ran(app)
    app.switch_page("views/games.py").run()
    assert app.text_input("filter").value == ""
    assert len(shown.keys("games")) == 6


@pytest.mark.parametrize("page", ["overview.py", "stats.py"])
def test_totals_begin_with_humans_and_say_so(shown: Lists, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    assert shown.given == {}
    assert "These numbers count" not in texts(opened(page))  # too few
    monkeypatch.setattr(filter_bar, "MIN_HUMAN_GAMES", 1)
    monkeypatch.setattr(filter_bar, "KINDS", {"humans": "first:ada"})  # all of the sample are humans
    app = opened(page)
    assert app.text_input("filter").value == "first:ada"
    assert re.search(r"These numbers count [1-5] of 6 games\.", texts(app))
    assert "filter" not in app.query_params
    app.text_input("filter").set_value("")
    ran(app)
    assert app.query_params["filter"] in ("", [""])
    assert "These numbers count" not in texts(app)
    assert app.text_input("filter").value == ""
    other = opened(page, filter="")
    assert other.text_input("filter").value == ""
