"""The page to enter a game, run without a browser."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards import opened_pages
from tests.dashboards.conftest import Boards
from tests.dashboards.opened_pages import ran, verbatim
from tests.queries.sample import CUSTOM
from zertz_db.check.check_many import check_text
from zertz_db.queries.database_info import list_imports
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.rules.position import Position
from zertz_db.store.folder.build import next_generation
from zertz_db.store.open_database import open_database

LINE = ["Wd4,d1", "Bd3,a1", "x d3Wd5"]


pytestmark = pytest.mark.usefixtures("read_only")


opened = partial(opened_pages.opened, "enter.py")


def texts(boards: Boards) -> list[str]:
    return [move["text"] for move in boards.given["moves"]]


def test_moves_are_clicked_taken_back_and_kept_in_the_url(boards: Boards) -> None:
    app = opened()
    assert set(boards.given["choices"]) == {"W", "G", "B"}
    for move in LINE:
        boards.answers = {"move": move}
        ran(app)
    assert texts(boards) == LINE
    assert texts_of_url(app) == "Wd4,d1 Bd3,a1 x d3Wd5"
    app.button("undo").click()
    ran(app)
    assert texts(boards) == LINE[:2]
    assert set(boards.given["choices"]) == {"d3", "d4"}
    boards.answers = {"ply": {"ply": 1, "at": 1}}
    ran(app)
    app.button("cut").click()
    ran(app)
    assert texts(boards) == LINE[:1]


def texts_of_url(app: AppTest) -> str:
    value = app.query_params["moves"]
    return value if isinstance(value, str) else value[0]


def test_the_record_says_what_was_typed() -> None:
    app = opened(moves=" ".join(LINE))
    for key, value in (("player1", 'Ada "A"'), ("player2", "Ben"), ("date", "2026.05.01"), ("comment 3", "why {not}")):
        app.text_input(key).set_value(value)
    app.selectbox("ended").set_value("Player 2 resigned")
    ran(app)
    (checked,) = check_text(verbatim(app)[0])
    made = checked.record
    assert (made.player1, made.player2, made.date) == ('Ada "A"', "Ben", "2026.05.01")
    assert (checked.verdict, checked.moves, checked.result) == ("verified", LINE, "1-0")
    assert checked.completed_plies[2].comment == "why {not}"


def test_moves_are_pasted(boards: Boards) -> None:
    app = opened()
    app.text_area("pasted").set_value("1. Wd4,d1 Bd3,a1 2. x d3Wd5")
    app.button("paste").click()
    ran(app)
    assert texts(boards) == LINE
    app.text_area("pasted").set_value("nonsense")
    app.button("paste").click()
    ran(app)
    assert "nonsense' is not a move" in app.toast[0].value
    assert texts(boards) == LINE


@pytest.mark.parametrize(
    ("query", "rings", "pool"),
    [({"board": "61"}, 61, (6, 8, 10)), ({"rules": "blitz"}, 37, (5, 7, 9)), ({"start": CUSTOM}, 12, (6, 8, 10))],
)
def test_where_the_game_starts(boards: Boards, query: dict[str, str], rings: int, pool: tuple[int, ...]) -> None:
    opened(**query)
    assert boards.given["frames"][0]["held"].count("o") == rings
    assert boards.given["frames"][0]["counts"]["pool"] == pool


def test_a_game_from_a_set_up_position_says_so() -> None:
    move = str(Position.parse(CUSTOM).legal_moves()[0])
    app = opened(start=CUSTOM, moves=move)
    assert CUSTOM in verbatim(app)[0]
    assert check_text(verbatim(app)[0])[0].moves == [move]


def test_a_comment_goes_with_its_move(boards: Boards) -> None:
    app = opened(moves=" ".join(LINE))
    app.text_input("comment 3").set_value("why?")
    ran(app)
    ran(app)
    assert boards.given["moves"][2]["notes"] == [{"kind": "comment", "text": "why?"}]
    app.button("undo").click()
    ran(app)
    boards.answers = {"move": "x d4Bd2"}
    ran(app)
    assert texts(boards) == [*LINE[:2], "x d4Bd2"]
    assert boards.given["moves"][2]["notes"] == []
    assert app.text_input("comment 3").value == ""


def test_who_can_only_pass_is_offered_that(boards: Boards) -> None:
    app = opened(start="custom standard+written a-3:WG/c-3:BW 6/8/10 0/0/0 0/0/0 1")
    app.button("pass").click()
    ran(app)
    assert texts(boards) == ["-"]
    assert verbatim(app)[0].splitlines()[-1].startswith("1. -")


@pytest.mark.parametrize("query", [{"moves": "Wd4,d4"}, {"moves": "x"}, {"start": "37"}])
def test_an_address_that_says_nonsense_is_explained(boards: Boards, query: dict[str, str]) -> None:
    app = opened(**query)
    assert "The URL can't be played" in app.error[0].value
    app.button("start over").click()
    ran(app)
    assert not app.error
    assert texts(boards) == []


def test_a_game_is_saved_only_where_that_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "db"
    with next_generation(folder):
        pass
    monkeypatch.setenv("ZERTZ_DB", str(folder))
    assert "save" not in [button.key for button in opened(moves=" ".join(LINE)).button]
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = opened(moves=" ".join(LINE))
    app.text_input("player1").set_value("Ada").run()
    app.button("save").click()
    ran(app)
    assert "Stored" in app.success[0].value
    with open_database(folder) as database:
        assert list_games(database, columns=["player1", "plies"]).rows == [("Ada", 3)]
        (path,) = find_game(database, list_games(database, columns=["id"]).rows[0][0]).sightings.dicts()
        assert re.fullmatch(r"entered in the dashboard, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", path["path"])
        assert list_imports(database).dicts()[0]["what"] == path["path"]
    assert "Open it" in [link.label for link in app.get("page_link")]


def test_the_link_is_that_of_the_game_that_was_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else is saved in the same second, and though the record is known already."""
    folder = tmp_path / "db"
    with next_generation(folder):
        pass
    monkeypatch.setenv("ZERTZ_DB", str(folder))
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    monkeypatch.setattr(
        "zertz_db.dashboards.state.entered_game.build_file_name",
        lambda: "entered in the dashboard, 2026-05-01 12:30:00",
    )
    for player in ("Ada", "Ben", "Ada"):
        app = opened(moves=" ".join(LINE))
        app.text_input("player1").set_value(player).run()
        app.button("save").click()
        ran(app)
        [link] = [link for link in app.get("page_link") if link.label == "Open it"]
        with open_database(folder) as database:
            [own] = list_games(database, f"player:{player}", columns=["id"]).rows
        assert dict(parse_qsl(link.query_string)) == {"id": own[0]}
    assert "already has this game" in app.success[0].value
