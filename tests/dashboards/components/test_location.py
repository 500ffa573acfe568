"""Titles of documents: each view has its own, so tabs, bookmarks and the history differ."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st

from tests.dashboards.conftest import Lists
from tests.dashboards.opened_pages import followed, opened
from zertz_db.dashboards.components import location


@pytest.fixture
def titles(read_only: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    assert read_only
    shown: list[str] = []
    monkeypatch.setattr(st, "set_page_config", lambda page_title="", **_looks: shown.append(page_title))
    return shown


@pytest.mark.parametrize(
    ("page", "query", "title"),
    [
        ("games.py", {}, "Games · zertz-db"),
        ("games.py", {"filter": "board:48"}, "board:48 · Games · zertz-db"),
        ("players.py", {"player": "Ada", "vs": "Ben"}, "Ada Ben · Players · zertz-db"),
        ("openings.py", {"moves": "Wd4,d1"}, "Wd4,d1 · Openings · zertz-db"),
        ("game.py", {"id": "0000000000000"}, "Game · zertz-db"),
        ("games.py", {"filter": f"player:{'x' * 80}"}, f"player:{'x' * 52}… · Games · zertz-db"),
    ],
)
def test_a_view_has_its_own_title(titles: list[str], page: str, query: dict[str, str], title: str) -> None:
    opened(page, **query)
    assert titles[-1] == title


def test_the_title_of_a_game_has_its_players_and_year(titles: list[str], lists: Lists) -> None:
    opened("games.py", filter="board:48")
    followed(lists.links("games")[0])
    assert titles[-1].endswith("–Ada 2011 · zertz-db")


class Browser(dict[str, list[str]]):
    """The query in the browser, as `st.query_params`."""

    def get_all(self, name: str) -> list[str]:
        return self[name]

    def from_dict(self, values: dict[str, list[str]]) -> None:
        self.clear()
        self.update({name: list(texts) for name, texts in values.items()})


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    found = Browser(id=["A"])
    monkeypatch.setattr(location, "st", SimpleNamespace(session_state={}, query_params=found))
    return found


def run(monkeypatch: pytest.MonkeyPatch, *, is_step: bool) -> None:
    """Begin a run of the page of a game. is_step: Streamlit knows that a step in the history started it."""
    monkeypatch.setattr(location, "_is_navigation", lambda: is_step)
    location.begin_run("game")


@pytest.mark.parametrize("is_known", [True, False])
def test_a_step_back_is_followed_even_if_streamlit_forgets_that_it_was_one(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    run(monkeypatch, is_step=False)
    location.set_values(ply="3")
    browser.from_dict({"id": ["B"]})
    run(monkeypatch, is_step=True)
    location.set_values(ply="1")
    browser.from_dict({"id": ["A"], "ply": ["3"]})
    run(monkeypatch, is_step=is_known)
    assert (location.get_value("id"), location.get_value("ply")) == ("A", "3")


def test_a_click_with_a_query_that_lags_changes_nothing(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    run(monkeypatch, is_step=False)
    browser.from_dict({"id": ["B"]})
    run(monkeypatch, is_step=True)
    for ply in ("1", "2"):
        location.set_values(ply=ply)
    browser.from_dict({"id": ["B"], "ply": ["1"]})
    run(monkeypatch, is_step=False)
    assert location.get_value("ply") == "2"
    assert browser == {"id": ["B"], "ply": ["2"]}
