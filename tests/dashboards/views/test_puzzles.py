"""The page of puzzles, run without a browser."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards import opened_pages
from tests.dashboards.conftest import Boards
from tests.dashboards.opened_pages import ran, texts
from tests.puzzle_games import PUZZLES
from zertz_db.dashboards.state import session_work
from zertz_db.queries.puzzles.one_puzzle import Puzzle, find_puzzles
from zertz_db.queries.puzzles.selection import Selection
from zertz_db.store.open_database import open_database
from zertz_db.tactics.puzzles.judge import Judgement, Verdict

opened = partial(opened_pages.opened, "puzzles.py")


pytestmark = pytest.mark.usefixtures("read_only")


@pytest.fixture
def folder(puzzle_games: Path) -> Path:
    return puzzle_games


@pytest.fixture
def puzzles(puzzle_games: Path) -> list[Puzzle]:
    with open_database(puzzle_games) as database:
        return [*find_puzzles(database, Selection())]


def shown(app: AppTest) -> str:
    """Return the id of the puzzle in the URL."""
    found: str | list[str] = app.query_params["id"]
    return found if isinstance(found, str) else found[-1]


def pressed(app: AppTest, key: str) -> AppTest:
    """Press a button."""
    app.button(key).click()
    return ran(app)


def test_a_changed_choice_shows_a_puzzle_of_that_choice(puzzles: list[Puzzle]) -> None:
    lengths = {one.id: one.length for one in puzzles}
    app = opened(id=next(one.id for one in puzzles if one.length == 3))
    app.selectbox("length").select("5")
    ran(app)
    assert lengths[shown(app)] == 5
    app.selectbox("length").select("3")
    ran(app)
    assert lengths[shown(app)] == 3


def test_a_puzzle_that_was_not_left_is_shown_again_and_a_link_to_a_solution_starts_it(
    puzzles: list[Puzzle], boards: Boards
) -> None:
    app = opened(id=puzzles[0].id)
    pressed(app, "solution")
    assert boards.given["choices"] is None
    for page in ("overview.py", "puzzles.py"):
        app.switch_page(f"views/{page}")
        app.query_params.clear()  # as a browser does
        ran(app)
    assert shown(app) == puzzles[0].id
    assert boards.given["choices"]


def test_the_reply_to_a_move_is_in_the_url(puzzles: list[Puzzle], monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = next(one for one in puzzles if one.length == 3)
    move, reply, *_ = puzzle.line
    monkeypatch.setattr(
        session_work, "run_bounded", lambda *_, **__: Judgement(Verdict.SHORTEST, move, 3, False, reply, ())
    )
    app = opened(id=puzzle.id, moves=move)
    assert app.query_params["moves"] == f"{move} {reply}"


@pytest.mark.parametrize("named", ["BMWC4VWRE57SW", "x", "9" * 5000])
def test_an_unknown_puzzle_has_a_way_to_the_next_one(puzzles: list[Puzzle], named: str) -> None:
    app = opened(id=named)
    assert len(app.error) == 1
    assert shown(pressed(app, "next puzzle")) in {one.id for one in puzzles}


def test_all_puzzles_come_once_and_again_if_asked_for(puzzles: list[Puzzle]) -> None:
    app = opened()
    found = [shown(app), *(shown(pressed(app, "next puzzle")) for _ in range(PUZZLES - 1))]
    assert sorted(found) == sorted(one.id for one in puzzles)
    assert "You have seen all of these puzzles" in texts(pressed(app, "next puzzle"))
    assert shown(pressed(app, "show again")) in found
