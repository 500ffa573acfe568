"""The page to find positions and patterns, run without a browser."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import dashboards
from zertz_db.rules.position import Position

APP = str(Path(dashboards.__file__).parent / "app.py")
AFTER_TWO = Position.start("37").play("Wd4,d1").play("Bd3,a1").text


def opened(sample: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> AppTest:
    monkeypatch.setenv("ZERTZ_DB", str(sample))
    st.cache_resource.clear()
    app = AppTest.from_file(APP, default_timeout=30).run()
    app.switch_page("search.py")
    app.query_params["what"] = what
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize("what", [AFTER_TWO, "d4:W d3:B d1:. a1:. rings=35"])
def test_games_are_listed_with_what_was_played_next(sample: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    app = opened(sample, monkeypatch, what)
    hits, following, years = (table.value for table in app.dataframe)
    assert list(hits["ply"]) == [2, 2]
    assert following["matches"].sum() == years["matches"].sum() == 2


def test_how_to_look_for_a_position_is_chosen(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turned = Position.start("37").play("Wd4,a4").text
    app = opened(sample, monkeypatch, turned)
    assert len(app.dataframe[0].value) == 2
    app.sidebar.radio[0].set_value("exact").run()
    assert not app.dataframe
    assert "In 0 games" in app.caption[0].value


@pytest.mark.parametrize(("what", "message"), [("W x", "'x' can't stand here"), ("37 oooo", "a position is written")])
def test_what_can_not_be_read_is_explained(
    sample: Path, monkeypatch: pytest.MonkeyPatch, what: str, message: str
) -> None:
    assert message in opened(sample, monkeypatch, what).error[0].value


def test_nothing_asked(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Type a pattern" in opened(sample, monkeypatch, "").info[0].value
