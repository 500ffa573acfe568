"""Records checked and imported in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.conftest import opened, serving
from tests.queries.sample import ILLEGAL, RECORDS
from zertz_db import import_paths

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FAULTY = '[Board "37"] 1. Wd4,d1 Bd3,a1 2. x d3Wd6 Ba2,b1 *'


def test_a_fault_is_seen_and_mended(page: Page, address: str) -> None:
    page.goto(f"{address}/check")
    box = page.get_by_label("Paste records")
    box.fill(FAULTY)
    box.blur()
    page.get_by_text("is not straight over one ring").wait_for()
    page.locator("pre").filter(has_text=re.compile(r" {33}\^{7}\s*$")).wait_for()
    page.get_by_text("The record goes wrong here, at ply 3.").first.wait_for()
    page.get_by_role("button", name="Accept").first.click()
    page.get_by_text("unfinished", exact=True).first.wait_for()
    assert "{repaired: was x d3Wd6" in box.input_value()
    page.reload()
    page.get_by_text("repaired", exact=False).first.wait_for()


def test_files_are_dropped_and_imported(browser: Browser, tmp_path: Path) -> None:
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
