"""The page with the list of games, run without a browser."""

from __future__ import annotations

import io
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import followed, opened, ran, texts, verbatim
from tests.queries.sample import record
from zertz_db import check_text, import_paths
from zertz_db.dashboards.components import listing
from zertz_db.dashboards.sections.downloads import build_csv, build_notation, build_parquet
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.open_database import open_database

FORMULA = '=HYPERLINK("http://example.org")'


pytestmark = pytest.mark.usefixtures("read_only")


def test_games_are_listed_and_filtered_by_the_url(lists: Lists) -> None:
    opened("games.py")
    assert len(lists.keys("games")) == 6
    opened("games.py", filter="player:ada board:48")
    assert [name for name, _ in lists.column("games", "Second")] == ["Ada"]


def test_what_is_typed_filters(lists: Lists) -> None:
    app = opened("games.py")
    app.text_input("filter").set_value("not player:ada board:37")
    ran(app)
    assert len(lists.keys("games")) == 2


def test_a_filter_that_can_not_be_is_pointed_at() -> None:
    app = opened("games.py", filter="bord:37")
    assert "did you mean board?" in app.error[0].value
    assert verbatim(app)[0].endswith("^^^^^")


@pytest.mark.parametrize(("typed", "games"), [("board:48 player:", 1), ("player:", 6), ("board:", 6)])
def test_a_filter_that_is_being_written_counts_as_far_as_it_goes(lists: Lists, typed: str, games: int) -> None:
    opened("games.py", filter=typed)
    assert len(lists.keys("games")) == games


@pytest.mark.parametrize(
    ("typed", "chip", "then"),
    [
        ("", "ending:", "ending:"),
        ("board:", "48", "board:48"),
        ("first:", "Eve", "first:Eve"),
        ("board:37", "plies:", "board:37 plies:"),
        ("boa", "board:", "board:"),
    ],
)
def test_chips_go_on_with_the_filter(typed: str, chip: str, then: str) -> None:
    app = opened("games.py", filter=typed)
    chips = app.button_group("suggestions for the filter")
    offered = [option.content.replace("\\", "") for option in chips.proto.options]
    chips.set_value(offered.index(chip))
    ran(app)
    assert app.text_input("filter").value == then


def test_titles_sort(lists: Lists) -> None:
    app = opened("games.py")
    assert lists.given["games"]["sort"] == "-date"
    lists.clicks["games"] = {"sort": "plies"}
    ran(app)
    plies = [int(value) for value in lists.column("games", "Plies")]
    assert plies == sorted(plies)
    assert app.query_params["sort"] == "plies"


def test_pages_are_turned_over(lists: Lists, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "PAGE_SIZE", 4)
    app = opened("games.py")
    assert lists.given["games"]["pages"]["total"] == 6
    first = lists.keys("games")
    lists.clicks["games"] = {"page": "2"}
    ran(app)
    assert len(lists.keys("games")) == 2
    assert not {*first} & {*lists.keys("games")}
    assert app.query_params["page"] == "2"


@pytest.mark.parametrize("query", [{"page": "99"}, {"page": "x"}, {"sort": "nothing"}, {"page": "-1"}])
def test_an_address_with_nonsense_shows_the_list(lists: Lists, query: dict[str, str]) -> None:
    opened("games.py", **query)
    assert len(lists.keys("games")) == 6


def test_a_click_opens_the_game(lists: Lists, boards: Boards) -> None:
    opened("games.py")
    app = followed(lists.links("games")[0])
    assert "–" in app.title[0].value
    assert boards.given["moves"]
    assert app.query_params["id"] == lists.keys("games")[0]


def test_a_game_knows_the_list_that_it_was_opened_from(lists: Lists) -> None:
    opened("games.py", filter="board:37", sort="plies")
    ids, (_, middle, *_) = lists.keys("games"), lists.links("games")
    app = followed(middle)
    labels = {link.proto.label: link.proto for link in app.get("page_link")}
    assert f"2 of {len(ids)}" in labels
    assert f"id={ids[0]}" in labels["Previous game"].query_string
    assert f"id={ids[2]}" in labels["Next game"].query_string
    assert "filter=board%3A37" in labels["Next game"].query_string


def test_selected_games_are_corrected_and_marked(lists: Lists, own: Path) -> None:
    app = opened("games.py", select="true")
    one, other, *_ = lists.keys("games")
    lists.clicks["games"] = {"select": f"={one} {other} NOTHERE"}
    ran(app)
    assert lists.given["games"]["selected"] == [one, other]
    assert "**2 selected**" in texts(app)
    app.selectbox("tag of selected").set_value("Event")
    app.text_input("value of selected").set_value("Cup")
    app.button("correct selected").click()
    assert "Corrected Event of 2 games" in texts(ran(app))
    app.text_input("label on the selected games").set_value("study")
    app.button("mark selected").click()
    assert "Marked 2 games" in texts(ran(app))
    with open_database(own) as database:
        assert {row[0] for row in list_games(database, "event:Cup label:study", columns=["id"]).rows} == {one, other}


def test_a_selection_spans_pages_and_is_read_only_without_permission(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "PAGE_SIZE", 4)
    app = opened("games.py", select="true")
    first = lists.keys("games")
    lists.clicks["games"] = {"select": f"={first[0]}"}
    ran(app)
    lists.clicks["games"] = {"page": "2"}
    ran(app)
    second = lists.keys("games")
    lists.clicks["games"] = {"select": f"={second[0]}"}
    ran(app)
    assert app.session_state["selected games"] == [first[0], second[0]]
    assert {button.label for button in app.button} & {"Mark 2 games", "Correct 2 games"} == set()
    app.button("select all").click()
    ran(app)
    assert len(app.session_state["selected games"]) == 6
    app.button("clear selection").click()
    ran(app)
    assert app.session_state["selected games"] == []
    opened("games.py")
    assert lists.given["games"]["selected"] is None


def test_no_game_is_said_so() -> None:
    assert "No games match" in texts(opened("games.py", filter="player:nobody"))


def test_the_selection_is_taken_away(sample: Path) -> None:
    with open_database(sample) as database:
        csv = build_csv(database, "player:ada").decode("utf-8-sig")
        parquet = pq.read_table(io.BytesIO(build_parquet(database, "player:ada")))
        notation, left_out = build_notation(database, "player:ada")
    assert csv.count("\n") == 1 + parquet.num_rows == 4
    assert {"id", "player1", "movetext"} <= {*parquet.column_names}
    assert ([one.verdict for one in check_text(notation)].count("illegal"), left_out) == (0, 0)
    assert len(check_text(notation)) == 3


@pytest.mark.parametrize("name", [FORMULA, "+1", "-1+1", "@SUM(A1)", "\tx"])
def test_no_name_in_a_csv_is_a_formula(tmp_path: Path, name: str) -> None:
    written = name.replace('"', '\\"')
    (tmp_path / "games.txt").write_text(record("x", written, "Ben", "2010.01.01", "1. Wd4,d1 Bd3,a1 *"), "utf-8")
    import_paths([tmp_path / "games.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        (tmp_path / "games.csv").write_bytes(build_csv(database, ""))
    query = f"SELECT player1 FROM read_csv('{tmp_path / 'games.csv'}', all_varchar = true)"
    [(shown,)] = duckdb.sql(query).fetchall()
    assert not shown.startswith(("=", "+", "-", "@", "\t"))
    assert shown.lstrip("'").strip() == name.strip()
