"""The page with the analysis board, run without a browser."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards import opened_pages
from tests.dashboards.conftest import Boards
from tests.dashboards.opened_pages import ran, texts, verbatim
from zertz_db.dashboards.sections.analysis_board import engine_answer, url_tree
from zertz_db.edit.studies import remove_study, save_study
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.studies import find_study, list_studies
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database
from zertz_db.variations.move_tree import MoveTree, add_move
from zertz_db.variations.notation import read_tree

TREE = "Wd4d1.Bd3a1.xd3Wd5.~2.Gc2a1"
FORCED = "37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1"
opened = partial(opened_pages.opened, "analysis.py")


pytestmark = pytest.mark.usefixtures("own")


def shown(app: AppTest) -> dict[str, object]:
    """Return the data of the tree of moves."""
    data = [json.loads(element.proto.json) for element in app.get("bidi_component") if element.proto.json]
    [found] = [one for one in data if "pieces" in one]
    return {"moves": [piece["text"] for piece in found["pieces"] if piece["kind"] == "move"], "node": found["node"]}


def query(app: AppTest, name: str) -> list[str]:
    found = app.query_params.get(name, [])
    return [found] if isinstance(found, str) else list(found)


def test_moves_branch_and_stay_in_the_url(boards: Boards) -> None:
    app = opened()
    for move in ("Wd4,d1", "Bd3,a1", "x d3Wd5"):
        boards.answers = {"move": move}
        ran(app)
    assert query(app, "tree") == ["Wd4d1.Bd3a1.xd3Wd5"]
    boards.answers = {"ply": "1"}
    ran(app)
    assert boards.given["choicesPly"] == 1
    assert len(boards.given["frames"]) == 4  # the line goes on after the ply that is shown
    boards.answers = {"move": "Gc2,a1"}
    ran(app)
    assert query(app, "tree") == [TREE]
    assert shown(app) == {"moves": ["Wd4,d1", "Bd3,a1", "Gc2,a1", "x d3Wd5"], "node": 4}
    app.button("promote").click()
    ran(app)
    assert query(app, "tree") == ["Wd4d1.Gc2a1.~1.Bd3a1.xd3Wd5"]
    app.button("delete").click()
    ran(app)
    assert query(app, "tree") == ["Wd4d1.Bd3a1.xd3Wd5"]
    assert query(app, "at") == ["1"]


@pytest.mark.parametrize(
    ("given", "node", "said"),
    [
        ({"start": FORCED}, 0, "player 1 wins by force"),
        ({"board": "48", "rules": "blitz"}, 0, "legal moves"),
        ({"tree": TREE, "at": "4", "note": "4 <b>why?"}, 4, "Unsaved"),
        ({"tree": TREE, "at": "99"}, 4, "estimated win chance"),
        ({"tree": TREE, "at": "x"}, 0, "estimated win chance"),
    ],
)
def test_a_url_opens_a_tree(given: dict[str, str], node: int, said: str) -> None:
    app = opened(**given)
    assert shown(app)["node"] == node
    assert said in texts(app)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"start": "37 hello"}, "a position is written"),
        ({"board": "99"}, "99"),
        ({"tree": "Wd4"}, "not legal"),
        ({"tree": "Wd4d1", "note": "7 lost"}, "no move for the note"),
        ({"tree": "~~0123"}, "too long for the URL"),
        ({"study": "nothing"}, "no study is called"),
        ({"game": "ZZZZ"}, "ZZZZ"),
    ],
)
def test_a_url_that_can_not_be_shown_is_explained(given: dict[str, str], said: str) -> None:
    app = opened(**given)
    assert said in app.error[0].value.replace("\\", "")
    app.button("start over").click()
    ran(app)
    assert shown(app) == {"moves": [], "node": 0}


def test_a_game_opens_at_a_ply_with_its_variations(own: Path) -> None:
    with open_database(own) as database:
        game, plies = list_games(database, columns=["id", "plies"], limit=1).rows[0]
    app = opened(game=game, ply="2")
    assert shown(app)["node"] == 2
    assert len(boards_moves(app)) >= plies


def boards_moves(app: AppTest) -> list[str]:
    found = shown(app)["moves"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        (FORCED, []),
        ("1. Wd4,d1 (1. We4,d1 {other}) Bd3,a1 *", ["Wd4,d1", "We4,d1", "Bd3,a1"]),
        ("1. Wd4,d1 Bd3,a1 2. Wa2,b1", ["Wd4,d1", "Bd3,a1"]),
    ],
)
def test_a_pasted_text_is_opened(text: str, moves: list[str]) -> None:
    app = opened()
    app.text_area("text to analyse").set_value(text)
    app.button("begin with text").click()
    ran(app)
    assert shown(app)["moves"] == moves


@pytest.mark.parametrize("text", ["hello", "37 standard oooo/o 6/8/10 0/0/0 0/0/0 1"])
def test_another_text_is_refused(text: str) -> None:
    app = opened()
    app.text_area("text to analyse").set_value(text)
    app.button("begin with text").click()
    ran(app)
    assert "can't be" in app.error[0].value.replace("\\", "")


def test_the_notice_about_a_text_goes_with_the_next_text() -> None:
    app = opened()
    for text, errors in (("1. Wd4,d1", 0), ("no game", 1), ("1. Wd4,d1", 0)):
        app.text_area("text to analyse").set_value(text)
        app.button("begin with text").click()
        assert len(ran(app).error) == errors, text


def test_the_notice_about_a_text_goes_with_what_the_board_began_with() -> None:
    app = opened()
    app.text_area("text to analyse").set_value("no game")
    app.button("begin with text").click()
    ran(app)
    assert "neither a game nor a whole position string" in app.error[0].value
    app.switch_page("views/overview.py")
    ran(app)
    app.switch_page("views/analysis.py")
    app.query_params["board"] = "61"
    ran(app)
    assert not app.error


def test_the_answer_of_the_engine_is_shown_after_its_move_alone() -> None:
    app = opened(tree="Wd4d1", at="1", about="Engine")
    app.session_state[engine_answer.LAST_KEY] = Position.start("37").play("Wd4,d1").text, "The engine played"
    assert "The engine played" in texts(ran(app))
    app.session_state[engine_answer.LAST_KEY] = Position.start("37").text, "The engine played"
    assert "The engine played" not in texts(ran(app))


def test_a_study_is_saved_changed_renamed_deleted_and_restored(own: Path) -> None:
    app = opened(tree=TREE, at="4", note="4 why?")
    app.text_input("name of the study None").set_value("Ada's trap")
    app.button("save new").click()
    ran(app)
    [study] = query(app, "study")
    assert query(app, "tree") == []
    app.text_area("comment on 4 1 Gc2,a1").set_value("because")
    ran(app)
    app.button("save changes").click()
    ran(app)
    assert "because" in verbatim(app)[0]
    app.text_input(f"name of the study {study}").set_value("Ben's trap")
    app.button("rename").click()
    ran(app)
    assert app.title[0].value == "Ben's trap"
    app.button("delete study").click()
    ran(app)
    with open_database(own) as database:
        assert list_studies(database).rows == []
    app.button("restore study").click()
    ran(app)
    assert app.title[0].value == "Ben's trap"
    assert query(app, "study") == [study]
    assert read_tree(verbatim(app)[0]).tree.nodes[4].comment == "because"


def test_a_study_that_was_saved_elsewhere_meanwhile_is_not_overwritten(own: Path, boards: Boards) -> None:
    tree, _ = add_move(MoveTree(Position.start("37")), 0, "Wd4,d1")
    study = save_study(own, "Trap", tree, "ada")
    app = opened(study=study.id, at="1")
    boards.answers = {"move": "Bd3,a1"}
    ran(app)
    save_study(own, "Trap", add_move(tree, 1, "Ge3,a1")[0], "ben", study=study.id)
    app.button("save changes").click()
    ran(app)
    assert "Another window has saved this study" in app.error[0].value
    with open_database(own) as database:
        assert "Ge3,a1" in find_study(database, study.id).record
    app.text_input(f"name of the study {study.id}").set_value("Mine")
    app.button("save new").click()
    ran(app)
    with open_database(own) as database:
        assert "Bd3,a1" in find_study(database, "Mine").record


def test_a_study_that_was_deleted_elsewhere_stays_in_the_window(own: Path, boards: Boards) -> None:
    tree, _ = add_move(MoveTree(Position.start("37")), 0, "Wd4,d1")
    study = save_study(own, "Trap", tree, "ada")
    app = opened(study=study.id, at="1")
    assert not app.warning
    remove_study(own, study.id, "ben")
    boards.answers = {"move": "Bd3,a1"}
    ran(app)
    assert "was deleted" in app.warning[0].value
    assert shown(app) == {"moves": ["Wd4,d1", "Bd3,a1"], "node": 2}
    assert "no study is called" in opened(study=study.id).error[0].value


def test_a_taken_name_is_refused(own: Path) -> None:
    tree, _ = add_move(MoveTree(Position.start("37")), 0, "Wd4,d1")
    save_study(own, "Trap", tree, "ada")
    app = opened(tree=TREE)
    app.text_input("name of the study None").set_value(" trap ")
    app.button("save new").click()
    ran(app)
    assert "another study is called" in app.error[0].value
    assert query(app, "tree") == [TREE]


def test_a_dashboard_that_only_reads_saves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "0")
    app = opened(tree=TREE)
    assert "allow-import" in texts(app)
    assert not any(button.key == "save new" for button in app.button)
    assert "(1... Gc2,a1)" in verbatim(app)[0]


def test_a_tree_too_long_for_the_url_stays_in_the_window(boards: Boards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(url_tree, "MAX_QUERY", 30)
    app = opened(tree=TREE, at="4")
    boards.answers = {"move": "We5,g1"}
    ran(app)
    assert query(app, "tree")[0].startswith("~~")
    assert "too long for the URL" in app.warning[0].value
    assert boards_moves(app)[-2:] == ["We5,g1", "x d3Wd5"]


def test_a_comment_typed_before_a_click_stays(boards: Boards) -> None:
    app = opened(tree="Wd4d1.Bd3a1", at="2")
    app.text_area("comment on 2 1 Bd3,a1").set_value("typed before the click")
    boards.answers = {"move": "x d3Wd5"}
    ran(app)
    assert query(app, "note") == ["2 typed before the click"]
    assert query(app, "tree") == ["Wd4d1.Bd3a1.xd3Wd5"]


def test_circles_and_arrows_are_drawn_and_stay_with_the_comment(boards: Boards) -> None:
    app = opened(tree="Wd4d1", at="1", note="1 look")
    app.toggle("draws on the board").set_value(True)
    ran(app)
    for clicks in ("d4 e5", "b2 b2", "d4 e5", "d4 f4"):
        boards.answers = {"move": clicks}
        ran(app)
    assert query(app, "note") == ["1 look [%csl Gb2][%cal Gd4f4]"]
    assert boards.given["frames"][1]["marks"].count("#2f855a") == 3  # a circle; the line and the head of an arrow
    app.text_area("comment on 1 0 Wd4,d1").set_value("see")
    ran(app)
    assert query(app, "note") == ["1 see [%csl Gb2][%cal Gd4f4]"]
    assert query(app, "tree") == ["Wd4d1"]


def test_a_mark_of_the_url_is_chosen_and_changed() -> None:
    app = opened(tree="Wd4d1-g", at="1")
    control = next(one for one in app.get("button_group") if (one.key or "").startswith("marks of"))
    assert control.value in ("!", ["!"])
    control.set_value("?")
    ran(app)
    assert query(app, "tree") == ["Wd4d1-b"]
