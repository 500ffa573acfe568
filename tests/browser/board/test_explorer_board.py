"""Openings and the position search in a browser: previews, arrow keys, letters, painting by keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.browser.pages.test_pages import settle

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROWS = ".listing tbody tr"
GHOST = ".ghosts use"


def test_a_row_shows_its_move_while_the_pointer_or_the_focus_is_on_it(page: Page, address: str) -> None:
    page.goto(f"{address}/openings")
    row = page.locator(ROWS).filter(has_text="Wd4,a1")
    row.hover()
    page.locator(GHOST).wait_for()
    assert page.locator(".ghosts path").count() == 1  # the cross on the ring to go
    page.get_by_role("heading", name="Openings").hover()
    page.locator(GHOST).wait_for(state="detached")
    row.locator("a").focus()
    page.locator(GHOST).wait_for()
    row.locator("a").blur()
    page.locator(GHOST).wait_for(state="detached")


def test_arrow_keys_walk_on_and_back(page: Page, address: str) -> None:
    page.goto(f"{address}/openings")
    rows = page.locator(ROWS)
    rows.nth(1).wait_for()
    settle(page)
    moves = [re.escape(text) for text in rows.locator("td:first-child").all_inner_texts()]
    page.locator(".stage").click(position={"x": 5, "y": 5})
    for key in ("ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    page.locator(f"{ROWS}.at:nth-child(2)").wait_for()
    page.locator(GHOST).wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(f"moves={moves[1].replace(',', '(,|%2C)')}$"))
    page.keyboard.press("ArrowRight")  # before the page has answered
    page.wait_for_url(re.compile(r"moves=\S+(\+|%20)\S+"))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile("openings$"))
    first = page.locator(ROWS).filter(has_text=re.compile(moves[0]))
    first.locator("a").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(f"moves={moves[0].replace(',', '(,|%2C)')}$"))
    page.locator(f"{ROWS}.at:focus-within").wait_for()  # the list still has the focus


def test_a_letter_on_the_board_adds_its_move_to_the_pattern(page: Page, address: str) -> None:
    page.goto(f"{address}/find?what=d4:W+d3:B")
    letter = page.locator(".letter", has_text="a").first
    letter.hover()
    page.locator(GHOST).first.wait_for()
    letter.click()
    page.wait_for_url(re.compile("d5(:|%3A)B"))
    page.locator('.ring[data-ring="d5"][data-sign="B"]').wait_for()


def test_rings_are_painted_by_keys(page: Page, address: str) -> None:
    page.goto(f"{address}/find")
    page.locator('.ring[tabindex="0"]').focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "w", "ArrowUp", "g", "ArrowUp", "x", "Delete", "ArrowDown"):
        page.keyboard.press(key)
    page.wait_for_url(re.compile("what="))
    signs = {ring: page.locator(f'.ring[data-ring="{ring}"]').get_attribute("data-sign") for ring in ("c3", "c4", "c5")}
    assert signs == {"c3": "W", "c4": "G", "c5": "?"}
    page.wait_for_url(re.compile("what=(W|G)"))
    assert page.locator('.brushes [aria-checked="true"]').get_attribute("data-brush") == "?"
    page.keyboard.press("b")
    page.locator('.ring[data-ring="c4"][data-sign="B"]').wait_for()
