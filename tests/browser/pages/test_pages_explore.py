"""Games, openings, search, statistics and players in a browser: what a click does, and what the address says then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import EVIL, opened, serving
from tests.browser.pages.test_pages import settle
from tests.queries.made_games import build
from tests.queries.made_games import games as made_games
from tests.queries.sample import RECORDS, record
from zertz_db import import_paths

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROWS = ".listing tbody tr"


def test_games_are_filtered_while_typing_sorted_and_opened(page: Page, address: str) -> None:
    page.goto(f"{address}/games")
    rows = page.locator(ROWS)
    rows.first.wait_for()
    every = rows.count()
    page.get_by_role("searchbox", name="Filter").type("board:61")
    page.wait_for_url(re.compile("filter=board"))
    page.locator(f"{ROWS}:nth-child(2)").wait_for(state="detached")
    assert rows.count() == 1 < every
    page.goto(f"{address}/games")
    page.get_by_role("button", name="Plies").click()
    page.wait_for_url(re.compile("sort=-plies"))
    rows.first.click()
    page.locator(".holder").first.wait_for()
    assert "/game?id=" in page.url


@pytest.mark.long
def test_one_step_back_leads_to_the_page_before_as_it_was(page: Page, address: str) -> None:
    page.goto(f"{address}/games?filter=board:37")
    page.get_by_role("button", name="Plies").click()
    page.wait_for_url(re.compile("sort=-plies"))
    rows = page.locator(ROWS)
    rows.first.click()
    page.locator(".status b").wait_for()
    page.keyboard.press("Home")
    page.wait_for_url(re.compile("ply=0"))
    page.wait_for_timeout(1_500)  # the page has heard of the ply
    settle(page)
    page.go_back()
    page.get_by_role("heading", name="Games").wait_for()
    rows.first.wait_for()
    settle(page)
    assert "filter=board:37&sort=-plies" in page.url.replace("%3A", ":")
    page.go_forward()
    page.locator(".status b").wait_for()
    assert page.locator(".controls input").input_value() == "0"


@pytest.mark.parametrize("change", ["pushState", pytest.param("replaceState", marks=pytest.mark.long)])
@pytest.mark.parametrize(("path", "sight"), [("game?id={made}", ".holder"), ("players", "h1:has-text('Players')")])
def test_what_a_page_says_late_does_not_change_the_address_of_the_next(
    page: Page, address: str, ids: dict[str, str], path: str, sight: str, change: str
) -> None:
    """A list that is still being sorted at a click on a row sends its own URL to the browser afterwards."""
    path = path.format(made=next(iter(ids.values())))
    page.goto(f"{address}/games?filter=board:37")
    page.locator(ROWS).first.wait_for()
    settle(page)
    own = path.partition("?")[0]
    late = f"history.{change}({{}}, '', '/{own}?filter=board%3A37&sort=-plies')"
    page.evaluate(f"openPage('{path}'); {late}")
    assert page.url == f"{address}/{path}"
    page.locator(sight).first.wait_for()
    settle(page)
    assert page.url == f"{address}/{path}"
    page.evaluate(f"history.{change}({{}}, '', '/{own}?later=1')")
    assert page.url == f"{address}/{own}?later=1"
    page.go_back()
    page.get_by_role("heading", name="Games").wait_for()
    page.locator(ROWS).first.wait_for()


def test_chips_write_the_filter(page: Page, address: str) -> None:
    page.goto(f"{address}/games")
    page.get_by_role("radio", name="ending:").or_(page.get_by_role("button", name="ending:")).first.click()
    page.get_by_role("radio", name="resign").or_(page.get_by_role("button", name="resign")).first.click()
    page.wait_for_url(re.compile("filter=ending%3Aresign|filter=ending:resign"))
    page.locator(f"{ROWS}:nth-child(1)").wait_for()
    page.wait_for_function("!document.querySelector('[data-testid=stSpinner]')")
    assert page.get_by_role("searchbox", name="Filter").input_value() == "ending:resign"


@pytest.mark.long
def test_an_opening_is_walked_by_list_and_board(page: Page, address: str) -> None:
    page.goto(f"{address}/openings")
    page.locator(ROWS).filter(has_text="Wd4,a1").click()
    page.wait_for_url(re.compile("moves="))
    page.get_by_role("heading", name="White centre, corner out").wait_for()
    page.locator('.brushes button[data-brush="B"]').click()
    page.locator('.ring[data-ring="d5"]').click()
    page.locator('.ring.target[data-ring="g4"]').click()
    page.wait_for_url(re.compile("Bd5"))
    page.get_by_role("button", name="start").click()
    page.wait_for_url(re.compile("openings$"))
    page.locator(".marks circle").first.wait_for(state="detached")


def test_a_pattern_is_painted_and_found(page: Page, address: str) -> None:
    page.goto(f"{address}/find")
    for sign, ring in (("W", "d4"), ("B", "d3")):
        page.locator(f'.brushes button[data-brush="{sign}"]').click()
        page.locator(f'.ring[data-ring="{ring}"]').click()
    page.wait_for_url(re.compile("what="))
    card = page.locator(".gallery a").first
    card.wait_for()
    assert page.locator('.ring[data-ring="d4"]').get_attribute("data-sign") == "W"
    page.get_by_text("just there").click()
    page.wait_for_url(re.compile("d3%3AB|d3:B"))
    card.click()
    page.locator(".holder").first.wait_for()
    assert "ply=" in page.url


@pytest.fixture(scope="module")
def of_made_games(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    assert browser.is_connected()
    with serving(build(tmp_path_factory.mktemp("made"), list(made_games()))) as address:
        yield address


@pytest.mark.parametrize(
    ("asked", "narrowed"), [("about=Endings", "ending:"), pytest.param("by=board", "board:", marks=pytest.mark.long)]
)
def test_a_click_in_a_chart_narrows_the_filter(page: Page, of_made_games: str, asked: str, narrowed: str) -> None:
    page.goto(f"{of_made_games}/statistics?{asked}")
    chart = page.locator('[data-testid="stVegaLiteChart"]').first
    chart.locator("canvas, svg").first.wait_for()
    settle(page)
    for _ in range(5):  # a chart takes clicks some moments after it is drawn
        box = chart.bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 4, box["y"] + 13)  # the first bar
        page.wait_for_timeout(3000)
        if "filter=" in page.url:
            break
    assert page.get_by_role("searchbox", name="Filter").input_value().startswith(narrowed)


def test_paper_has_the_standings_alone(page: Page, address: str) -> None:
    page.goto(f"{address}/statistics?about=Tournaments&tournament=clocks")
    standings = page.locator(".standings h1")
    standings.wait_for()
    page.emulate_media(media="print", color_scheme="dark")
    page.get_by_role("heading", name="Win conditions").wait_for(state="hidden")
    assert standings.is_visible()
    assert not page.get_by_role("link", name="The games").is_visible()
    shown = page.locator(".standings")
    assert shown.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.evaluate("one => one.getBoundingClientRect().top") < 20


@pytest.mark.long
def test_a_player_is_opened_and_compared(page: Page, address: str) -> None:
    page.goto(f"{address}/players")
    page.locator(ROWS).filter(has_text="Ada").click()
    page.get_by_role("heading", name="Ada").wait_for()
    page.get_by_role("tab", name="Opponents").click()
    page.locator(ROWS).filter(has_text="Ben").click()
    page.get_by_role("heading", name="Ada against Ben").wait_for()
    assert "vs=Ben" in page.url
    page.reload()
    page.get_by_role("heading", name="Ada against Ben").wait_for()


def test_names_are_text_in_lists(page: Page, address: str) -> None:
    page.goto(f"{address}/games")
    page.locator(ROWS).first.wait_for()
    settle(page)
    assert EVIL in page.locator(".listing").first.inner_text()
    assert page.evaluate("window.harmed") is None


@pytest.mark.long
def test_what_is_imported_elsewhere_appears(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(RECORDS[0], "utf-8")
    import_paths([tmp_path / "one.txt"], tmp_path / "db")
    with serving(tmp_path / "db") as address:
        for page in opened(browser):
            page.goto(f"{address}/games")
            page.get_by_text("1 game", exact=False).first.wait_for()
            (tmp_path / "two.txt").write_text(record("new", "Zoe", "Ben", "2021.01.01", "1. Wd4,d1 Bd3,a1 *"), "utf-8")
            import_paths([tmp_path / "two.txt"], tmp_path / "db")
            page.locator(ROWS).filter(has_text="Zoe").wait_for()
