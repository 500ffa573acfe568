"""Records checked and imported in a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
