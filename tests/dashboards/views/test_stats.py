"""The page with win conditions, run without a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.analyses import JudgedClub
from tests.dashboards.conftest import Lists
from tests.dashboards.opened_pages import opened, ran, texts
from tests.queries.made_games import Made, build, games
from tests.queries.sample import played
from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.charts import Pick
from zertz_db.export.trf import format_trf
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.tournaments.tournament_games import read_tournament
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database

ISOLATION = 1017
"""A random game that a claim wins, by the seed of its dice."""
MADE = [
    *games(),
    Made(moves=("Wd4,d1", "Bd3,a1"), broken_off="resigned by 2", event="Cup", clocks=(3, 5), direction="up"),
    Made(moves=("Wd4,d1", "Bd3,a1"), broken_off="tie", event="Cup", date="2010.05.02"),
    Made(moves=tuple(played(Position.start("37", "blitz"), ISOLATION)), rules="blitz"),
]
TABS = {
    "Who wins": [("decided",), ("set",)],
    "Endings": [("ending", "of"), ("q50", "shortest"), ("plies", "share"), ("q50", "unknown"), ("captures", "of")],
    "First moves": [("played", "possible"), ("ring", "decided")],
    "Leads": [("half_ahead",), ("changes", "of")],
    "Captures": [("part",), ("ply",), ("without",)],
    "Time": [("clocks",), ("phase",), ("turn",), ("player", "turns")],
}

SAID = {"Leads": "The later winner after half of the plies:"}
"""Texts above a tab's second chart."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("made"), MADE)


pytestmark = pytest.mark.usefixtures("read_only")


def tables_with(app: AppTest, *columns: str) -> list[Any]:
    return [table.value for table in app.dataframe if {*columns} <= {*table.value.columns}]


@pytest.mark.parametrize("by", ["", "board", "kind"])
@pytest.mark.parametrize("tab", TABS)
def test_every_table_is_there_with_its_chart(tab: str, by: str) -> None:
    app = opened("stats.py", about=tab, **({"by": by} if by else {}))
    assert "**63 games**" in texts(app)
    assert SAID.get(tab, "") in texts(app)
    assert app.get("vega_lite_chart") or app.get("arrow_vega_lite_chart")
    for columns in TABS[tab]:
        found = tables_with(app, *columns, *([by] if by else []))
        assert found, columns
        assert {"games", "positions", "turns", "seats"} & {*found[0].columns}


@pytest.mark.parametrize("by", ["", "board"])
def test_forced_wins_of_analysed_games(judged_club: JudgedClub, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    monkeypatch.setenv("ZERTZ_DB", str(judged_club.folder))
    app = opened("stats.py", about="Forced wins", **({"by": by} if by else {}))
    assert "of 80 games have been analysed" in texts(app)
    assert app.get("vega_lite_chart") or app.get("arrow_vega_lite_chart")
    assert tables_with(app, "chances", "blunders", *([by] if by else []))


def test_without_analyses_there_are_no_forced_wins() -> None:
    assert "No game has been analysed: run zertz analyse." in texts(opened("stats.py", about="Forced wins"))


def test_filters_and_groups() -> None:
    app = opened("stats.py", filter="board:48", by="board", about="Endings")
    assert "**12 games**" in texts(app)
    (ended,) = tables_with(app, "ending", "of")
    assert {*ended["board"]} == {"48"}


def test_who_wins_is_not_divided_by_who_won() -> None:
    assert not tables_with(opened("stats.py", by="side"), "decided")


@pytest.mark.parametrize(
    ("chart", "about", "by", "clicked", "filtered"),
    [
        ("draw_share_bars", "Who wins", "board", Pick("48"), "board:48"),
        ("draw_share_bars", "Endings", "", Pick("resign"), "ending:resign"),
        ("draw_share_bars", "Endings", "board", Pick("set", "61"), "ending:set board:61"),
        ("draw_columns", "Endings", "", Pick("10-14"), "plies:10..14"),
        ("draw_columns", "First moves", "", Pick("48"), "board:48"),
        ("draw_share_bars", "First moves", "", Pick("37 · a1"), "board:37"),
        ("draw_share_bars", "Who wins", "era", Pick("2010-2014"), "date:2010..2014"),
        ("draw_share_bars", "Who wins", "length", Pick("20-29"), "plies:20..29"),
    ],
)
def test_a_click_in_a_chart_narrows_the_filter(
    monkeypatch: pytest.MonkeyPatch, chart: str, about: str, by: str, clicked: Pick, filtered: str
) -> None:
    app = opened("stats.py", about=about, **({"by": by} if by else {}))
    clicks = iter([clicked])
    monkeypatch.setattr(charts, chart, lambda *_values, **_named: next(clicks, None))
    ran(app)
    assert app.text_input("filter").value == filtered


def test_the_crosstable_of_a_tournament(lists: Lists) -> None:
    app = opened("stats.py", about="Tournaments")
    assert "Cup" in lists.keys("tournaments")
    lists.clicks["tournaments"] = {"row": "Cup"}
    [page] = [found for element in ran(app).get("html") if '<div class="standings">' in (found := element.proto.body)]
    assert re.findall(r'<td class="points">(.*?)</td>', page) == ["1.5", "0.5"]
    assert "<h1>Cup</h1>" in page
    assert {button.label for button in app.get("download_button")} == {"Page to print", "TRF"}
    assert "The games" in [link.proto.label for link in app.get("page_link")]
    assert app.query_params["tournament"] == "Cup"


def test_without_tournaments_the_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games.txt").write_text('[Player1 "Ada"]\n[Player2 "Ben"]\n[Board "37"]\n\n1. Wd4,d1 Bd3,a1 *\n')
    import_paths([tmp_path / "games.txt"], tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    assert "No game belongs to a tournament." in texts(opened("stats.py", about="Tournaments"))


@pytest.mark.parametrize(
    ("trf", "message"),
    [
        ("{own}", "The file and the database agree on 2 games."),
        ("012 Cup\n001    1      Ada\n", "difference**; the file has 0 games."),
        ("a *letter*", "no line begins with 001"),
    ],
)
def test_a_tournament_is_compared_with_a_pasted_file(folder: Path, trf: str, message: str) -> None:
    app = opened("stats.py", about="Tournaments", tournament="Cup")
    with open_database(folder) as database:
        own = format_trf(read_tournament(database, "Cup"))
    app.text_area("trf text").set_value(trf.format(own=own))
    assert message in texts(ran(app))


def test_the_pairings_of_written_names() -> None:
    app = opened("stats.py", about="Tournaments")
    app.text_area("pair").set_value("Ada\n<b>Ben</b>\nCy\n")
    [page] = [found for element in ran(app).get("html") if '<div class="pairings">' in (found := element.proto.body)]
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["Round 1", "Round 2", "Round 3"]
    assert (page.count("<tr>"), page.count("&lt;b&gt;Ben&lt;/b&gt;")) == (6, 3)
    assert app.query_params["pair"] == "Ada\n<b>Ben</b>\nCy\n"
    app.text_area("pair").set_value("Ada\nada")
    assert "is there twice" in ran(app).error[0].value


def test_what_no_game_is_like() -> None:
    assert "No game" in texts(opened("stats.py", filter="player:nobody"))
    assert "unknown field 'bord'" in opened("stats.py", filter="bord:48").error[0].value
