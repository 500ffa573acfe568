"""The URL holds all that a page shows, so any view can be shared."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tests.browser.conftest import PATIENCE, opened
from tests.browser.pages.test_pages import PAGES, settle

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Act: TypeAlias = Callable[["Page"], None]


def typed(label: str, text: str) -> Act:
    def act(page: Page) -> None:
        field = page.get_by_label(label, exact=True).first
        field.fill(text)
        field.blur()

    return act


def clicked(role: str, name: str) -> Act:
    return lambda page: page.locator(f"role={role}[name={name!r}]").first.click()


def chosen(label: str, option: str) -> Act:
    def act(page: Page) -> None:
        page.get_by_label(label).first.click()
        page.get_by_role("option", name=option).first.click()

    return act


def at(selector: str) -> Act:
    return lambda page: page.locator(selector).first.click()


FILTERED = typed("Filter", "board:37")
DONE: dict[str, list[Act]] = {
    "": [],
    "games": [FILTERED, clicked("button", "Plies")],
    "game?id={resigned}": [at('.moves [data-ply="2"]'), clicked("tab", "Source")],
    "players": [typed("Find a name", "a"), clicked("button", "Name")],
    "players?player=Ada": [FILTERED, clicked("tab", "Opponents")],
    "bookmarks": [],
    "puzzles": [],
    "openings": [FILTERED, at(".listing tbody tr"), clicked("tab", "Games")],
    "analysis": [
        at('.ring.target[data-ring="d4"]'), at('.ring.target[data-ring="d1"]'), typed("Comment on Wd4,d1", "why?"),
        clicked("radio", "!?"), clicked("tab", "Legal moves"),
    ],
    "find": [typed("Position or pattern", "d4:W"), clicked("tab", "Played next")],
    "find?what=37%20standard%20oooo/ooooo/oooooo/oooWooo/oooooo/ooooo/oooo%205/8/10%200/0/0%200/0/0%202": [
        lambda page: page.get_by_text("What can be played here").click(),
    ],
    "statistics": [FILTERED, clicked("button", "side"), clicked("tab", "Endings")],
    "compare?a=board:37": [typed("Filter B", "board:48"), clicked("tab", "Endings")],
    "insights": [FILTERED, clicked("radio", "When do players miss wins?"), typed("Of one player", "Ada")],
    "enter": [
        at('.ring.target[data-ring="d4"]'), at('.ring.target[data-ring="d1"]'), typed("Player 1 (moved first)", "Ada"),
        typed("Comment on ply 1, Wd4,d1", "why?"), typed("Event", "Cup"),
    ],
    "check": [typed("Paste records", '[Board "37"] 1. Wd4,d1 Bd3,a1 2. x d3Wd6')],
    "imports": [at('table[aria-label="Imports"] tbody tr')],
}  # fmt: skip
"""Actions on each page."""
TRIED = [pytest.param(path, marks=pytest.mark.long if number % 12 else ()) for number, path in enumerate(DONE)]
"""Eleven of twelve are for `make long`."""


def seen(page: Page) -> str:
    """Return all that a page shows to a screen reader, without the cursor and the age of the database, which goes on."""
    settle(page)
    return re.sub(r"\d+ minutes? ago|just now", "some time ago", page.locator("body").aria_snapshot()).replace(
        " [active]", ""
    )


@pytest.mark.parametrize("path", TRIED)
def test_an_address_shows_what_was_shown(browser: Browser, address: str, ids: dict[str, str], path: str) -> None:
    for page in opened(browser):
        page.goto(f"{address}/{path.format(**ids)}")
        settle(page)
        for act in DONE[path]:
            act(page)
            page.wait_for_timeout(300)
            settle(page)
        page.wait_for_timeout(1_000)
        shown = seen(page)
        for other in opened(browser):
            other.goto(page.url)
            for _ in range(PATIENCE // 500):
                if seen(other) == shown:
                    break
                other.wait_for_timeout(500)
            assert seen(other) == shown


def test_no_page_is_left_out() -> None:
    assert {path.partition("?")[0] for path in DONE} == {path.partition("?")[0] for path in PAGES}
