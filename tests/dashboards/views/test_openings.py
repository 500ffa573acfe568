"""The page with the opening tree, run without a browser."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import followed, opened, ran, texts
from zertz_db.dashboards.components import charts

MOVES = "Wd4,d1 Bd3,a1"


pytestmark = pytest.mark.usefixtures("read_only")


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


def test_rows_show_their_moves_on_the_board(lists: Lists, boards: Boards) -> None:
    opened("openings.py", moves=MOVES)
    capture, ended = (row.get("preview", "") for row in lists.given["continuations"]["rows"])
    assert "<path" in capture and "#zertz-only-B" in capture  # an arrow, and the jumping marble where it lands
    assert ended == ""
    assert boards.given["previews"]
    opened("openings.py")
    assert "#zertz-only-W" in lists.given["continuations"]["rows"][0]["preview"]


def test_arrow_keys_walk_back(lists: Lists) -> None:
    app = opened("openings.py", moves=MOVES)
    assert lists.given["continuations"]["walk"] == {"back": True}
    for line in ("Wd4,d1", None):
        lists.clicks["continuations"] = {"back": "back"}
        assert ran(app).query_params.get("moves") in (line, [line])
    assert lists.given["continuations"]["walk"] == {"back": False}


def test_keys_lead_back_from_a_position_without_games(lists: Lists) -> None:
    app = opened("openings.py", moves="Wa1,a2")
    assert lists.given["continuations"]["columns"] == []
    lists.clicks["continuations"] = {"back": "back"}
    assert "moves" not in ran(app).query_params


def test_boards_and_rule_sets_without_games_are_not_offered() -> None:
    app = opened("openings.py")
    assert app.button_group("board").options == ["37", "48"]
    assert app.button_group("rules").options == ["standard", "blitz"]
    app.button_group("rules").set_value("blitz")
    app.button_group("board").set_value("48")
    assert ran(app).button_group("rules").options == ["standard"]
    assert "**1 game**" in texts(app)
    assert opened("openings.py", board="61").button_group("board").options == ["37", "48", "61"]


def test_all_continuations_are_on_pages(lists: Lists, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zertz_db.dashboards.components.listing.PAGE_SIZE", 1)
    listed = []
    for page, shown in (("1", 1), ("99", 2)):
        app = opened("openings.py", page=page)
        listed += lists.keys("continuations")
        assert lists.given["continuations"]["pages"] == {"number": shown, "total": 2, "size": 1, "last": 2}
    assert len({*listed}) == 2
    lists.clicks["continuations"] = {"row": listed[1]}
    assert "page" not in ran(app).query_params


def test_all_games_are_on_pages(lists: Lists) -> None:
    app = opened("openings.py")
    app.session_state["more"] = "Games"
    ran(app)
    assert lists.given["games that came here"]["pages"]["total"] == 3
    lists.clicks["games that came here"] = {"page": "2"}
    assert ran(app).query_params["games"] == "2"


def test_few_games_have_no_shares(lists: Lists) -> None:
    opened("openings.py")
    assert all(
        value["share"] is None for value in lists.column("continuations", "Won, tied, lost by who plays it; score")
    )
    assert all(plies.startswith("≈ ") for plies in lists.column("continuations", "Plies"))


def test_a_search_within_the_games_is_linked() -> None:
    app = opened("openings.py", moves=MOVES, filter="first:ada")
    (query,) = [
        link.proto.query_string for link in app.get("page_link") if link.proto.label == "Search within these games"
    ]
    found = opened("search.py", **dict(parse_qsl(query)))
    assert "Within the games with" in texts(found)
    assert "**1 game**" in texts(found)


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
    assert {*lists.column("games that came here", "Result")} == {"0-1", "*"}
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
