"""The dashboard's pages, run without a browser."""

import socket
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import dashboards
from zertz_db.store.building import next_generation

APP = str(Path(dashboards.__file__).parent / "app.py")


@pytest.fixture(autouse=True)
def of_sample(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_DB", str(sample))
    st.cache_resource.clear()


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


def test_imports_with_balance_and_rejects() -> None:
    app = opened("imports.py")
    assert [metric.value for metric in app.metric] == ["2", "0", "1", "1"]
    app.selectbox[0].set_value(1).run()
    assert [metric.value for metric in app.metric] == ["8", "6", "0", "2"]
    assert "E302" in app.dataframe[1].value["reason"].tolist()
    assert len(app.dataframe[2].value) == 2


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
