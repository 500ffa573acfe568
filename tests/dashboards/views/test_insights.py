"""The page of insights, run without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.opened_pages import html, opened, ran, texts
from tests.queries.made_games import build, games
from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.charts import Pick

QUESTION_KEY = "question"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("insights"), [*games()])


pytestmark = pytest.mark.usefixtures("read_only")


def questions(app: AppTest) -> Any:
    return next(group for group in app.get("button_group") if group.key == QUESTION_KEY)


def test_a_question_is_a_sentence_and_its_answer_a_chart_and_a_table() -> None:
    app = opened("insights.py")
    assert "Points share by side" in texts(app)
    assert app.get("vega_lite_chart") or app.get("arrow_vega_lite_chart")
    (numbers,) = app.dataframe
    assert list(numbers.value["side"]) == ["first", "second"]
    questions(app).set_value("Have games become longer?")
    ran(app)
    assert (app.query_params["metric"], app.query_params["by"]) == ("length", "year")
    assert "Length by year" in texts(app)


def test_groups_with_too_few_games_are_in_the_table_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(charts, "draw_means", lambda rows, *_values, **_named: drawn.extend(rows))
    app = opened("insights.py", metric="points", by="kind")
    (numbers,) = app.dataframe
    few = numbers.value[numbers.value["games"] < 10]
    assert set(few["note"]) == {"too few games"}
    assert set(few["kind"]).isdisjoint(row["kind"] for row in drawn)
    assert len(drawn) + len(few) == len(numbers.value)


def test_one_player_stands_beside_the_field() -> None:
    app = opened("insights.py", of="ada", metric="captures", by="board")
    assert "Marbles captured of Ada by board" in texts(app)
    assert "<span>Field</span>" in html(app)
    assert "fewer than 10 other players with 10 games" in html(app)
    assert "Do I score better when I move first?" in questions(app).options


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"of": "nobody"}, "no player is called 'nobody'"),
        ({"filter": "player:nobody"}, "No game"),
        ({"metric": "accuracy", "by": "hour"}, "No game has been analysed: run zertz analyse."),
        ({"metric": "points", "by": "phase"}, "Points share by side"),
        ({"metric": "nonsense"}, "Points share by side"),
    ],
)
def test_what_can_t_be_shown_is_explained(query: dict[str, str], message: str) -> None:
    assert message in texts(opened("insights.py", **query)).replace("\\", "")


@pytest.mark.parametrize(
    ("by", "of", "picked", "filtered"),
    [
        ("board", "", "61", "board:61"),
        ("year", "", "2010", "date:2010"),
        ("ending", "", "4W", "sets:4W"),
        ("side", "Ada", "second", "second:Ada"),
        ("ending", "", "resign", "ending:resign"),
        ("rating", "", "1400-1599", "(rating-first:1400..1599 or rating-second:1400..1599)"),
        ("rating", "Ada", "<1200", "(first:Ada rating-first:<1200 or second:Ada rating-second:<1200)"),
        ("opponent", "Ada", ">=1800", "(first:Ada rating-second:>=1800 or second:Ada rating-first:>=1800)"),
    ],
)
def test_a_click_narrows_the_filter(
    monkeypatch: pytest.MonkeyPatch, by: str, of: str, picked: str, filtered: str
) -> None:
    app = opened("insights.py", by=by, **({"of": of} if of else {}))
    clicks = iter([Pick(picked)])
    monkeypatch.setattr(charts, "draw_means", lambda *_values, **_named: next(clicks, None))
    ran(app)
    assert app.text_input("filter").value == filtered
