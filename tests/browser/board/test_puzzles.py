"""A puzzle in a browser: found from the overview, tried wrongly, solved by clicks, and stored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.board.test_solving import COMPILE_MILLISECONDS
from tests.browser.conftest import serving
from tests.browser.pages.test_pages import settle
from tests.puzzle_games import build_puzzle_games
from zertz_db.queries.puzzles.one_puzzle import find_puzzle, find_puzzles
from zertz_db.queries.puzzles.selection import Selection
from zertz_db.rules.position import Position
from zertz_db.rules.svg.move_marks import trace
from zertz_db.store.annotations import attempts
from zertz_db.store.open_database import open_database
from zertz_db.tactics import solve

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_puzzle_games(tmp_path_factory.mktemp("puzzles"))


@pytest.fixture(scope="module")
def puzzles_address(games: Path, browser: Browser) -> Iterator[str]:
    assert browser.is_connected()
    with serving(games, "--allow-import") as found:
        yield found


def click_move(page: Page, move: str) -> None:
    """Choose a move on the board: the colour, then each ring. A person waits a second after a click that changes the page."""
    page.wait_for_timeout(1_000)
    settle(page)
    traced = trace(move)
    if traced.colour:
        page.locator(f'.brushes [data-brush="{traced.colour}"]').click()
    for ring in (*traced.way, *filter(None, [traced.removed])):
        page.locator(f'.ring.target[data-ring="{ring}"]').click()


def replay(position: Position, url: str) -> Position:
    """Return the position after the moves in a URL."""
    moves = re.search(r"moves=([^&]*)", url)
    text = moves[1].replace("+", " ").replace("%2C", ",") if moves else ""
    for move in re.findall(r"x \w+|[WGB]\w+(?:,\w+)?(?: x [WGB]\w+)?", text):
        position = position.play(move)
    return position


def test_a_puzzle_is_solved_by_clicks(page: Page, puzzles_address: str, games: Path) -> None:
    with open_database(games) as database:
        long = next(one for one in find_puzzles(database, Selection(length=5, grade="A")))
    page.goto(f"{puzzles_address}/puzzles?id={long.id}")
    page.get_by_text(f"Player {long.position.side} to move: win by force within 5 plies.").wait_for()
    settle(page)
    page.get_by_role("button", name="Hint").click()
    page.get_by_text(f"Place a marble on {long.ring}.").wait_for()
    wrong = next(move for move in long.position.legal_moves() if not long.position.play(move).capture_is_due)
    click_move(page, str(wrong))
    page.get_by_text("no forced win was found after this").wait_for(timeout=COMPILE_MILLISECONDS)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("no forced win was found after this").wait_for(state="detached")
    position = long.position
    for plies in (5, 3, 1):
        settle(page)
        click_move(page, solve(position, plies).line[0])  # any winning move, as a person might find it
        page.get_by_text("solved!" if plies == 1 else f"Win within {plies - 2} pl").wait_for(
            timeout=COMPILE_MILLISECONDS
        )
        settle(page)
        position = replay(long.position, page.url)
    page.get_by_text("Your rating").wait_for()
    page.get_by_text(re.compile(f"The move of the game .*: {re.escape(str(trace(long.played)))}")).wait_for()
    settle(page)
    page.keyboard.press("n")
    page.wait_for_url(lambda url: "id=" in url and long.id not in url)
    settle(page)
    assert [(one.puzzle, one.solved) for one in attempts.read(games)] == [(long.id, False)]  # a hint, a wrong move


def test_the_puzzle_of_the_day_and_its_solution(page: Page, puzzles_address: str, games: Path) -> None:
    page.goto(puzzles_address)
    card = page.get_by_role("group", name="Puzzle of the day").locator("a")
    card.click()
    page.wait_for_url(re.compile("puzzles"))
    settle(page)
    [shown] = re.findall(r"id=(\w+)", page.url)
    with open_database(games) as database:
        daily = find_puzzle(database, shown)
        assert daily.grade in ("A", "A+")
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Start again").wait_for()
    settle(page)
    assert [text.split() for text in page.locator(".moves button").all_inner_texts()] == [
        move.split() for move in daily.line
    ]
    page.get_by_role("button", name="Open the game at this ply").click()
    page.wait_for_url(re.compile(f"game.*id={daily.game}.*ply={daily.ply}"))
