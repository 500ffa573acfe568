"""A game's tags corrected in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.conftest import EVIL, serving
from tests.queries.sample import RECORDS
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.corrections import list_corrections
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.open_database import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_slip_is_corrected_and_taken_back(page: Page, browser: object, tmp_path: Path) -> None:
    assert browser
    (tmp_path / "game.txt").write_text(RECORDS[0], "utf-8")
    import_paths([tmp_path / "game.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        [(game_id,)] = list_games(database, columns=["id"]).rows
    with serving(tmp_path / "db", "--allow-import") as address:
        page.goto(f"{address}/game?id={game_id}")
        page.get_by_role("tab", name="Corrections").click()
        page.get_by_text("No corrections").wait_for()
        page.get_by_label("Event").fill(EVIL)
        page.get_by_label("Player 1 (moved first)").fill("Ada Example")
        page.get_by_label("Why").fill("the scoresheet")
        page.get_by_role("button", name="Correct it").click()
        page.get_by_role("heading", name="Ada Example – Ben").wait_for()
        page.get_by_text("Event (its record has “resigned”)").wait_for()
        page.get_by_text("Corrected: Event, Player1", exact=True).wait_for()
        assert page.evaluate("window.harmed") is None
        page.get_by_role("button", name="Revert a correction").click()
        page.get_by_label("Tag", exact=True).click()
        page.get_by_role("option", name="Player1").click()
        page.get_by_role("button", name="Revert it").click()
        page.get_by_role("heading", name="Ada – Ben").wait_for()
    with open_database(tmp_path / "db") as database:
        assert list_games(database, columns=["player1", "event"]).rows == [("Ada", EVIL)]
        assert [one["tag"] for one in list_corrections(database, game_id).dicts() if one["taken_back_by"]] == [
            "Player1"
        ]
