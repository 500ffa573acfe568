"""The dashboard's page with statistics, run without a browser."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import dashboards
from tests.queries.made_games import Made, build, games

APP = str(Path(dashboards.__file__).parent / "app.py")
MADE = [
    *games(),
    Made(moves=("Wd4,d1", "Bd3,a1"), broken_off="resigned by 2", event="Cup", clocks=(3, 5), direction="up"),
    Made(moves=("Wd4,d1", "Bd3,a1"), broken_off="tie", event="Cup", date="2010.05.02"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("made"), MADE)


@pytest.fixture
def app(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("ZERTZ_DB", str(folder))
    st.cache_resource.clear()
    opened = AppTest.from_file(APP, default_timeout=60).run()
    opened.switch_page("stats.py").run()
    assert not opened.exception
    return opened


def tables_with(app: AppTest, *columns: str) -> list[object]:
    return [table.value for table in app.dataframe if {*columns} <= {*table.value.columns}]


def test_every_table_is_there(app: AppTest) -> None:
    titles = [title.value for title in app.subheader]
    assert titles[:3] == ["How often the first mover wins", "Which set wins", "How games end"]
    assert "62 games" in app.caption[0].value
    for columns in (
        ("decided",),
        ("set",),
        ("ending", "of"),
        ("q50", "shortest"),
        ("half_ahead",),
        ("part",),
        ("without",),
        ("clocks",),
    ):
        assert len(tables_with(app, *columns)) == 1, columns


def test_filters_and_groups(app: AppTest) -> None:
    app.text_input[0].set_value("board:48").run()
    assert "12 games" in app.caption[0].value
    app.multiselect[0].set_value(["side", "board"]).run()
    assert not app.exception
    assert next(title.value for title in app.subheader) == "Which set wins"
    (ended,) = tables_with(app, "ending", "of")
    assert set(ended["board"]) == {"48"}  # type: ignore[index]


def test_the_crosstable_of_a_tournament(app: AppTest) -> None:
    assert app.selectbox[0].value == "Cup"
    (standing,) = tables_with(app, "points")
    assert list(standing["points"]) == [1.5, 0.5]  # type: ignore[index]


def test_what_no_game_is_like(app: AppTest) -> None:
    app.text_input[0].set_value("player:nobody").run()
    assert "No game" in app.info[0].value
    app.text_input[0].set_value("bord:48").run()
    assert "there is no field 'bord'" in app.error[0].value
    assert not app.exception
