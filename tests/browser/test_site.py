"""The exported site in a real browser: answers as the database's, links, keys, a phone, no network, no text as HTML."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import EVIL, opened
from tests.site_questions import answer, make_questions, reduce_answer
from zertz_db.dashboards.components.board_files import read_elements, read_script, read_style
from zertz_db.export.web.site import BoardFiles, write_site
from zertz_db.store.open_database import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_ASK = """
    async (questions) => {
        const { ask } = await import("./parts/archive.js");
        return Promise.all(questions.map(({ ask: name, about }) => ask(name, about)));
    }
"""
_OFFLINE_READY = """
    () => new Promise((done) => {
        const container = navigator.serviceWorker;
        if (container.controller) done();
        else container.addEventListener("controllerchange", () => done());
    })
"""
_FOREIGN = re.compile(r"https?://(?!localhost[:/])")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="session")
def site(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the site of the games of `folder`; yield its address."""
    place = tmp_path_factory.mktemp("site")
    with open_database(folder) as database:
        write_site(database, place, BoardFiles(read_script(), read_style(), read_elements()), title=f"Club {EVIL}")
    server = ThreadingHTTPServer(("localhost", 0), partial(_Quiet, directory=str(place)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    yield from opened(browser, viewport={"width": 390, "height": 800}, has_touch=True)


def open_site(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#progress[data-done]").wait_for(state="attached")
    page.locator("main h1").wait_for()


def compare_answers(page: Page, site: str, folder: Path, count: int, seed: int) -> None:
    open_site(page, site)
    with open_database(folder) as database:
        questions = list(make_questions(database, count, seed))
        for question, found in zip(questions, page.evaluate(_ASK, questions), strict=True):
            assert reduce_answer(question, found) == answer(database, question), question


def test_answers_are_the_databases(page: Page, site: str, folder: Path) -> None:
    compare_answers(page, site, folder, count=8, seed=4)


@pytest.mark.long
def test_500_answers_are_the_databases(page: Page, site: str, folder: Path) -> None:
    compare_answers(page, site, folder, count=500, seed=5)


def test_a_reader_goes_from_an_opening_to_a_game(page: Page, site: str) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    open_site(page, site)
    page.locator("button.move", has_text="Wd4").first.click()
    page.wait_for_url(re.compile("moves=Wd4"))
    page.locator("[aria-label='Latest games'] a").first.click()
    page.locator("h1.game-title").wait_for()
    page.keyboard.press("End")
    page.wait_for_url(re.compile(r"#/game/\w+\?ply=\d+"))
    page.reload()
    page.locator(".board-host [aria-label='Plies played']").wait_for()
    assert page.locator(".board-host [aria-label='Plies played']").input_value() != "0"
    assert [url for url in requests if _FOREIGN.match(url)] == []


def test_moves_are_clicked_and_patterns_painted(page: Page, site: str) -> None:
    expect = pytest.importorskip("playwright.sync_api").expect
    open_site(page, f"{site}#/openings?board=37")
    page.locator(".board-host .ring[data-ring=d4]").click()
    page.locator(".board-host .ring[data-ring=d1]").click()
    page.wait_for_url(re.compile("moves=Wd4%2Cd1"))
    page.goto(f"{site}#/search")
    page.locator("h1", has_text="Search").wait_for()
    page.locator(".board-host .ring[data-ring=d4]").click()
    expect(page.locator("input[name=text]")).to_have_value("d4:W turned board:37")
    page.get_by_role("button", name="Search").click()
    page.locator("[aria-label=Continuations] table").wait_for()


def test_texts_of_records_are_text(page: Page, site: str) -> None:
    open_site(page, f"{site}#/games")
    page.get_by_text(EVIL, exact=False).first.wait_for()
    page.goto(f"{site}#/players")
    page.locator("h1", has_text="Players").wait_for()
    page.get_by_role("link", name=EVIL, exact=True).click()
    page.locator("h1", has_text=EVIL).wait_for()
    for address in (
        "game/<img src=x onerror=window.harmed=3>",
        "game/%E0%A4%A",
        "openings?moves=<b>x</b>",
        "search?kind=position&position=37",
    ):
        page.goto(f"{site}?{len(address)}#/{address}")
        page.get_by_role("alert").wait_for()
    page.goto(f"{site}?missing#/nosuch")
    page.locator("h1", has_text="No such page").wait_for()
    assert page.evaluate("window.harmed") is None


def test_a_phone_without_network(phone: Page, site: str) -> None:
    open_site(phone, site)
    phone.evaluate(_OFFLINE_READY)
    phone.context.set_offline(True)
    for name in ("openings", "games", "search", "statistics", "players", "about"):
        phone.goto(f"{site}?{name}#/{name}")
        phone.locator(f".page[data-page={name}] h1").wait_for()
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_can_be_read_by_all(browser: Browser, site: str, theme: str) -> None:
    pytest.importorskip("axe_playwright_python")
    from tests.browser.accessibility import list_violations

    for page in opened(browser, color_scheme=theme, bypass_csp=True):
        for name in ("openings", "search", "statistics"):
            page.goto(f"{site}#/{name}")
            page.locator(f".page[data-page={name}] h1").wait_for()
            assert list_violations(page) == [], name
