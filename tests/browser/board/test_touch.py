"""The dashboard on a screen that is touched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.board.test_replay import open_game
from tests.browser.conftest import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)


def swipe(page: Page, right: float, down: float = 0) -> None:
    """Move a finger over the board by this many pixels."""
    box = page.locator(".stage").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for kind, moved in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0), ("touchEnd", None)):
        points = [] if moved is None else [{"x": x + moved * right, "y": y + moved * down}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_swipes_step_through_a_game(phone: Page, address: str, ids: dict[str, str]) -> None:
    open_game(phone, address, ids["long"], 5)
    place = phone.locator(".controls input")
    for right, down, ply in ((-120, 0, "6"), (-120, 0, "7"), (120, 0, "6"), (-20, 0, "6"), (-60, 200, "6")):
        swipe(phone, right, down)
        phone.wait_for_timeout(100)
        assert place.input_value() == ply, (right, down)
    assert "ply=6" in phone.url


def test_taps_enter_a_move(phone: Page, address: str) -> None:
    phone.goto(f"{address}/enter")
    phone.locator('[data-brush="G"]').tap()
    for ring in ("d4", "d1"):
        phone.locator(f'.ring.target[data-ring="{ring}"]').tap()
    phone.locator('.moves [data-ply="1"]').wait_for()
    assert phone.locator(".moves button").all_inner_texts() == ["Gd4,d1"]
