"""Charts: what the pages send is valid, although Altair does not validate it on the way."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import altair as alt
import pytest
import streamlit as st

from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.charts import Axis

GROUP, SHARE = Axis("board", "board"), Axis("share", "share", ".1%")
ROWS = [
    {"board": board, "share": 0.5, "low": 0.4, "high": 0.6, "games": 9, "q10": 1, "q50": 2, "q90": 3}
    for board in ("37", "48")
]
PARTS = [{"board": "37", "set": "4W", "games": 3}, {"board": "37", "set": "5G", "games": 1}]
DRAWN: dict[str, Callable[[], object]] = {
    "share bars": lambda: charts.draw_share_bars(ROWS, GROUP, [Axis("games", "games")], key="a", half=True),
    "columns": lambda: charts.draw_columns(ROWS, GROUP, Axis("games", "games"), [], key="a"),
    "quantiles": lambda: charts.draw_quantiles(ROWS, "board", ["q10", "q10", "q50", "q90", "q90"], key="a", title="a"),
    "stacked bars": lambda: charts.draw_stacked_bars(PARTS, "board", "set", "games", key="a"),
    "ratings": lambda: charts.draw_ratings(
        [{"name": "Ada", "date": dt.date(2010, 1, 2), "rating": 1500.0, "deviation": 40.0}], key="a"
    ),
}
NUMBERS = {
    "share bars": {"category": "37", "share": 0.5},
    "stacked bars": {"group": "37", "category": "4W", "share": 0.75, "of": 4},
    "ratings": {"rating": 1500.0, "low": 1420.0, "high": 1580.0},
}
"""What the first mark of a chart shows."""


@pytest.mark.parametrize("name", DRAWN)
def test_a_chart_is_valid(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []

    def send(spec: dict[str, Any], **_settings: object) -> SimpleNamespace:
        sent.append(spec)
        return SimpleNamespace(selection={})

    monkeypatch.setattr(st, "vega_lite_chart", send)
    DRAWN[name]()
    (spec,) = sent
    alt.Chart.from_dict(spec, validate=True)
    assert NUMBERS.get(name, {}).items() <= spec["datasets"]["rows"][0].items()
    assert "config" not in spec


def test_an_invalid_chart_is_noticed() -> None:
    spec = {"data": {"name": "rows"}, "mark": "bar", "encoding": {"x": {"field": "games", "type": "no such type"}}}
    with pytest.raises(Exception, match="no such type"):
        alt.Chart.from_dict(spec, validate=True)
