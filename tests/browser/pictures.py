"""The pictures of README and docs, from made-up games: python -m tests.browser.pictures (`make pictures`)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.browser.board.test_solving import COMPILE_MILLISECONDS
from tests.browser.conftest import CHROMIUM, serving
from zertz_db import import_paths, samples
from zertz_db.maintain.analysis.analyse import analyse_games
from zertz_db.queries.games.game_list import list_games
from zertz_db.rules.position import Position
from zertz_db.rules.svg.board_svg import svg
from zertz_db.store.open_database import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = Path(__file__).parents[2] / "docs" / "images"
SIZE = {"width": 1280, "height": 800}
LINE = ("Wd4,d1", "Gd5,a1", "x d4Gd6", "Bc4,g1")


class Picture(NamedTuple):
    """A page for a picture."""

    name: str
    path: str
    scheme: str = "light"


PICTURES = (
    Picture("game", "game?id={game}&ply=16"),
    Picture("game-dark", "game?id={game}&ply=16", "dark"),
    Picture("enter", "enter?moves=Wd4,d1+Bd3,a1"),
)


def main() -> None:
    if CHROMIUM is None:
        raise SystemExit("Pictures are taken with Chromium, which is not here: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    (FOLDER / "position.svg").write_text(drawing() + "\n", "utf-8")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "games.zertz"
        import_paths([samples.folder() / "generated-48.txt"], folder)
        with open_database(folder) as database:
            game = list_games(database, "ending:set plies:>30", sort="-plies", limit=1, columns=["id"]).rows[0][0]
        analyse_games(folder, f"id:{game}")
        with serving(folder) as address, sync_playwright() as running:
            browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            for picture in PICTURES:
                take(browser, picture, f"{address}/{picture.path.format(game=game)}")
            browser.close()


def take(browser: Browser, picture: Picture, address: str) -> None:
    """Open the page, wait until it is complete, and save a picture."""
    page = browser.new_page(viewport=SIZE, color_scheme=picture.scheme)
    page.goto(address)
    page.locator(".status b").wait_for()
    if picture.path.startswith("game"):
        page.locator(".plot").wait_for(timeout=COMPILE_MILLISECONDS)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
    page.wait_for_timeout(1_000)  # fonts, and what fades in
    page.screenshot(path=FOLDER / f"{picture.name}.png")
    page.close()
    print(FOLDER / f"{picture.name}.png")


def drawing() -> str:
    """Draw a board with the library."""
    position = Position.start("37")
    for move in LINE:
        position = position.play(move)
    return svg(position, LINE[-1], racks=True)


if __name__ == "__main__":
    main()
