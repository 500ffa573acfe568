"""Every page in a browser, in both themes, wide and narrow."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.accessibility import list_violations
from tests.browser.conftest import COMMENT, EVIL, opened, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

APP = Path(__file__).parents[3] / "dashboards" / "app.py"
PATHS = {
    "welcome": "",
    "game": "game?id={evil}",
}  # the welcome is shown without a database only: in its place, the root
PAGES = [PATHS.get(path, path) for path in re.findall(r'url_path="(\w+)"', APP.read_text("utf-8"))]
FULL = {
    "games": "games?filter=board:37",
    "players": "players?player=Ada&profile=Opponents",
    "openings": "openings?moves=Wd4,d1",
    "analysis": "analysis?tree=Wd4d1.Bd3a1-b.~1.Gc2a1&note=1+why&at=3",
    "find": "find?what=d4:W",
    "statistics": "statistics?about=Endings",
    "enter": "enter?moves=Wd4,d1+Bd3,a1",
    "check": "check?text=[Board \"37\"] 1. Wd4,d1 Bd3,a1 2. x d3Wd6",
    "imports": "imports?record=1",
}  # fmt: skip
"""Addresses with more on the page, by the page's own."""
LOOKS = {"wide": {"width": 1280, "height": 900}, "narrow": {"width": 390, "height": 844}}


def settle(page: Page) -> None:
    """Wait until a page is complete."""
    page.locator("h1").first.wait_for()
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()


@pytest.mark.parametrize(
    ("look", "scheme"), [("wide", "light"), pytest.param("narrow", "dark", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens(
    browser: Browser, address: str, ids: dict[str, str], path: str, look: str, scheme: str
) -> None:
    for page in opened(browser, viewport=LOOKS[look], color_scheme=scheme):
        shown = FULL.get(path, path) if look == "wide" else path
        page.goto(f"{address}/{shown.format(**ids)}")
        settle(page)
        assert list_violations(page) == []
        text = page.locator("body").inner_text()
        assert "Traceback" not in text
        assert "failed" not in text
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert page.evaluate("window.harmed") is None
        ground = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
        assert ground == ("rgb(251, 249, 244)" if scheme == "light" else "rgb(23, 22, 19)")


def test_names_and_comments_are_text(page: Page, address: str, ids: dict[str, str]) -> None:
    page.goto(f"{address}/game?id={ids['evil']}")
    settle(page)
    assert EVIL in page.locator("h1").inner_text()
    assert page.locator(".holder .name").first.inner_text() == EVIL
    assert page.locator(".note").first.inner_text() == COMMENT
    assert page.evaluate("window.harmed") is None


@pytest.mark.long
def test_without_a_database_the_samples_are_one_click_away(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "none") as address:
        for page in opened(browser):
            page.goto(address)
            page.get_by_role("button", name="Show the samples").click()
            page.get_by_text("A temporary database").wait_for(timeout=60_000)
