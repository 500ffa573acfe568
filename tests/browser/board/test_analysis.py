"""The analysis board in a browser: from a position over variations to a saved study and its text."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.board.test_entering import click
from tests.browser.conftest import serving
from zertz_db.queries.studies import find_study
from zertz_db.store.open_database import open_database
from zertz_db.variations.notation import read_tree
from zertz_db.variations.printed_tree import print_tree

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

START = "37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 6/8/10 0/0/0 0/0/0 1"


def move(page: Page, node: int) -> Locator:
    return page.locator(f'.tree [data-node="{node}"]')


def current(page: Page, node: int) -> None:
    page.locator(f'.tree [data-node="{node}"][aria-current]').wait_for()


def test_a_position_becomes_a_study(page: Page, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "db")
    with serving(tmp_path / "db", "--allow-import") as address:
        page.goto(f"{address}/analysis")
        page.get_by_role("button", name="New").click()
        page.get_by_role("textbox", name="Position string").fill(START)
        page.get_by_role("button", name="Open it").click()
        page.get_by_text("Opened with 0 moves").wait_for()
        page.keyboard.press("Escape")

        page.locator('[data-brush="W"]').click()
        click(page, "d4", "d1")
        current(page, 1)
        row = page.locator(".listing tr.opens", has_text="Bd3,a1").first
        row.hover()
        page.locator(".ghosts use").wait_for(state="attached")  # the move is shown on the board
        row.locator("a").focus()
        page.locator(".ghosts use").wait_for(state="attached")
        row.click()
        current(page, 2)

        page.locator(".table").focus()
        page.keyboard.press("ArrowLeft")  # back, and branch
        current(page, 1)
        page.locator('[data-brush="G"]').click()
        click(page, "c2", "a1")
        current(page, 3)
        comment = page.get_by_role("textbox", name="Comment on Gc2,a1")
        comment.fill("why <b>not</b>?")
        comment.press("Control+Enter")
        page.locator(".tree .comment", has_text="why <b>not</b>?").wait_for()
        page.get_by_role("radio", name="!?").click()
        page.locator(".tree button", has_text="Gc2,a1!?").wait_for()
        move(page, 3).focus()
        page.keyboard.press("ArrowLeft")  # in the text, too
        current(page, 1)

        page.get_by_role("button", name="Study").first.click()
        page.get_by_role("textbox", name="Name").fill("Answers")
        page.get_by_role("button", name="Save as a study").click()
        page.get_by_text("Saved as the study Answers").wait_for()
        page.reload()
        move(page, 3).wait_for()
        page.goto(f"{address}/analysis")
        page.locator(".listing tr.opens", has_text="Answers").click()
        page.get_by_role("heading", name="Answers").wait_for()
        move(page, 3).click()
        current(page, 3)
        page.get_by_role("button", name="Export").click()
        page.locator("pre", has_text="Gc2,a1!?").wait_for()
    with open_database(tmp_path / "db") as database:
        tree = read_tree(find_study(database, "Answers").record).tree
    assert print_tree(tree) == "1. Wd4,d1 Bd3,a1 (1... Gc2,a1!? {why <b>not</b>?})"
