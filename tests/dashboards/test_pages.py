"""The dashboard's pages, run without a browser."""

import socket
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import dashboards
from zertz_db.queries.games import games
from zertz_db.store.building import next_generation
from zertz_db.store.opening import open_database

APP = str(Path(dashboards.__file__).parent / "app.py")


@pytest.fixture(autouse=True)
def of_sample(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_DB", str(sample))
    st.cache_resource.clear()


@pytest.fixture
def ids(sample: Path) -> dict[str, str]:
    with open_database(sample) as database:
        return dict(games(database, columns=["event", "id"]).rows)


def opened(page: str = "games.py", **query: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=30).run()
    if page != "games.py":
        app.switch_page(page)
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
    assert not app.exception
    return app


def test_games_are_listed_and_filtered() -> None:
    app = opened()
    assert len(app.dataframe[0].value) == 6
    app.sidebar.text_input[0].set_value("ada").run()
    assert list(app.dataframe[0].value["player2"]) == ["Ada", "ADA", "Ben"]
    app.sidebar.selectbox[0].set_value("48").run()
    assert list(app.dataframe[0].value["board"]) == ["48"]


def test_games_are_sorted() -> None:
    app = opened()
    by, order = app.main.selectbox[:2]
    by.set_value("plies")
    order.set_value("least or earliest first").run()
    plies = list(app.dataframe[0].value["plies"])
    assert plies == sorted(plies)


def test_filters_that_say_nonsense_are_explained() -> None:
    app = opened()
    app.sidebar.text_input[4].set_value("soon").run()
    assert "'soon' is no date" in app.error[0].value
    assert not app.exception


def test_the_filter_language_narrows_the_list_and_its_errors_are_pointed_at() -> None:
    app = opened()
    app.main.text_input[0].set_value("not player:ada board:37").run()
    assert len(app.dataframe[0].value) == 2
    app.sidebar.text_input[0].set_value("eve").run()
    assert len(app.dataframe[0].value) == 1
    app.main.text_input[0].set_value("bord:37").run()
    assert "did you mean board?" in app.error[0].value
    assert app.code[0].value.endswith("^^^^^")
    assert not app.exception


def test_no_game_is_said_so() -> None:
    app = opened()
    app.sidebar.text_input[0].set_value("nobody").run()
    assert "No game" in app.info[0].value


@pytest.mark.parametrize("event", ["resigned", "clocks", "large", "blitz", "custom", "contradicted"])
def test_a_game_is_opened_by_the_url(ids: dict[str, str], event: str) -> None:
    app = opened("game.py", id=ids[event])
    assert " – " in app.title[0].value
    assert any("After ply" in text.value for text in app.markdown)


def test_stepping_through_a_game(ids: dict[str, str]) -> None:
    app = opened("game.py", id=ids["resigned"], ply="2")
    assert [app.slider[0].value, app.slider[0].max] == [2, 4]
    for button, ply in (("chevron_right", 3), ("first_page", 0), ("last_page", 4), ("chevron_left", 3)):
        app.button(button).click().run()
        assert app.slider[0].value == ply
        assert app.query_params["ply"] == str(ply)
        assert not app.exception
    app.slider[0].set_value(1).run()
    assert any("`Wd4,d1`. Player 2 is to move" in text.value for text in app.markdown)


@pytest.mark.parametrize(("ply", "shown"), [("99", 4), ("-1", 4), ("x", 4), ("0", 0)])
def test_a_ply_in_the_url_that_is_none_shows_the_end(ids: dict[str, str], ply: str, shown: int) -> None:
    assert opened("game.py", id=ids["resigned"], ply=ply).slider[0].value == shown


@pytest.mark.parametrize(
    ("event", "end"),
    [
        ("resigned", "Player 1 resigns."),
        ("blitz", "Player "),
        ("clocks", None),
    ],
)
def test_the_list_of_moves_ends_with_what_ended_the_game(ids: dict[str, str], event: str, end: str | None) -> None:
    moves = opened("game.py", id=ids[event]).dataframe[0].value
    last = moves.iloc[-1]
    if end is None:
        assert last["ply"] == len(moves)
    else:
        assert last["move"].startswith(end)
        assert list(moves["ply"])[:-1] == list(range(1, len(moves)))


def test_the_sentence_about_the_position_stands_above_the_board(ids: dict[str, str]) -> None:
    kinds = [element.type for element in opened("game.py", id=ids["large"]).columns[0].children.values()]
    assert kinds.index("markdown") < kinds.index("image")


def test_findings_tags_and_sightings_of_a_game(ids: dict[str, str]) -> None:
    tables = [table.value for table in opened("game.py", id=ids["resigned"]).dataframe]
    assert any("Annotator" in table.get("name", []).tolist() for table in tables if "name" in table)
    assert any(len(table) == 2 for table in tables if "path" in table)
    tables = [table.value for table in opened("game.py", id=ids["contradicted"]).dataframe]
    assert any("W401" in table["code"].tolist() for table in tables if "code" in table)


def test_an_unknown_game_and_none() -> None:
    assert "there is no game" in opened("game.py", id="0000000000000").error[0].value
    assert "Choose a game" in opened("game.py").info[0].value


def test_imports_with_balance_and_rejects() -> None:
    app = opened("imports.py")
    assert [metric.value for metric in app.metric] == ["2", "0", "1", "1"]
    app.selectbox[0].set_value(1).run()
    assert [metric.value for metric in app.metric] == ["8", "6", "0", "2"]
    assert "E302" in app.dataframe[1].value["reason"].tolist()
    assert len(app.dataframe[2].value) == 2


@pytest.mark.parametrize("page", ["games.py", "game.py", "imports.py"])
def test_a_missing_database_is_explained(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "none"))
    assert "There is no database" in opened(page).error[0].value


@pytest.mark.parametrize(("page", "message"), [("games.py", "no games yet"), ("imports.py", "Nothing was imported")])
def test_an_empty_database_is_explained(
    page: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with next_generation(tmp_path / "empty"):
        pass
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "empty"))
    assert message in opened(page).info[0].value


def test_a_taken_port_is_named(sample: Path) -> None:
    from zertz_db.cli.errors import Stop
    from zertz_db.cli.serving import dashboard

    with socket.create_server(("localhost", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(Stop, match=f"port {port} is taken"):
            dashboard(port=port, no_browser=True, folder=sample)
