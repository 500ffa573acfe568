"""Forced wins in a browser: a position is solved at a click, and its line leads on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

from tests.browser.board.test_replay import open_game
from tests.browser.pages.test_pages import settle
from tests.tactics.samples import SAMPLES
from zertz_db.tactics import solve

if TYPE_CHECKING:
    from playwright.sync_api import Page

COMPILE_MILLISECONDS = 300_000
"""Time for the first search, which may have to be compiled on a busy machine."""
BUTTON = "Solve this position"


def test_a_position_that_is_set_up_is_solved_and_its_line_leads_on(page: Page, address: str) -> None:
    position = SAMPLES[0].position
    line = solve(position, 7, 100_000).line
    page.goto(f"{address}/find?what={quote_plus(position)}")
    page.get_by_text("Forced win").click()
    page.wait_for_url(re.compile("forced=true"))
    page.get_by_role("button", name=BUTTON).click()
    page.get_by_text(re.compile("Player 2 can force a win in 3 plies")).wait_for(timeout=COMPILE_MILLISECONDS)
    boards = page.get_by_role("group", name="The line").locator("a")
    boards.nth(2).wait_for()
    assert [text.splitlines()[0] for text in boards.all_inner_texts()] == [
        f"{number}. {move}" for number, move in enumerate(line, 1)
    ]
    boards.first.click()
    page.wait_for_url(lambda url: quote_plus(position) not in url and "what=" in url)
    page.get_by_text("It searches up to 100,000 positions").wait_for()
    settle(page)
    assert page.get_by_text("can force a win").count() == 0


def test_the_position_of_a_game_that_is_shown_is_solved(page: Page, address: str, ids: dict[str, str]) -> None:
    open_game(page, address, ids["resigned"], 2)
    page.get_by_role("tab", name="Forced win").click()
    page.get_by_role("button", name=BUTTON).click()
    answer = page.get_by_text(re.compile("None found within 7 plies"))
    answer.wait_for(timeout=COMPILE_MILLISECONDS)
    settle(page)
    page.locator('[data-step="back"]').click()
    page.get_by_text("It searches up to 100,000 positions").wait_for()
    assert answer.count() == 0
    page.locator('[data-step="on"]').click()
    answer.wait_for()  # known from before
    assert "about=Forced" in page.url
