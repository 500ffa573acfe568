"""A game entered by clicks in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.conftest import serving
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.folder.build import next_generation
from zertz_db.store.open_database import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Page


def click(page: Page, *rings: str) -> None:
    for ring in rings:
        page.locator(f'.ring.target[data-ring="{ring}"]').click()


def test_a_game_is_clicked_and_saved(page: Page, browser: object, tmp_path: Path) -> None:
    assert browser
    with next_generation(tmp_path / "db"):
        pass
    with serving(tmp_path / "db", "--allow-import") as address:
        page.goto(f"{address}/enter")
        page.locator('[data-brush="W"]').click()
        click(page, "d4", "d1")
        page.locator('.moves [data-ply="1"]').wait_for()
        page.locator('[data-brush="B"]').click()
        click(page, "d3", "a1")
        page.get_by_text("Player 1 must capture.").wait_for()
        assert sorted(ring.get_attribute("data-ring") or "" for ring in page.locator(".ring.target").all()) == [
            "d3",
            "d4",
        ]
        click(page, "d3", "d5")
        page.locator('.moves [data-ply="3"]').wait_for()
        assert page.locator(".moves button").all_inner_texts() == ["Wd4,d1", "Bd3,a1", "x d3Wd5"]
        page.locator("pre", has_text="x d3Wd5").wait_for()  # the page is there down to its end
        page.get_by_label("Player 1 (moved first)").fill("Ada")
        page.get_by_label("Player 1 (moved first)").press("Enter")
        page.get_by_text('[Player1 "Ada"]').wait_for()
        page.get_by_role("button", name="Save into the database").click()
        page.get_by_text("Stored").wait_for()
    with open_database(tmp_path / "db") as database:
        assert list_games(database, columns=["player1", "plies"]).rows == [("Ada", 3)]


def test_what_is_begun_can_be_left_and_taken_back(page: Page, address: str) -> None:
    page.goto(f"{address}/enter")
    page.locator('[data-brush="G"]').click()
    click(page, "d4")
    assert page.locator('.ring.target[data-ring="d3"]').count() == 0
    page.keyboard.press("Escape")
    click(page, "d3", "g1")
    page.locator('.moves [data-ply="1"]').wait_for()
    assert "moves=Gd3" in page.url
    page.get_by_role("button", name="Undo").click()
    page.locator('.moves [data-ply="1"]').wait_for(state="detached")
