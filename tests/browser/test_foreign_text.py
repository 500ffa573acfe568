"""Foreign text in a browser: shown unchanged, nothing loaded from outside; pages of other sites are refused."""

from __future__ import annotations

import http.server
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.browser.conftest import PATIENCE, START_SECONDS, opened, serving
from tests.browser.pages.test_pages import settle
from tests.queries.sample import ILLEGAL, RECORDS, played, record
from zertz_db import import_paths
from zertz_db.edit.marks import add_mark
from zertz_db.queries.games.game_list import list_games
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

TEXTS = [
    "![x](http://127.0.0.1:9/x.png)", "<img src=x onerror=window.harmed=1>", "</script><script>window.harmed=2</script>",
    ":material/delete:", ":material_delete:", ":streamlit:", ":smile: :+1: 12:30:15", "::a:b:",
    "->", "--", "a -> b <- c <-> d -- e >= f <= g ~= h", "->=-->", "W-->B", "--- ===",
    "http://example.invalid/", "HTTPS://EXAMPLE.INVALID/a?b=c#d", "www.example.com", "x@example.com mailto:x@y.zz xmpp:a@b.c",
    "<https://example.invalid>", "[a](javascript:window.harmed=3)", "[x]: http://example.invalid", "[^1]",
    "$x^2$", "$$x$$", ":red[x]", ":color[x]{foreground=red}", "**bold** _it_ ~~gone~~", "`code` ``a``", "a|b|c", "{x} [y] (z)",
    "1. list", "- item", "# heading", "> quote", "\\ \\*", "&amp; &lt; &#65;", "a\u200bb\u200d", "\u202eoverride", "two\nlines", "N" * 5000,
]  # fmt: skip
"""Texts that would act as markup, or do harm, if they were not escaped."""
FIRST, SECOND = f"{TEXTS[0]} :material_delete: **b** -> x", f"{TEXTS[1]} {TEXTS[14]} {TEXTS[19]} $x^2$ :red[x]"
THIRD, EVENT = "\u202eAda </script>", ":streamlit: www.example.com a@b.example ->"
LINKS = """() => {
    const found = [];
    const walk = (root) => root.querySelectorAll('*').forEach((one) => {
        if (one.shadowRoot) walk(one.shadowRoot);
        const address = one.href?.baseVal ?? one.href ?? one.src ?? '';
        if (/^(http|javascript|mailto)/.test(address) && !address.startsWith(location.origin)) found.push(address);
    });
    walk(document);
    return found;
}"""
"""Addresses of other places in a page, those of its components too."""


@pytest.fixture(scope="module")
def shown() -> Iterator[str]:
    """Run a page that shows the texts in every element; yield its address."""
    with socket.create_server(("localhost", 0)) as probe:
        port = probe.getsockname()[1]
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "streamlit", "run", str(Path(__file__).parent / "foreign_text_app.py")]
    command += [f"--server.port={port}", "--server.headless=true", "--browser.gatherUsageStats=false"]
    environment = {**os.environ, "PYTHONPATH": str(root), "TEXTS": json.dumps(TEXTS)}
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"http://localhost:{port}"
    finally:
        server.terminate()
        server.wait()


def test_every_element_shows_texts_as_they_are(page: Page, shown: str) -> None:
    asked = elsewhere(page, shown)
    for _ in range(4 * START_SECONDS):
        try:
            page.goto(shown)
            break
        except Exception:  # noqa: BLE001 - the server starts
            page.wait_for_timeout(250)
    last = page.locator(f".st-key-shown-{len(TEXTS) - 1}")
    last.locator("a[href^=https]").wait_for()
    for number, text in enumerate(TEXTS):
        place = page.locator(f".st-key-shown-{number}")
        seen = {one.strip("\u202c \n") for one in place.locator("h1, p").all_inner_texts()}
        assert seen == {" ".join(text.split())}
        assert place.locator("img, em, code, p a, h1 a[href^=http], [aria-label='delete icon']").count() == 0
    assert page.evaluate("window.harmed") is None
    assert asked == []


@pytest.fixture(scope="module")
def folder_of_texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a database whose players, events, comments, marks and file name are such texts, and the id of a game."""
    place = tmp_path_factory.mktemp("texts")
    pairs = [(FIRST, SECOND), (SECOND, FIRST), (FIRST, THIRD), ("N" * 5000, FIRST)]
    made = [
        record(EVENT, *pair, f"2014.01.{day:02}", " ".join(played(Position.start("37"), day)), Board="37", Site=SECOND)
        for day, pair in enumerate(pairs * 3, 1)
    ]
    talk = f"1. Wd4,d1 {{{SECOND} {'c' * 3000}}} Bd3,a1 *"
    made.append(record("talk", FIRST, SECOND, "2015.01.01", talk, Board="37", Annotator=FIRST))
    file = place / ":streamlit: **b** <img src=x onerror=window.harmed=4>.txt"
    file.write_text("".join([*made, *RECORDS, ILLEGAL.replace("Eve", FIRST)]), "utf-8")
    import_paths([file], place / "db")
    with open_database(place / "db") as database:
        game = dict(list_games(database, columns=["event", "id"], limit=100).rows)["talk"]
    for label in (FIRST, SECOND, "L" * 5000, "->", ":material_delete:"):
        add_mark(place / "db", FIRST, label=label, text=f"{SECOND}\n{'n' * 2000}", game=game)
        add_mark(place / "db", SECOND, label=label, words="board:37")
    return place / "db", str(game)


def paths(game: str) -> dict[str, str]:
    """Pages that show texts, each with one that it must show."""
    first, second = quote(FIRST), quote(SECOND)
    return {
        "": FIRST,
        "games": FIRST,
        f"game?id={game}": FIRST,
        f"game?id={game}&about=Marks": FIRST,
        f"game?id={game}&about=Source": FIRST,
        f"game?id={game}&about=Corrections": FIRST,
        f"game?id={first}": FIRST,
        f"players?player={first}": FIRST,
        f"players?player={first}&vs={second}": f"{FIRST} against {SECOND}",
        f"players?player={first}&profile=Opponents": SECOND,
        f"players?player={second}x": f"{SECOND}x",
        f"players?player={'N' * 5000}": "N" * 5000,
        "players?about=Ratings": FIRST,
        "bookmarks": SECOND,
        f"bookmarks?label={first}": f"Games with this label: {FIRST}",
        f"games?filter={first}": FIRST,
        f"openings?moves={first}": FIRST.split()[0],
        f"find?what={first}": "![x]",
        f"statistics?about=Tournaments&tournament={quote(EVENT)}": EVENT,
        f"enter?moves={first}": "can't be played",
        f"enter?player1={first}&moves=Wd4,d1&said={quote('1 ' + SECOND)}": SECOND,
        f"check?text={quote(ILLEGAL.replace('Eve', FIRST))}": FIRST,
        f"imports?code={first}": f"Records rejected for {FIRST}",
        "imports?record=1": ":streamlit: **b** <img src=x onerror=window.harmed=4>.txt",
    }


@pytest.mark.long
def test_pages_show_texts_as_they_are(page: Page, folder_of_texts: tuple[Path, str]) -> None:
    folder, game = folder_of_texts
    with serving(folder, "--allow-import") as address:
        asked = elsewhere(page, address)
        refused: list[str] = []
        page.on("console", lambda one: refused.append(one.text) if "Content Security" in one.text else None)
        for path, text in paths(game).items():
            page.goto(f"{address}/{path}")
            settle(page)
            page.get_by_text(text).first.wait_for(state="attached")
            assert page.evaluate("window.harmed") is None, path
            assert page.evaluate(LINKS) == [], path
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
            height = page.locator('[data-testid="stMainBlockContainer"]').bounding_box()["height"]  # type: ignore[index]
            assert height < 6_000, path
        assert asked == refused == []


def test_pages_of_others_can_neither_show_nor_ask_it(
    browser: Browser, folder_of_texts: tuple[Path, str], tmp_path: Path
) -> None:
    with serving(folder_of_texts[0], "--allow-import") as address, other_site(tmp_path) as other:
        target = f"{address}/check?text={quote(RECORDS[0])}"
        (tmp_path / "page.html").write_text(
            f"<iframe src='{target}'></iframe><a href='{target}'>follow</a><script>"
            f"const stream = new WebSocket('{address.replace('http', 'ws')}/_stcore/stream');"
            "stream.onopen = () => document.title = 'open'; stream.onerror = () => document.title = 'refused';</script>",
            "utf-8",
        )
        for page in opened(browser):
            page.goto(f"{other}/page.html")
            page.wait_for_function("document.title")
            assert page.title() == "refused"
            framed = page.frame_locator("iframe").locator("body").inner_text()
            assert "Check & import" not in framed
            assert "refused to connect" in framed
            page.get_by_text("follow").click()
            page.get_by_role("heading", name="Open this page?").wait_for()
            assert page.get_by_role("button").count() == 0
            page.get_by_role("link").click()
            page.locator(".st-key-import button").wait_for()


def other_site(folder: Path) -> _Site:
    """Run a web server of another origin for a folder; yield its address."""
    return _Site(folder)


class _Site:
    def __init__(self, folder: Path) -> None:
        handler = partial(_Silent, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)

    def __enter__(self) -> str:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


def elsewhere(page: Page, address: str) -> list[str]:
    """Return a list that collects the addresses of all requests to other hosts."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            asked.append(request.url)

    page.on("request", note)
    page.set_default_timeout(PATIENCE)
    return asked
