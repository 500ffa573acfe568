"""Charts in a browser: nothing on the console, no failed request, and legends that are smaller than their charts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import opened, serving
from tests.browser.pages.test_pages import settle
from tests.queries.made_games import build, games

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHARTS = [
    "",
    pytest.param("statistics?by=kind", marks=pytest.mark.long),
    "statistics?about=Endings&by=board",
    pytest.param("statistics?about=Leads", marks=pytest.mark.long),
    pytest.param("statistics?about=Captures&by=board", marks=pytest.mark.long),
    pytest.param("openings", marks=pytest.mark.long),
    pytest.param("players?player=Ada&profile=Prepare", marks=pytest.mark.long),
    pytest.param("players?player=Ada", marks=pytest.mark.long),
    "insights?metric=captures&by=ending",
    pytest.param("compare?a=board:37&b=board:48&about=Endings", marks=pytest.mark.long),
]
LARGEST = 0.6
"""Largest height of a legend, as a share of its chart's."""

SIZES = """() => [...document.querySelectorAll('.chart-legend')].map(legend => {
    const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart]')];
    const next = charts.find(one => legend.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    return [legend.offsetHeight, next.offsetHeight]; })"""
"""Heights of each legend and its chart."""


@pytest.fixture(scope="module")
def address(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    assert browser.is_connected()
    with serving(build(tmp_path_factory.mktemp("charts"), list(games()))) as found:
        yield found


@pytest.mark.parametrize("path", CHARTS)
def test_charts_are_drawn_without_a_warning(browser: Browser, address: str, path: str) -> None:
    for page in opened(browser, viewport={"width": 390, "height": 844}, color_scheme="dark"):
        messages = listen(page)
        page.goto(f"{address}/{path}")
        page.locator('[data-testid="stVegaLiteChart"] :is(canvas, svg)').first.wait_for()
        settle(page)
        sizes = page.evaluate(SIZES)
        assert [size for size in sizes if size[0] > LARGEST * size[1]] == []
        assert messages == []


def listen(page: Page) -> list[str]:
    """Collect warnings and errors on the console, and failed requests, from now on."""
    messages: list[str] = []
    page.on("console", lambda one: messages.append(one.text) if one.type in ("warning", "error") else None)
    page.on("response", lambda one: messages.append(f"{one.status} {one.url}") if one.status >= 400 else None)
    return messages
