"""Run the dashboard in a real browser; skip the tests without Chromium."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.queries.sample import RECORDS, played, record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.game_list import list_games
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
EVIL = "<script>window.harmed=1</script>"
COMMENT = "<img src=x onerror=window.harmed=2>"
START_SECONDS = 300
PATIENCE = 60_000  # milliseconds until something counts as missing; searches may have to be compiled first


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each test in a browser a second try: on a busy machine, a click may come while a page is redrawn."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[str]:
    """Run a dashboard on a free port; yield its address."""
    with socket.create_server(("localhost", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", "from zertz_db.cli.main import main; main()", "dashboard", "--no-browser"]
    command += ["--port", str(port), "--db", str(folder), *options]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://localhost:{port}"
    try:
        end = time.monotonic() + START_SECONDS
        while not _answers(address):
            assert server.poll() is None, "the dashboard ended"
            assert time.monotonic() < end, "the dashboard does not answer"
            time.sleep(0.25)
        yield address
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(f"{address}/_stcore/health").close()  # noqa: S310 - our own server
    except OSError:
        return False
    return True


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("Chromium is missing")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of the sample, a long one, and one with a name and a comment that would do harm."""
    place = tmp_path_factory.mktemp("shown")
    long = record("long", "Ada", "Ben", "2014.01.01", " ".join(played(Position.start("61"), 2)), Board="61")
    evil = record("evil", EVIL, "Ben", "2014.01.02", f"1. Wd4,d1 {{{COMMENT}}} Bd3,a1 *", Board="37")
    (place / "games.txt").write_text("".join([*RECORDS, long, evil]), "utf-8")
    import_paths([place / "games.txt"], place / "db")
    return place / "db"


@pytest.fixture(scope="session")
def ids(folder: Path) -> dict[str, str]:
    with open_database(folder) as database:
        return dict(list_games(database, columns=["event", "id"]).rows)


@pytest.fixture(scope="session")
def address(folder: Path, browser: Browser) -> Iterator[str]:
    assert browser.is_connected()
    with serving(folder) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    yield from opened(browser)


def opened(browser: Browser, **asked: Any) -> Iterator[Page]:
    """Open a window; at its end, check that no script of a page failed."""
    asked.setdefault("viewport", {"width": 1280, "height": 900})
    page = browser.new_page(**asked)
    page.set_default_timeout(PATIENCE)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield page
    page.close()
    assert failures == []
