"""The dashboard's page with the opening tree, run without a browser."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import dashboards

APP = str(Path(dashboards.__file__).parent / "app.py")


@pytest.fixture(autouse=True)
def of_sample(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_DB", str(sample))
    st.cache_resource.clear()


def opened(**query: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=30).run()
    app.switch_page("openings.py")
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def continuations(app: AppTest) -> list[str]:
    assert not app.exception
    return list(app.dataframe[0].value["move"])


def test_the_root_lists_first_moves() -> None:
    app = opened()
    assert continuations(app)[0] == "Wd4,a1"
    assert "3 games; 2 continuations" in app.caption[0].value
    assert app.dataframe[0].value["name"][0] == "white centre, corner out"


def test_the_url_leads_on_and_the_breadcrumb_back() -> None:
    app = opened(moves="Wd4,d1 Bd3,a1")
    assert app.title[0].value == "White centre, corner out"
    assert continuations(app) == ["x d3Wd5", "(ended here)"]
    assert [button.label for button in app.main.button] == ["start", "Wd4,d1", "Bd3,a1"]
    app.button("back to 1").click().run()
    assert app.query_params["moves"] == "Wd4,d1"
    assert continuations(app) in (["Bd3,a1"], ["Bd3,g1"])
    app.button("back to 0").click().run()
    assert len(continuations(app)) == 2


def test_moves_can_be_typed() -> None:
    app = opened()
    app.sidebar.text_input[1].set_value("Wd4,d1 Bd3,a1 x d3Wd5").run()
    assert continuations(app) == ["Gc3,g1"]
    assert app.query_params["moves"] == "Wd4,d1 Bd3,a1 x d3Wd5"


def test_filters_and_another_board() -> None:
    app = opened()
    app.sidebar.text_input[0].set_value("first:ada").run()
    assert "1 game; 1 continuation" in app.caption[0].value
    app.sidebar.text_input[0].set_value("").run()
    app.sidebar.selectbox[0].set_value("48").run()
    assert "1 game; 1 continuation" in app.caption[0].value


def test_another_board_begins_anew() -> None:
    app = opened(moves="Wd4,d1")
    app.sidebar.selectbox[0].set_value("48").run()
    assert app.title[0].value == "Openings"
    assert not app.error


@pytest.mark.parametrize(
    ("moves", "filters", "message"),
    [("Wd4,d4", "", "move 1: Wd4,d4 is not legal here"), ("", "colour:red", "colour")],
)
def test_what_can_not_be_asked_is_explained(moves: str, filters: str, message: str) -> None:
    app = opened(moves=moves)
    app.sidebar.text_input[0].set_value(filters).run()
    assert message in app.error[0].value
    assert not app.exception


def test_no_game_is_said_so() -> None:
    assert opened(moves="Wa1,a2").info[0].value.startswith("No game reached this position")
