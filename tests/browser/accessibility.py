"""What axe-core finds wrong on a page: contrast, names for screen readers, roles, the keyboard."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

GRAVE = ("critical", "serious")
AXE = Axe()
OPTIONS = {"resultTypes": ["violations"]}
PATIENCE = 20.0
"""Seconds in which a page must come to rest: parts that fade in have little contrast until then."""


def list_violations(page: Page) -> list[str]:
    """Return the serious violations that stay on a page, one line for each element: rule, element, what is wrong."""
    end = monotonic() + PATIENCE
    while (found := list_present_violations(page)) and monotonic() < end:
        page.wait_for_timeout(500)
    return found


def list_present_violations(page: Page) -> list[str]:
    """Return the serious violations that a page has at this moment."""
    found = AXE.run(page, options=OPTIONS).response["violations"]
    return [
        f"{violation['id']}: {node['target']} {node['html'][:200]} {summarise(node)}"
        for violation in found
        if violation["impact"] in GRAVE
        for node in violation["nodes"]
    ]


def summarise(node: dict[str, list[dict[str, str]]]) -> str:
    return "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])[:300]
