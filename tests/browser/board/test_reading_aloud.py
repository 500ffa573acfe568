"""Text for screen readers: every control has a name, every board a description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.board.test_replay import open_game

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_replay_is_read_aloud_step_by_step(page: Page, address: str, ids: dict[str, str]) -> None:
    open_game(page, address, ids["resigned"], 2)
    board = page.locator(".board")
    page.get_by_role("img", name="White on d4; Black on d3; 35 rings.").wait_for()
    assert board.get_attribute("aria-label") == (
        "Black on d3, ring a1 removed. Player 1 must capture. White on d4; Black on d3; 35 rings."
    )
    assert page.locator(".status").get_attribute("aria-live") == "polite"
    page.keyboard.press("Home")
    assert board.get_attribute("aria-label") == "The start. Player 1 is to move. No marbles; 37 rings."
    assert page.locator(".controls input").get_attribute("aria-valuetext") == "ply 0 of 4"
    assert page.get_by_role("button", name="One ply forward").is_enabled()


def test_rings_to_click_are_buttons_that_say_what_they_hold(page: Page, address: str) -> None:
    page.goto(f"{address}/enter?moves=Wd4,d1+Bd3,a1")
    page.get_by_role("button", name="d3: black").wait_for()
    assert page.get_by_role("button", name="a2: vacant").count() == 0
    page.goto(f"{address}/find")
    page.get_by_role("radio", name="white").click()
    page.get_by_role("button", name="d4: anything").click()
    page.get_by_role("button", name="d4: white").wait_for()


def test_small_boards_say_what_lies_on_them(page: Page, address: str) -> None:
    page.goto(f"{address}/find?what=d4:W+d3:B")
    page.get_by_role("group", name="Matches").get_by_role("link").get_by_role("img", name="Black on").first.wait_for()
