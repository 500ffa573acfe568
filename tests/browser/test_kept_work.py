"""The work of a person stays: on every page, whatever is done next. Between two actions some seconds pass, as when a person acts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import PATIENCE, opened, serving
from tests.browser.pages.test_addresses import Act, at, clicked, seen
from tests.browser.pages.test_pages import settle
from tests.queries.sample import RECORDS, record
from zertz_db import import_paths

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

MOMENT = 1_000  # milliseconds between two actions
FAULTY = '[Event "First"]\n[Board "37"]\n1. Wd4,d1 Bd3,a1 2. x d3Wd6 Ba2,b1\n\n'
OTHER = '[Event  "Club night" ]\n[Board "37"]\n\n1. Wd4,d1   Bd3,a1 2. x d3Wd5 *\n'
MOVES = ["Wd4,d1", "Wd3,a1"]


def pause(page: Page, milliseconds: int = MOMENT) -> None:
    page.wait_for_timeout(milliseconds)
    settle(page)


def go_to(page: Page, title: str) -> None:
    """Go to a page by the sidebar."""
    page.locator('[data-testid="stSidebarNavLink"]', has_text=title).click()
    page.get_by_role("heading", level=1, name=title).wait_for()
    pause(page)


def shown(page: Page) -> str:
    """Return what a page shows, without parts that depend on the pointer and the last brush."""
    passing = ("Collapse sidebar", '- radio "white"', '- radio "black"')
    return "\n".join(line for line in seen(page).splitlines() if not any(one in line for one in passing))


def standing(page: Page) -> tuple[str, str]:
    """Return what a page shows and its URL, once they no longer change."""
    before = shown(page), page.url
    for _ in range(PATIENCE // MOMENT):
        page.wait_for_timeout(MOMENT)
        now = shown(page), page.url
        if now == before:
            break
        before = now
    return before


def enter_moves(page: Page) -> None:
    page.locator('[data-brush="W"]').click()
    for ply, move in enumerate(MOVES, 1):
        for ring in (move[1:3], move[4:]):
            page.locator(f'.ring.target[data-ring="{ring}"]').click()
        page.locator(f'.moves [data-ply="{ply}"]').wait_for()
        pause(page)


def moves_of(page: Page) -> list[str]:
    return page.locator(".moves button").all_inner_texts()


@pytest.fixture(scope="module")
def changing(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Run a dashboard that may write; yield its address and its database."""
    assert browser.is_connected()
    place = tmp_path_factory.mktemp("changing")
    (place / "game.txt").write_text(RECORDS[0], "utf-8")
    import_paths([place / "game.txt"], place / "db")
    with serving(place / "db", "--allow-import") as address:
        yield address, place


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Open a separate browser for several windows."""
    made = browser.new_context(viewport={"width": 1280, "height": 900})
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


def test_the_board_never_steps_by_itself(page: Page, address: str, ids: dict[str, str]) -> None:
    page.goto(f"{address}/game?id={ids['long']}&ply=10")
    page.locator(".status b").wait_for()
    pause(page)
    for ply in range(11, 15):
        page.locator('[data-step="on"]').click()
        page.wait_for_timeout(2_000)
        assert page.locator(".controls input").input_value() == str(ply)
        assert f"ply={ply}" in page.url
    page.get_by_role("tab", name="Source").click()
    pause(page)
    assert page.locator(".controls input").input_value() == "14"


LEFT: dict[str, list[Act]] = {
    "statistics": [clicked("button", "side"), clicked("tab", "Endings")],
    "openings?board=48": [at(".listing tbody tr"), clicked("tab", "Games")],
    "find": [
        at('.brushes [data-brush="W"]'), at('.ring[data-ring="d4"]'), at('.brushes [data-brush="B"]'), at('.ring[data-ring="d3"]'),
    ],
}  # fmt: skip
"""Actions on pages that the test leaves afterwards."""


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=pytest.mark.long if number else ()) for number, path in enumerate(LEFT)]
)
def test_back_restores_the_page_that_was_left(page: Page, address: str, path: str) -> None:
    """Left by the sidebar for a page that has names of widgets in common with it."""
    page.goto(f"{address}/{path}")
    settle(page)
    for act in LEFT[path]:
        act(page)
        pause(page)
    expected, left = standing(page)
    assert "?" in left
    go_to(page, "Enter a game" if path.startswith("openings") else "Openings")
    other = page.url
    page.go_back()
    pause(page)
    assert standing(page) == (expected, left)
    page.go_forward()
    pause(page)
    assert standing(page)[1] == other


@pytest.mark.long
def test_rings_that_are_painted_in_haste_stay_painted(page: Page, address: str) -> None:
    page.goto(f"{address}/find")
    settle(page)
    rings = ("d4", "d3", "e4", "c2", "f3")
    for ring in rings:
        page.locator(f'.ring[data-ring="{ring}"]').click()
        page.wait_for_timeout(350)
    page.locator(".gallery a, .stAlert").first.wait_for()
    pause(page, 2_000)
    assert [page.locator(f'.ring[data-ring="{ring}"]').get_attribute("data-sign") for ring in rings] == ["W"] * 5


def test_a_game_that_is_entered_survives_the_sidebar_reload_and_the_window(
    context: BrowserContext, address: str
) -> None:
    page = context.new_page()
    page.goto(f"{address}/enter")
    settle(page)
    enter_moves(page)
    page.get_by_label("Event").press_sequentially("Cup")
    pause(page)
    go_to(page, "Games")
    page.go_back()
    pause(page)
    assert moves_of(page) == MOVES
    go_to(page, "Games")
    go_to(page, "Enter a game")
    page.locator('.moves [data-ply="2"]').wait_for()
    page.reload()
    page.locator('.moves [data-ply="2"]').wait_for()

    beside = context.new_page()  # while the first window is open, its draft is its own
    beside.goto(f"{address}/enter")
    pause(beside, 2_500)
    assert moves_of(beside) == []
    beside.close()
    page.close()

    page = context.new_page()
    page.goto(f"{address}/enter")
    page.locator('.moves [data-ply="2"]').wait_for()
    pause(page)
    assert page.get_by_label("Event").input_value() == "Cup"
    page.get_by_role("button", name="Start over").click()
    page.locator('.moves [data-ply="1"]').wait_for(state="detached")
    pause(page)
    page.reload()
    pause(page, 2_500)
    assert moves_of(page) == []
    assert page.get_by_label("Event").input_value() == ""


@pytest.mark.long
def test_accept_changes_its_record_only(page: Page, address: str) -> None:
    page.goto(f"{address}/check")
    box = page.get_by_label("Paste records")
    box.fill(FAULTY + OTHER)
    box.blur()
    page.locator(".listing tbody tr").nth(1).wait_for()
    pause(page)
    page.locator(".listing tbody tr").first.click()
    page.get_by_role("button", name="Accept").first.click()
    page.get_by_role("button", name="Accept").first.wait_for(state="detached")
    pause(page)
    first, blank, rest = box.input_value().partition("\n\n")
    assert "{repaired: was x d3Wd6" in first
    assert blank + rest == "\n\n" + OTHER


@pytest.mark.long
def test_the_answer_of_an_import_stays_until_it_is_dismissed(page: Page, changing: tuple[str, Path]) -> None:
    answer = page.get_by_text("1 records read = 1 stored")
    page.goto(f"{changing[0]}/check")
    box = page.get_by_label("Paste records")
    box.fill(record("answered", "Zoe", "Ben", "2021.01.01", "1. Wd4,d1 Bd3,a1 *"))
    box.blur()
    page.locator(".st-key-import button").click()
    answer.wait_for()
    page.wait_for_timeout(6_000)  # the page has noticed that the database changed
    assert answer.is_visible()
    go_to(page, "Games")
    go_to(page, "Check & import")
    assert answer.is_visible()
    page.get_by_role("button", name="Dismiss").click()
    answer.wait_for(state="detached")


@pytest.mark.long
def test_what_is_half_typed_survives_a_change_of_the_database_and_the_next_page(
    browser: Browser, changing: tuple[str, Path]
) -> None:
    address, place = changing
    for page in opened(browser):
        page.goto(f"{address}/check")
        box = page.get_by_label("Paste records")
        box.press_sequentially("half typed")
        pause(page)
        (place / "more.txt").write_text(record("more", "Zoe", "Cy", "2021.02.01", "1. Wd4,d1 Bd3,a1 *"), "utf-8")
        import_paths([place / "more.txt"], place / "db")
        page.get_by_text("The database has changed").wait_for()
        pause(page)
        assert box.input_value() == "half typed"
        page.reload()
        box.wait_for()
        pause(page, 2_500)
        assert box.input_value() == "half typed"
        box.fill(RECORDS[0] * 20)  # too long for an address
        box.blur()
        pause(page, 2_500)
        go_to(page, "Games")
        page.go_back()
        pause(page, 2_500)
        assert box.input_value() == RECORDS[0] * 20


@pytest.mark.long
def test_forms_that_are_half_filled_stay(page: Page, changing: tuple[str, Path]) -> None:
    page.goto(f"{changing[0]}/games")
    page.locator(".listing tbody tr").last.click()
    page.get_by_role("tab", name="Marks").click()
    page.get_by_label("Label").press_sequentially("study")
    pause(page)
    page.get_by_label("Note").press_sequentially("a fine")
    page.get_by_role("tab", name="Corrections").click()
    page.get_by_label("Why").press_sequentially("the scoresheet")
    pause(page)
    go_to(page, "Games")
    page.go_back()
    pause(page)
    assert page.get_by_label("Why").input_value() == "the scoresheet"
    page.get_by_role("tab", name="Marks").click()
    pause(page)
    assert page.get_by_label("Label").input_value() == "study"
    assert page.get_by_label("Note").input_value() == "a fine"
