"""The review of a game in a browser: chart, marks, a line, and the questions, by keys, by pointer and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.board.test_replay import marbles
from tests.browser.board.test_solving import COMPILE_MILLISECONDS
from tests.browser.conftest import opened, serving
from tests.browser.pages.test_pages import settle
from tests.reviewed import MOVES, build_reviewed
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.open_database import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SLIDER = ".controls input"


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_reviewed(tmp_path_factory.mktemp("reviewed"))


@pytest.fixture(scope="module")
def place(reviewed: Path, browser: Browser) -> Iterator[str]:
    assert browser.is_connected()
    with serving(reviewed) as found:
        yield found


@pytest.fixture(scope="module")
def game(reviewed: Path) -> str:
    with open_database(reviewed) as database:
        return dict(list_games(database, columns=["event", "id"]).rows)["reviewed"]


def ply_shown(page: Page) -> str:
    return page.locator(SLIDER).input_value()


def test_a_game_is_reviewed_by_keys_and_pointer(page: Page, place: str, game: str) -> None:
    page.goto(f"{place}/game?id={game}&ply=0")
    page.locator(".plot").wait_for(timeout=COMPILE_MILLISECONDS)
    page.get_by_text("Player 2 can force a win in 3 plies.").wait_for()
    assert page.locator(".moves .badge").all_inner_texts() == ["✗", "??", "S"]
    assert page.locator(".legend li").count() == 3
    page.keyboard.press("n")
    assert ply_shown(page) == "1"
    assert page.locator('[data-stop="next"]').is_disabled()
    plot = page.locator(".plot")
    width, height = (plot.bounding_box() or {})["width"], (plot.bounding_box() or {})["height"]
    before = marbles(page)
    plot.hover(position={"x": width - 5, "y": height / 2})
    assert page.locator(".reading").inner_text() == "Ply 4: player 1 wins by force"
    assert marbles(page) != before
    assert ply_shown(page) == "1"
    page.locator(".status").hover()
    assert marbles(page) == before
    plot.click(position={"x": 5, "y": height / 2})
    assert ply_shown(page) == "0"
    plot.press("ArrowRight")
    assert ply_shown(page) == "1"
    assert "ply=1" in page.url
    page.keyboard.press("l")
    line = page.locator(".continuation")
    line.wait_for(timeout=COMPILE_MILLISECONDS)
    assert page.locator(".continuation .ply").count() == 3
    assert page.locator(".ghosts use").count() == 1
    first = page.locator(".status b").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator('.continuation [aria-current="true"]').get_attribute("data-at") == "1"
    page.locator(".continuation .ply").last.click()
    assert page.locator(".status").inner_text().endswith("Player 2 has 2each.")
    page.keyboard.press("Escape")
    assert page.locator(".status b").inner_text() != first
    assert ply_shown(page) == "1"
    assert marbles(page) == before


@pytest.mark.long
def test_a_question_is_answered_on_a_phone(browser: Browser, place: str, game: str) -> None:
    for phone in opened(browser, viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark"):
        phone.goto(f"{place}/game?id={game}&ply=1")
        phone.locator(".plot").wait_for(timeout=COMPILE_MILLISECONDS)
        settle(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        box = phone.locator(".plot").bounding_box() or {}
        phone.locator(".plot").tap(position={"x": box["width"] - 5, "y": 20})
        assert ply_shown(phone) == "4"
        phone.get_by_role("button", name="What did I miss?").tap()
        phone.get_by_text("Find a move that keeps it").wait_for()
        assert phone.locator(".plot, .moves .badge, .comments").filter(visible=True).count() == 0
        assert "missed=0" in phone.url
        phone.locator('[data-brush="B"]').tap()
        phone.locator('.ring[data-ring="d6"]').tap()
        phone.locator('.ring[data-ring="a1"]').tap()
        phone.get_by_text(re.compile("keeps the forced win in 3 plies")).wait_for(timeout=COMPILE_MILLISECONDS)
        phone.get_by_role("button", name="Show solution").tap()
        phone.get_by_text(f"In the game {MOVES[0]} was played").wait_for()
        assert phone.get_by_role("button", name="Next").is_disabled()
        phone.get_by_role("button", name="Back to the game").tap()
        phone.get_by_role("slider", name="Win chance of player 1").wait_for()
