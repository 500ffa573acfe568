"""Pictures of every page in both themes, wide and narrow, to look at: python -m tests.browser.page_pictures FOLDER [DATABASE]."""

from __future__ import annotations

import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.conftest import CHROMIUM, PATIENCE, serving
from tests.browser.pages.test_pages import FULL, PAGES, settle
from zertz_db import import_paths, samples
from zertz_db.maintain.analysis.analyse import analyse_games
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.open_database import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCHEMES = ("light", "dark")
SIZES = {"wide": {"width": 1400, "height": 900}, "narrow": {"width": 390, "height": 844}}


def main() -> None:
    if CHROMIUM is None:
        raise SystemExit("Pictures are taken with Chromium, which is not here: apt-get install chromium")
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        database = Path(sys.argv[2]) if len(sys.argv) > 2 else build_database(Path(place))
        with serving(database) as address, sync_playwright() as running:
            browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            take_all(browser, address, find_game(database), folder)
            browser.close()


def build_database(place: Path) -> Path:
    """Return a database of the samples, with analyses of its long games."""
    import_paths([samples.folder()], place / "games.zertz")
    analyse_games(place / "games.zertz", "plies:>30")
    return place / "games.zertz"


def find_game(folder: Path) -> str:
    with open_database(folder) as database:
        found: str = list_games(database, "ending:set analysed:yes plies:>30", limit=1, columns=["id"]).rows[0][0]
    return found


def take_all(browser: Browser, address: str, game: str, folder: Path) -> None:
    """Save a picture of each page, scheme and size."""
    for path, scheme, size in product(PAGES, SCHEMES, SIZES):
        page = browser.new_page(viewport=SIZES[size], color_scheme=scheme)
        page.set_default_timeout(PATIENCE)
        page.goto(f"{address}/{FULL.get(path, path).format(evil=game)}")
        settle(page)
        page.wait_for_timeout(2_000)  # fonts, charts, and what fades in
        name = path.partition("?")[0] or "overview"
        page.screenshot(path=folder / f"{name}-{scheme}-{size}.png", full_page=True)
        page.close()


if __name__ == "__main__":
    main()
