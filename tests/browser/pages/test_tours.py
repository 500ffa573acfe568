"""Tours of three persons through the dashboard: an organiser, a strong player, an archivist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.board.test_explorer_board import ROWS
from tests.browser.conftest import opened, serving
from tests.browser.pages.test_pages import settle
from tests.queries.sample import ILLEGAL, RECORDS
from zertz_db import import_paths

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def go_to(page: Page, title: str) -> None:
    """Go to a page by the menu."""
    page.locator('[data-testid="stSidebarNavLink"]', has_text=title).click()
    page.get_by_role("heading", level=1, name=title).wait_for()
    settle(page)


def test_an_organiser_selects_games_and_opens_their_event(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("heading", level=1).first.wait_for()
    go_to(page, "Games")
    page.get_by_text("Select", exact=True).click()
    page.get_by_role("button", name=re.compile("Select all")).click()
    page.get_by_role("button", name="Download selected").wait_for()
    page.get_by_text("Select", exact=True).click()
    page.locator(ROWS).filter(has_text="Čeněk").click()
    page.locator(".status b").wait_for()
    page.get_by_role("link", name="large", exact=True).click()
    page.wait_for_function("document.title.startsWith('event:large · Games')")
    page.locator(ROWS).filter(has_text="Čeněk").wait_for()
    page.locator(ROWS).nth(1).wait_for(state="detached")


def test_a_strong_player_walks_from_an_opening_to_an_opponent(page: Page, address: str) -> None:
    page.goto(f"{address}/openings")
    page.locator(ROWS).nth(1).wait_for()
    settle(page)
    page.locator(".stage").click(position={"x": 5, "y": 5})
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("moves="))
    settle(page)
    page.get_by_role("tab", name=re.compile("^Games")).click()
    page.locator('.listing a[href^="game"]').first.click()
    page.locator(".status b").wait_for()
    page.get_by_role("heading", level=1).get_by_role("link").first.click()
    page.get_by_role("tab", name="Prepare").wait_for()
    settle(page)
    page.get_by_role("tab", name="Prepare").click()
    page.wait_for_url(re.compile("profile=Prepare"))
    go_to(page, "Insights")
    page.get_by_text("Who wins more", exact=False).first.wait_for()


def test_an_archivist_imports_files_mends_a_record_and_undoes(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "known.txt").write_text(RECORDS[0], "utf-8")
    import_paths([tmp_path / "known.txt"], tmp_path / "db")
    (tmp_path / "new.txt").write_text(RECORDS[3] + ILLEGAL, "utf-8")
    with serving(tmp_path / "db", "--allow-import") as address:
        for page in opened(browser):
            page.goto(f"{address}/check")
            page.locator('input[type="file"]').set_input_files(tmp_path / "new.txt")
            page.locator(".listing tbody tr").nth(1).wait_for()
            page.get_by_role("button", name="Import 1 game; 1 record is rejected").click()
            page.get_by_text("2 records read = 1 stored + 0 duplicate + 1 rejected").wait_for()
            page.get_by_role("link", name="Details").click()
            page.wait_for_url(re.compile("imports"))
            page.locator('table[aria-label="Rejected records"] tbody tr').first.click()
            page.get_by_text("The record goes wrong here, at ply 3.").first.wait_for()
            field = page.get_by_label("Its text")
            field.fill(RECORDS[1])  # without leaving the field: the findings follow the typed text
            page.get_by_role("button", name="Import 1 game").click()
            page.get_by_text("A revised text of this record was imported.").wait_for()
            page.get_by_role("button", name="Undo this import").click()
            page.get_by_role("button", name=re.compile("^(undo )?Undo import")).click()
            page.get_by_text("undone since").wait_for()
