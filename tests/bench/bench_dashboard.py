"""The dashboard in a browser: first paint of its pages, clicks, a step of a replay: python -m tests.bench.bench_dashboard [DATABASE]."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

from tests.bench.timing import heading, row
from tests.browser.conftest import CHROMIUM, serving
from zertz_db import import_paths, samples
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.open_database import open_database

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page, ViewportSize

PAGES = ("", "games", "players", "openings", "find", "statistics", "enter", "imports")
CLICKS = 5
SIZE: ViewportSize = {"width": 1280, "height": 900}
PATTERNS = ("W", "W * o", "d4:W e4:o")
PAINTED = (("B", "d4"), ("B", "e4"), ("o", "d5"), ("W", "c4"))
"""Brushes and rings: each click is a search that was not asked before. The pictures of its games differ even where the games do not."""
ROWS = ".listing tbody tr"
STEPS = 60
TIMED_STEP = """async (key) => {
    const begin = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, composed: true}));
    const shown = performance.now() - begin;
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    return [shown, performance.now() - begin];
}"""

WATCH = """([item, before]) => {
    const parts = () => [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')].map((one) => one.shadowRoot);
    const found = () => parts().map((part) => part.querySelector(item)).find(Boolean);
    const isThere = () => found() && found().innerHTML !== before;
    window.seen = new Promise((resolve, reject) => document.addEventListener('click', () => {
        const begin = performance.now();
        const look = () => {
            const taken = performance.now() - begin;
            if (isThere()) resolve(taken);
            else if (taken > 20000) reject(new Error(`nothing new at ${item} for 20 seconds`));
            else requestAnimationFrame(look);
        };
        look();
    }, {capture: true, once: true}));
}"""
"""Looks for something in each frame from the next click on: what drives the browser from outside looks less often."""


def main() -> None:
    if CHROMIUM is None:
        print("the dashboard is not measured: Chromium is missing")
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(place) / "games.zertz"
        if len(sys.argv) == 1:
            import_paths([samples.folder()], folder)
        with open_database(folder) as database:
            longest = list_games(database, "board:61", sort="-plies", limit=1, columns=["id"]).rows[0][0]
        with serving(folder) as address:
            measured(address, longest)


def measured(address: str, game: str) -> None:
    from playwright.sync_api import sync_playwright

    heading("the dashboard in a browser", "seconds, the median of three")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE)
        page.goto(f"{address}/")
        page.locator("h1").first.wait_for()
        for path in (*PAGES, f"game?id={game}"):
            first = "h1" if "game?" not in path else ".status b"
            taken = []
            for _ in range(3):
                begin = time.perf_counter()
                page.goto(f"{address}/{path}", wait_until="commit")
                page.locator(first).first.wait_for()
                taken.append(time.perf_counter() - begin)
            row(f"first paint: /{path.partition('?')[0]}", median(taken), goal=2)
        clicks(page, address)
        page.goto(f"{address}/game?id={game}")
        page.locator(".status b").first.wait_for()
        page.wait_for_timeout(1_000)
        page.evaluate(TIMED_STEP, "Home")
        steps = [page.evaluate(TIMED_STEP, "ArrowRight") for _ in range(STEPS)]
        row("a step of a replay, computed", max(shown for shown, _ in steps) / 1000, goal=0.05)
        row("a step of a replay, painted", median(painted for _, painted in steps) / 1000, goal=0.05)
        row("a move entered by clicks, shown", median(entered(browser, address) for _ in range(3)), goal=0.4)
        browser.close()


def clicks(page: Page, address: str) -> None:
    """Measure clicks on complete pages: the time until the result is visible, and the server's cost."""
    page.goto(f"{address}/games")
    page.locator(ROWS).first.wait_for()
    for name, click, shown in (
        ("a page of the list turned", lambda: page.get_by_label("Next page").click(), ROWS),
        ("a list sorted", lambda: page.get_by_role("button", name="Plies").click(), ROWS),
        ("a game opened from the list", lambda: page.locator(ROWS).first.click(), ".status b"),
    ):
        timed_clicks(page, name, click, shown)
    page.goto(f"{address}/openings")
    page.locator(ROWS).first.wait_for()
    timed_clicks(page, "a move of the opening tree", lambda: page.locator(ROWS).first.click(), ROWS, goal=0.3)
    paint(page, address)
    for pattern in PATTERNS:
        taken = []
        for _ in range(3):
            begin = time.perf_counter()
            page.goto(f"{address}/find?what={quote_plus(pattern)}", wait_until="commit")
            page.locator(".gallery a").first.wait_for()
            taken.append(time.perf_counter() - begin)
        row(f"the page of a pattern: {pattern}", taken[0], goal=1)
        row(f"the page of a pattern again: {pattern}", median(taken[1:]))


def paint(page: Page, address: str) -> None:
    """Measure the time from a click that paints a ring until the games of the new pattern are visible."""
    page.goto(f"{address}/find")
    taken = []
    for brush, ring in PAINTED:
        page.locator(f'[data-brush="{brush}"]').click()
        page.wait_for_timeout(800)
        gallery = page.locator(".gallery")
        before = gallery.inner_html() if gallery.count() else ""
        click = page.locator(f'.ring[data-ring="{ring}"]').click
        taken.append(until_seen(page, click, ".gallery", before))
    row("a pattern searched by a click", median(taken), goal=1)
    row("a pattern searched by a click, the slowest", max(taken), goal=1)


def timed_clicks(page: Page, name: str, click: Callable[[], None], shown: str, goal: float = 0.4) -> None:
    """Several such clicks, each until `shown` is there and says something else; one that leads elsewhere is followed by the way back."""
    taken, cost = [], []
    for _ in range(CLICKS):
        page.wait_for_timeout(800)
        here, spent = page.url.partition("?")[0], server_seconds()
        before = page.locator(ROWS).first.inner_html()
        taken.append(until_seen(page, click, shown, before) if shown == ROWS else until_there(page, click, shown))
        page.wait_for_timeout(800)
        cost.append(server_seconds() - spent)
        if page.url.partition("?")[0] != here:
            page.go_back()
            page.locator(ROWS).first.wait_for()
    row(name, median(taken), goal=goal)
    row(f"{name}: the server's part", median(cost))


def until_seen(page: Page, click: Callable[[], None], shown: str, before: str = "") -> float:
    """Seconds from a click until something is there and says something else than before."""
    page.evaluate(WATCH, [shown, before])
    click()
    return float(page.evaluate("window.seen")) / 1000


def until_there(page: Page, click: Callable[[], None], shown: str) -> float:
    """Seconds from a click that leads to another page until something is there on it."""
    begin = time.perf_counter()
    click()
    page.locator(shown).first.wait_for()
    return time.perf_counter() - begin


def server_seconds() -> float:
    """Return the dashboard's processor time so far; 0 if the system does not report it."""
    spent = 0
    for child in Path("/proc/self/task").glob("*/children"):
        for number in child.read_text().split():
            if b"dashboard" in Path(f"/proc/{number}/cmdline").read_bytes():
                fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
                spent += int(fields[11]) + int(fields[12])
    return spent / os.sysconf("SC_CLK_TCK")


def entered(browser: Browser, address: str) -> float:
    """Measure the time from the last click of a move until the list shows it. A new window has no draft of a game."""
    page = browser.new_page(viewport=SIZE)
    page.goto(f"{address}/enter")
    page.locator('[data-brush="W"]').click()
    page.locator('.ring.target[data-ring="d4"]').click()
    target = page.locator('.ring.target[data-ring="d1"]')
    target.wait_for()
    page.wait_for_timeout(800)
    taken = until_seen(page, target.click, '.moves [data-ply="1"]')
    page.close()
    return taken


if __name__ == "__main__":
    main()
