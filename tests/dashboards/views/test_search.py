"""The page to find positions and patterns, run without a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import followed, opened, ran, texts
from tests.queries.search.searched import build
from zertz_db.queries.games.game_list import list_games
from zertz_db.rules.board import standard_board
from zertz_db.rules.position import Position
from zertz_db.rules.svg.board_svg import layout
from zertz_db.store.open_database import open_database

AFTER_TWO = Position.start("37").play("Wd4,d1").play("Bd3,a1")
NAMED = "d4:W d3:B d1:. a1:. rings=35"


pytestmark = pytest.mark.usefixtures("read_only")


def painted(held: str, **signs: str) -> str:
    """Return the states of a board of 37 rings, with other symbols on some rings."""
    at = standard_board("37").index
    cells = list(held)
    for ring, sign in signs.items():
        cells[at[ring]] = sign
    return "".join(cells)


@pytest.mark.parametrize("what", [AFTER_TWO.text, NAMED])
def test_matches_are_small_boards_with_what_followed(lists: Lists, what: str) -> None:
    app = opened("search.py", what=what)
    cards = lists.given["hits"]["cards"]
    assert len(cards) == 2
    assert "First played: [" in texts(app)
    assert all(card["lines"][1].startswith("after ply 2: ") for card in cards)
    app.session_state["answer"] = "Played next"
    ran(app)
    assert sum(int(count) for count in lists.column("followed", "Matches")) == 2


def test_matches_are_shown_by_the_dozen(lists: Lists) -> None:
    shown = []
    for page in ("1", "2"):
        opened("search.py", what="rings>0", every="true", cards=page)
        shown.append(lists.links("hits"))
    assert len(shown[0]) == 12
    assert shown[1] and not {*shown[0]} & {*shown[1]}


def test_rings_under_a_pattern_are_marked(lists: Lists) -> None:
    opened("search.py", what=NAMED)
    assert all({*card["rings"]} >= {"d4", "d3"} for card in lists.given["hits"]["cards"])


def test_a_card_opens_the_game_there(lists: Lists, boards: Boards) -> None:
    opened("search.py", what=AFTER_TWO.text)
    followed(lists.links("hits")[0])
    assert boards.given["ply"] == 2


def test_a_position_is_taken_from_a_game(sample: Path, boards: Boards) -> None:
    with open_database(sample) as database:
        ids = dict(list_games(database, columns=["event", "id"]).rows)
    app = opened("search.py", id=ids["resigned"], ply="2")
    assert app.query_params["what"] == AFTER_TWO.text
    assert boards.given["held"] == layout(AFTER_TWO)
    assert "id" not in app.query_params


@pytest.mark.parametrize(("mode", "games_found"), [("symmetry", 2), ("exact", 0), ("shape", 2), ("reachable", 4)])
def test_how_to_look_is_chosen(lists: Lists, mode: str, games_found: int) -> None:
    turned = Position.start("37").play("Wd4,a4").text
    app = opened("search.py", what=turned, mode=mode)
    assert f"**{games_found} games**" in texts(app)
    assert bool(lists.given.get("hits")) == bool(games_found)


def test_a_pattern_is_painted_laid_otherwise_and_limited(boards: Boards) -> None:
    app = opened("search.py")
    nothing = boards.given["held"]
    assert {*nothing} == {"?"}
    boards.answers = {"held": painted(nothing, d4="W", d3="B")}
    assert ran(app).query_params["what"] in ("B W", "W B", "B / W", "W / B", "B / < W", "W / < B")
    shown = boards.given["held"]
    assert painted(nothing, d4="W", d3="B") == shown
    app.button_group("place, now anywhere").set_value("just there")
    assert ran(app).query_params["what"] == "d3:B d4:W"
    app.text_input("limits []").set_value("rings<37")
    assert ran(app).query_params["what"] == "d3:B d4:W rings<37"
    assert "**2 games**" in texts(app)
    assert boards.given["held"] == shown


def test_on_another_board_named_rings_stay(boards: Boards) -> None:
    named = "a1:. d1:. d3:B d4:W rings=35"
    for what, wanted in ((AFTER_TWO.text, Position.start("48").text), (named, named)):
        app = opened("search.py", what=what)
        app.selectbox("board 37").set_value("48")
        assert ran(app).query_params["what"] == wanted
        assert len(boards.given["held"]) == 48


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("W " * 18, "does not fit on this board"),
        ("custom standard a-3:oooo/b-4:oooo 6/8/10 0/0/0 0/0/0 1", "can be searched, but not painted"),
    ],
)
def test_what_can_not_be_painted_is_told(what: str, said: str) -> None:
    assert said in texts(opened("search.py", what=what.strip()))
    assert said not in texts(opened("search.py", what=NAMED))


def test_a_position_is_painted_and_counted(boards: Boards) -> None:
    app = opened("search.py", what=AFTER_TWO.text)
    boards.answers = {"held": painted(layout(AFTER_TWO), d5="G")}
    text = ran(app).query_params["what"]
    assert Position.parse(text).on("d5") == "G"
    assert Position.parse(text).pool == AFTER_TWO.pool
    app.number_input(f"Player 1 grey {text}").set_value(2)
    assert Position.parse(ran(app).query_params["what"]).captured[0] == (0, 2, 0)


def test_a_position_becomes_a_pattern_and_a_pattern_a_position(boards: Boards) -> None:
    app = opened("search.py", what=AFTER_TWO.text)
    app.button_group("as a position").set_value("pattern")
    assert ran(app).query_params["what"] == "a1:. d1:. d3:B d4:W turned"
    app.button_group("as a pattern").set_value("position")
    assert layout(Position.parse(ran(app).query_params["what"])) == layout(AFTER_TWO)
    assert boards.given["held"] == layout(AFTER_TWO)


def test_a_move_that_followed_leads_on(lists: Lists) -> None:
    app = opened("search.py", what=AFTER_TWO.text)
    app.session_state["answer"] = "Played next"
    ran(app)
    lists.clicks["followed"] = {"row": "x d3Wd5"}
    assert ran(app).query_params["what"] == AFTER_TWO.play("x d3Wd5").text


@pytest.mark.parametrize(
    ("what", "said", "moves"),
    [
        (AFTER_TWO.text, "player 1 must capture: d3 can jump over white on d4 to d5", ["x d3Wd5", "x d4Bd2"]),
        ("37 standard W.../o..../.o..../.oooo../oooo../ooooo/oooo 1/5/7 2/0/0 2/2/3 1", "648 placements", ["Wb1,c2 x Wa1Wb1"]),
        ("custom standard a0:oo 0/0/0 0/0/0 0/0/0 1", "player 1 passes", []),
    ],
)  # fmt: skip
def test_what_can_be_played_is_told_of_a_position_that_is_set_up(what: str, said: str, moves: list[str]) -> None:
    assert not moves or not tables_of_moves(opened("search.py", what=what))
    app = opened("search.py", what=what, playable="true")
    assert said.lower() in texts(app).replace("\\", "").lower()
    assert [move for table in tables_of_moves(app) for move in table["move"]] == moves
    assert any("3each" in table.value.columns for table in app.dataframe)


def test_a_pattern_has_no_moves() -> None:
    assert not tables_of_moves(opened("search.py", what=NAMED, playable="true"))


def tables_of_moves(app: AppTest) -> list[Any]:
    return [table.value for table in app.dataframe if "move" in table.value.columns]


@pytest.mark.parametrize(
    ("what", "message"),
    [("W x", "unexpected 'x'"), ("37 oooo", "a position is written"), ("d4:W colour=3", "is no limit")],
)
def test_what_can_not_be_read_is_explained(what: str, message: str) -> None:
    assert message in opened("search.py", what=what).error[0].value.replace("\\", "")


def test_nothing_asked_says_how() -> None:
    assert "paint rings" in texts(opened("search.py"))


def test_boards_without_games_are_not_offered() -> None:
    assert opened("search.py").selectbox("board 37").options == ["board 37", "board 48"]
    assert opened("search.py", board="61").selectbox("board 61").options == ["board 37", "board 48", "board 61"]


def letters(boards: Boards) -> list[tuple[str, str, str]]:
    return [(one["letter"], one["ring"], one["key"]) for one in boards.given["letters"]]


@pytest.mark.parametrize("what", ["d4:W d3:B d1:. a1:.", "d4:W d3:B"])
def test_continuations_of_a_pattern_have_letters_on_the_board(lists: Lists, boards: Boards, what: str) -> None:
    app = opened("search.py", what=what)
    app.session_state["answer"] = "Played next"
    ran(app)
    assert letters(boards)[0] == ("a", "d5", "x d3Wd5")
    assert lists.given["followed"]["rows"][0]["values"][:2] == [("a", "jump"), "x d3Wd5"]
    assert lists.given["followed"]["rows"][0]["preview"] == boards.given["letters"][0]["preview"]


@pytest.mark.parametrize("by", ["letter", "row"])
def test_a_click_adds_the_move_to_the_pattern(lists: Lists, boards: Boards, by: str) -> None:
    app = opened("search.py", what="d4:W d3:B")
    app.session_state["answer"] = "Played next"
    ran(app)
    if by == "letter":
        boards.answers = {"letter": "x d3Wd5"}
    else:
        lists.clicks["followed"] = {"row": "x d3Wd5"}
    assert ran(app).query_params["what"] == "d3:o d4:o d5:B"
    assert boards.given["held"] == painted("?" * 37, d3="o", d4="o", d5="B")


def test_a_drawing_has_letters_where_it_is_painted(boards: Boards) -> None:
    opened("search.py", what="B / W", at="d4")
    assert letters(boards)
    assert all(ring in standard_board("37").index for _, ring, _ in letters(boards))
    opened("search.py", what="rings<37")
    assert letters(boards) == []


def test_a_search_goes_on_within_results(lists: Lists) -> None:
    app = opened("search.py", what="G")
    wide = set(lists.links("hits"))
    app.button("search within").click()
    assert ran(app).query_params["in"] == "pattern G"
    assert "what" not in app.query_params
    assert {*lists.links("hits")} == wide  # the same games until something is painted
    app.text_input("typed target").set_value(NAMED)
    ran(app)
    assert app.query_params["what"] == NAMED
    assert lists.links("hits") and all("id=" in link for link in lists.links("hits"))
    games = {link.split("&")[0] for link in lists.links("hits")}
    assert games <= {link.split("&")[0] for link in wide}
    app.button("within 0").click()
    assert "in" not in ran(app).query_params
    assert app.query_params["what"] == NAMED


@pytest.mark.parametrize("search", ["nonsense", "pattern x", "exact W"])
def test_an_invalid_search_in_the_url_is_explained_and_removed(search: str) -> None:
    app = opened("search.py", **{"in": search})
    assert app.error
    app.button("within 0").click()
    assert not ran(app).error


def test_all_matches_are_on_pages(lists: Lists, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that one search does not list."""
    monkeypatch.setenv("ZERTZ_DB", str(build(tmp_path)))
    app = opened("search.py", what="rings>0", every="true")
    found = re.search("of ([0-9,]+), the latest", texts(app))
    assert found
    total = int(found[1].replace(",", ""))
    assert total > 240
    shown = [*lists.links("hits")]
    for page in (21, -(-total // 12)):
        app.session_state["cards"] = page
        ran(app)
        shown += lists.links("hits")
    assert len(shown) == len({*shown}) == 24 + (total % 12 or 12)


def test_a_new_target_starts_at_its_first_page(boards: Boards, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("search.py", what="rings>0", every="true", cards="2")
    assert app.query_params["cards"] == "2"
    boards.send_early(monkeypatch)
    boards.answers = {"held": painted("?" * 37, d4="W")}
    assert "cards" not in ran(app).query_params


def test_keys_are_documented(boards: Boards) -> None:
    opened("search.py")
    assert boards.given["keys"].endswith("M any marble, E vacant, R any ring, X removed, Delete anything.")
    opened("search.py", what=AFTER_TWO.text)
    assert boards.given["keys"].endswith("E vacant, X removed, Delete vacant.")
