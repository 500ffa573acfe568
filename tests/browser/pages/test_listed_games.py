"""Games of a list in a browser: steps from game to game with titles, autoplay, paths that are no page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.browser.board.test_replay import open_game
from tests.browser.pages.test_pages import settle

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_steps_through_a_list_have_titles_of_their_own(page: Page, address: str) -> None:
    page.goto(f"{address}/games?filter=board%3A37&sort=plies")
    page.locator(".listing tbody tr").first.wait_for()
    page.wait_for_function("document.title === 'board:37 · Games · zertz-db'")
    page.locator(".listing tbody tr").first.click()
    page.wait_for_function("/–.* · zertz-db$/.test(document.title)")
    title = page.title()
    page.get_by_role("link", name="Next game").click()
    page.get_by_role("link", name=re.compile("^(view_list )?2 of")).wait_for()
    page.wait_for_function("(before) => /–.* · zertz-db$/.test(document.title) && document.title !== before", arg=title)
    settle(page)
    page.go_back()
    page.wait_for_function("(before) => document.title === before", arg=title)


def test_a_step_back_at_once_is_followed(page: Page, address: str) -> None:
    page.goto(f"{address}/games?filter=board%3A37&sort=plies")
    page.locator(".listing tbody tr").first.click()
    page.get_by_role("link", name=re.compile("^(view_list )?1 of")).wait_for()
    first, title = page.url, page.title()
    page.get_by_role("link", name="Next game").click()
    page.evaluate("history.back()")
    settle(page)
    page.get_by_role("link", name=re.compile("^(view_list )?1 of")).wait_for()
    page.wait_for_function("(before) => document.title === before", arg=title)
    assert page.url.partition("&ply=")[0] == first.partition("&ply=")[0]


def test_a_name_in_the_title_leads_to_the_profile_in_place(page: Page, address: str, ids: dict[str, str]) -> None:
    open_game(page, address, ids["long"], 0)
    page.get_by_role("heading", level=1).get_by_role("link", name="Ada").click()
    page.wait_for_url("**/players?player=Ada")
    page.get_by_role("heading", name="Ada").wait_for()
    assert len(page.context.pages) == 1


def test_a_game_plays_by_itself_until_a_step_or_its_end(page: Page, address: str, ids: dict[str, str]) -> None:
    last = open_game(page, address, ids["long"], 0)
    shown = page.locator(".controls input")
    page.get_by_label("Speed").select_option("fast")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"{PLY} >= 2")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Play").wait_for()
    page.locator(".controls").evaluate("() => document.activeElement.blur()")
    page.locator('.moves button[data-ply="1"]').click()
    assert shown.input_value() == "1"
    page.locator(".controls input").fill(str(last - 1))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    page.wait_for_function(f"{PLY} === {last}")
    page.get_by_role("button", name="Play").wait_for()
    page.wait_for_url(f"**ply={last}")


PLY = """Number([...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')].map((one) => one.shadowRoot)
    .find((root) => root.zertz).querySelector('.controls input').value)"""


def test_a_path_that_is_no_page_leads_on(page: Page, address: str) -> None:
    page.goto(f"{address}/gams")
    page.get_by_text("This dashboard has no page “gams”.").wait_for()
    assert page.get_by_role("dialog").count() == 0
    page.wait_for_function("document.title === 'No such page · zertz-db'")
    page.locator('[data-testid="stPageLink-NavLink"]', has_text="Games").click()
    page.locator(".listing tbody tr").first.wait_for()
