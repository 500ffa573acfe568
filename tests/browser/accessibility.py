"""What a screen reader gets: the role and the name of everything on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.browser.conftest import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMED = {
    "button", "link", "checkbox", "radio", "switch", "tab", "textbox", "searchbox", "combobox", "slider", "spinbutton", "image",
    "img", "table", "dialog", "radiogroup", "toolbar", "navigation",
}  # fmt: skip


def nodes(page: Page) -> list[tuple[str, str]]:
    """Role and name of all that is read aloud."""
    session = page.context.new_cdp_session(page)
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    return [(said(node, "role"), said(node, "name")) for node in tree if not node.get("ignored")]


def said(node: dict[str, Any], what: str) -> str:
    return str(node.get(what, {}).get("value", "")).strip()


def require_names(page: Page) -> None:
    """Check that every control of a page has a name; wait for controls that still load without one."""
    for _ in range(PATIENCE // 1_000):
        page.wait_for_timeout(1_000)
        found = nodes(page)
        unnamed = [role for role, name in found if role in NAMED and not name]
        if not unnamed:
            break
    assert {"heading", "link", "button"} <= {role for role, _ in found}
    assert unnamed == []
