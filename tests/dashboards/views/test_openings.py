"""The page with the opening tree, run without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboards.components import charts
from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import followed, opened, ran, texts

MOVES = "Wd4,d1 Bd3,a1"


@pytest.fixture(autouse=True)
def of_sample(sample: Path, monkeypatch: pytest.MonkeyPatch, lists: Lists, boards: Boards) -> None:
    assert lists.given == boards.given == {}
    monkeypatch.setenv("ZERTZ_DB", str(sample))


def test_the_root_lists_first_moves_with_results(lists: Lists) -> None:
    app = opened("openings.py")
    assert lists.column("continuations", "Move")[0] == "Wd4,a1"
    assert lists.column("continuations", "Name")[0] == "white centre, corner out"
    assert "**3 games**" in texts(app)
    counts = [value["counts"] for value in lists.column("continuations", "Won, tied, lost by who plays it; score")]
    assert sum(map(sum, counts)) <= 3


def test_a_move_is_chosen_in_the_list_or_on_the_board(lists: Lists, boards: Boards) -> None:
    app = opened("openings.py")
    lists.clicks["continuations"] = {"row": "Wd4,a1"}
    assert ran(app).query_params["moves"] == "Wd4,a1"
    assert app.subheader[0].value == "White centre, corner out"
    boards.answers = {"move": "Bd5,g4"}
    assert ran(app).query_params["moves"] == "Wd4,a1 Bd5,g4"


def test_the_board_has_all_legal_moves(boards: Boards) -> None:
    opened("openings.py")
    assert {*boards.given["choices"]} == {"W", "G", "B"}
    opened("openings.py", moves=MOVES)
    assert {*boards.given["choices"]} == {"d3", "d4"}


def test_the_breadcrumb_leads_back(lists: Lists) -> None:
    app = opened("openings.py", moves=MOVES)
    assert lists.column("continuations", "Move") == ["x d3Wd5", "ended here"]
    assert lists.keys("continuations") == ["x d3Wd5", ""]
    app.button("back to 1").click()
    assert ran(app).query_params["moves"] == "Wd4,d1"
    app.button("back to 0").click()
    assert "moves" not in ran(app).query_params
    assert len(lists.keys("continuations")) == 2


def test_filters_and_another_board(lists: Lists) -> None:
    assert "**1 game**" in texts(opened("openings.py", filter="first:ada"))
    app = opened("openings.py", moves=MOVES)
    app.button_group("board").set_value("48")
    assert "moves" not in ran(app).query_params
    assert "**1 game**" in texts(app)
    assert len(lists.given["continuations"]["rows"]) == 1


def test_another_order(lists: Lists) -> None:
    app = opened("openings.py")
    lists.clicks["continuations"] = {"sort": "-date"}
    assert ran(app).query_params["order"] == "date"
    assert lists.given["continuations"]["sort"] == "-date"


def test_an_ending_in_the_chart_filters(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("openings.py")
    clicks = iter(["resign"])
    monkeypatch.setattr(charts, "draw_stacked_bars", lambda *_values, **_named: next(clicks, None))
    assert ran(app).text_input("filter").value == "ending:resign"


def test_games_that_came_here_are_opened_there(lists: Lists, boards: Boards) -> None:
    app = opened("openings.py", moves=MOVES)
    app.session_state["more"] = "Games"
    ran(app)
    assert {*lists.column("games that came here", "Ply")} == {"2"}
    followed(lists.links("games that came here")[0])
    assert boards.given["ply"] == 2


@pytest.mark.parametrize(
    ("moves", "filters", "message"),
    [("Wd4,d4", "", "is not legal here"), ("", "colour:red", "colour"), ("nonsense", "", "is not a move")],
)
def test_what_can_not_be_asked_is_explained(moves: str, filters: str, message: str) -> None:
    app = opened("openings.py", moves=moves, filter=filters)
    assert message in app.error[0].value.replace("\\", "")


def test_no_game_is_said_so() -> None:
    assert "No game reached this position" in texts(opened("openings.py", moves="Wa1,a2"))
