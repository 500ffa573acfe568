"""The page that compares two filters, run without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.dashboards.opened_pages import opened, ran, texts
from tests.queries.made_games import Made, build, games
from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.charts import Pick

MANY = [
    Made(
        moves=("Wd4,d1", "Bd3,a1"), first=f"F{number}", date=f"20{20 + number % 2}.01.{number // 2 + 1:02}",
        broken_off="resigned by 2" if number % 2 else "resigned by 1",
    )
    for number in range(50)
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("compare"), [*games(), *MANY])


pytestmark = pytest.mark.usefixtures("read_only")


def test_significant_differences_have_a_star(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[dict[str, Any]] = []
    monkeypatch.setattr(charts, "draw_share_bars", lambda rows, *_values, **_named: drawn.extend(rows))
    app = opened("compare.py", a="date:2020", b="date:2021")
    assert [(row["category"], row["group"], row["share"]) for row in drawn] == [
        ("first mover wins*", "A: date:2020", 0.0),
        ("first mover wins*", "B: date:2021", 1.0),
    ]
    assert "1 of 1 tested" in texts(app)
    assert app.dataframe[0].value["share_a"].tolist() == [0.0]
    assert "Holm's correction for 1 test" in texts(app)
    assert "Filter A: 25 games" in texts(app).replace("\\", "")


def test_a_move_continues_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("compare.py", a="date:2020", b="date:2021", about="Openings")
    assert app.get("vega_lite_chart") or app.get("arrow_vega_lite_chart")
    clicks = iter([Pick("Wd4,a1*")])
    monkeypatch.setattr(charts, "draw_share_bars", lambda *_values, **_named: next(clicks, None))
    ran(app)
    assert app.text_input("moves").value == "Wd4,a1"
    assert app.query_params["moves"] == "Wd4,a1"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({}, "Write two filters"),
        ({"a": "bord:37", "b": "board:37"}, "unknown field 'bord'"),
        ({"a": "player:nobody"}, "Filter A: 0 games"),
        ({"a": "date:2020", "b": "date:2020..2021"}, "Both filters match 25 games"),
        ({"a": "date:2020", "b": "date:2021", "about": "Openings", "moves": "Wd4"}, "Wd4"),
        ({"a": "date:2020", "b": "board:61 rules:blitz"}, "Filter B: 0 games"),
    ],
)
def test_what_can_t_be_compared_is_explained(query: dict[str, str], message: str) -> None:
    assert message in texts(opened("compare.py", **query)).replace("\\", "")


def test_boards_and_rules_without_games_are_not_offered() -> None:
    app = opened("compare.py", a="date:2020", b="date:2021", about="Openings")
    assert app.selectbox("board").options == ["37", "48", "61"]
    assert app.selectbox("rules").options == ["standard", "blitz"]
