"""Titles of documents: each view has its own, so tabs, bookmarks and the history differ."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st

from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import followed, opened


@pytest.fixture
def titles(sample: Path, monkeypatch: pytest.MonkeyPatch, lists: Lists, boards: Boards) -> list[str]:
    assert lists.given == boards.given == {}
    monkeypatch.setenv("ZERTZ_DB", str(sample))
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
