"""The page with bookmarks, and saved filters at every filter; without a browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import followed, opened, ran, texts
from zertz_db.edit.marks import add_mark
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.marks import saved_filter
from zertz_db.rules.position import Position
from zertz_db.store.annotations import marks
from zertz_db.store.open_database import open_database


@pytest.fixture
def folder(sample: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample, tmp_path / "db"))


pytestmark = pytest.mark.usefixtures("read_only")


@pytest.fixture
def game(folder: Path) -> str:
    with open_database(folder) as database:
        return str(dict(list_games(database, columns=["event", "id"]).rows)["resigned"])


def test_nothing_kept_says_how() -> None:
    assert "No marks yet" in texts(opened("bookmarks.py"))


def test_marks_are_listed_by_label_and_opened(folder: Path, game: str, lists: Lists, boards: Boards) -> None:
    add_mark(folder, "cy", label="study", text="a fine end", game=game, ply=2)
    add_mark(folder, "cy", label="large", words="board:48")
    app = opened("bookmarks.py")
    assert {*lists.column("marks", "Note")} == {"a fine end", ""}
    app.button_group("label").set_value("study")
    ran(app)
    assert lists.column("marks", "Target") == [f"{game} after ply 2"]
    followed(lists.links("marks")[0])
    assert boards.given["ply"] == 2


def test_a_position_of_the_opening_tree_is_marked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    position = Position.start("37").play("Wd4,d1").text
    app = opened("openings.py", moves="Wd4,d1")
    app.text_input(f"label on {position}").set_value("trap")
    app.button("mark it").click()
    ran(app)
    assert [(mark.label, mark.position) for mark in marks.read(folder)] == [("trap", position)]


def test_an_unknown_label_is_named(folder: Path, lists: Lists) -> None:
    add_mark(folder, "cy", label="large", words="board:48")
    assert "No mark has the label “nope”" in texts(opened("bookmarks.py", label="nope"))
    assert len(lists.keys("marks")) == 1


def test_a_saved_filter_and_a_marked_position_are_opened(folder: Path, lists: Lists) -> None:
    add_mark(folder, "cy", label="large", words="board:48")
    opened("bookmarks.py")
    assert followed(lists.links("marks")[0]).text_input("filter").value == "board:48"
    position = Position.start("37").play("Wd4,d1").text
    add_mark(folder, "cy", label="here", position=position)
    opened("bookmarks.py", label="here")
    assert followed(lists.links("marks")[0]).query_params["what"] == position


def test_filters_are_saved_only_where_writing_is_allowed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, lists: Lists
) -> None:
    app = opened("games.py", filter="board:48")
    assert not [button for button in app.button if button.key == "save filter"]
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = opened("games.py", filter="board:48")
    app.text_input("name of the filter").set_value("large")
    ran(app)
    app.button("save filter").click()
    ran(app)
    with open_database(folder) as database:
        assert saved_filter(database, "large") == "board:48"
    app = opened("games.py")
    app.button("saved large").click()
    ran(app)
    assert len(lists.keys("games")) == 1


@pytest.mark.parametrize("shown", ["search.py", "openings.py"])
def test_a_position_is_marked_where_writing_is_allowed(
    shown: str, monkeypatch: pytest.MonkeyPatch, lists: Lists
) -> None:
    position = Position.start("37").play("Wd4,d1")
    query = {"what": position.text} if shown == "search.py" else {"moves": "Wd4,d1"}
    assert not [field for field in opened(shown, **query).text_input if field.label == "Label"]
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = opened(shown, **query)
    next(field for field in app.text_input if field.label == "Label").set_value("study")
    next(button for button in app.button if button.label == "Mark it").click()
    ran(app)
    opened("bookmarks.py")
    assert lists.column("marks", "Target") == [position.text]


def test_a_mark_is_taken_back_where_writing_is_allowed(
    folder: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_mark(folder, "cy", label="study", game=game)
    assert not [button for button in opened("bookmarks.py").button if button.key == "remove mark"]
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = opened("bookmarks.py")
    app.button("remove mark").click()
    assert "No marks yet" in texts(ran(app))


def test_games_with_a_label_are_one_click_away(folder: Path, game: str, lists: Lists) -> None:
    add_mark(folder, "cy", label="my study", game=game)
    app = opened("games.py")
    app.button("label my study").click()
    ran(app)
    assert lists.keys("games") == [game]
