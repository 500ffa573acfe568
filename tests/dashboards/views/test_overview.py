"""The start page, run without a browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import Lists
from tests.dashboards.opened_pages import followed, html, opened, texts
from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.charts import Pick
from zertz_db.dashboards.sections.update_notice import format_age
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.lock import importers_lock

pytestmark = pytest.mark.usefixtures("read_only")


def test_what_is_in_the_database_is_told(lists: Lists) -> None:
    app = opened("overview.py")
    headings = ["Games by year", "How games end", "Explore", "Last import", "Latest games"]
    assert ([one.value for one in app.title], [one.value for one in app.subheader]) == (["ZÈRTZ games"], headings)
    assert "<b>6</b>" in html(app)
    assert "played 2010–2013" in html(app)
    assert " positions · last import " in texts(app)
    assert "**2** records read = **0** stored + **1** duplicate + **1** rejected" in texts(app)
    assert "Number 2, " in texts(app)
    assert "Four white, five grey or six black marbles win" in texts(app)
    assert [card["title"] for card in lists.given["latest games"]["cards"]][:2] == ["Eve – Ben", "a_b – Ben"]


def test_damaged_annotations_are_named(own: Path) -> None:
    (own / "marks.jsonl").write_text("nonsense\n")
    [warning] = opened("overview.py").warning
    assert "jsonl:1 is not a mark" in warning.value.replace("\\", "")


def test_a_card_opens_its_game(lists: Lists) -> None:
    opened("overview.py")
    assert (
        followed(lists.links("latest games")[0]).title[0].value
        == "[Eve](players?player=Eve) – [Ben](players?player=Ben)"
    )


@pytest.mark.parametrize(
    ("chart", "clicked", "filtered"),
    [
        ("draw_columns", "2010", "date:2010"),
        ("draw_stacked_bars", Pick("4W", "board 61"), "sets:4W board:61"),
        ("draw_stacked_bars", Pick("resign", "board 37"), "ending:resign board:37"),
        ("draw_stacked_bars", Pick("unfinished", "custom boards"), "verdict:unfinished board:custom"),
    ],
)
def test_a_click_in_a_chart_lists_those_games(
    lists: Lists, monkeypatch: pytest.MonkeyPatch, chart: str, clicked: str, filtered: str
) -> None:
    monkeypatch.setattr(charts, chart, lambda *_values, **_named: clicked)
    opened("overview.py")
    (link,) = lists.opened()
    app = followed(link)
    assert app.title[0].value == "Games"
    assert app.text_input("filter").value == filtered


def test_an_empty_database_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with next_generation(tmp_path / "empty"):
        pass
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "empty"))
    assert "zertz import" in texts(opened("overview.py"))


def test_an_import_that_runs_elsewhere_is_told(sample: Path) -> None:
    assert "is changing" not in sidebar(opened("overview.py"))
    with importers_lock(sample):
        assert "is changing the database" in sidebar(opened("overview.py"))


def sidebar(app: AppTest) -> str:
    return " ".join(info.value for info in app.sidebar.info)


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=29), "just now"),
        (timedelta(minutes=2), "2 minutes ago"),
        (timedelta(days=1, hours=3), "1 day ago"),
        (timedelta(days=2200), "6 years ago"),
    ],
)
def test_how_long_ago(passed: timedelta, said: str) -> None:
    now = datetime.now(UTC).replace(tzinfo=None)
    assert format_age(now - passed, now) == said
