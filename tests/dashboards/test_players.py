"""The page with the players, run without a browser."""

from __future__ import annotations

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
    app = AppTest.from_file(APP, default_timeout=60).run()
    app.switch_page("players.py")
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def test_players_ratings_names_and_duplicates_are_listed() -> None:
    app = opened()
    assert set(app.dataframe[0].value["name"]) >= {"Ada", "Ben", "Čeněk"}
    assert list(app.dataframe[1].value.columns)[:3] == ["name", "kind", "rating"]
    app.text_input[0].set_value("board:48").run()
    assert set(app.dataframe[0].value["name"]) == {"Čeněk", "Ada"}


def test_a_player_is_opened_by_the_url_and_compared() -> None:
    app = opened(player="ada")
    assert app.header[0].value == "Ada"
    assert "3 games; also ADA" in app.caption[0].value
    app.text_input[2].set_value("ben").run()
    assert app.header[0].value == "Ada against Ben"
    assert not app.exception


def test_who_is_not_there_is_said() -> None:
    assert "no player is called 'nobody'" in opened(player="nobody").error[0].value
