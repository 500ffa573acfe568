"""The page with the players, run without a browser."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from dashboards.components import listing
from dashboards.sections.filter_bar import build_term
from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import followed, html, opened, ran, texts
from tests.queries.made_games import Made, build
from tests.queries.sample import played, record
from zertz_db import import_paths
from zertz_db.queries.duplicates import merged
from zertz_db.queries.players.head_to_head import compare_players
from zertz_db.queries.players.player_list import list_aliases
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database

MOVES = ("Wd4,d1", "Bd3,a1")
GAMES = [
    Made(moves=MOVES, first=first, second=second, date=f"2010.05.{day:02}", broken_off="resigned by 1", clocks=(3, 5), direction="up")
    for day, (first, second) in enumerate(
        [("Ada", "Ben"), ("Ben", "Ada"), ("Ada", "Carl"), ("Carlo", "Ben"), ("Ben", "Carlo"), ("Ada", "Carlo")], 1
    )
] + [Made(moves=MOVES, first="guest", second="Ada", date="2011.01.01", broken_off="tie")]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("players"), GAMES)


@pytest.fixture(autouse=True)
def of_made(folder: Path, monkeypatch: pytest.MonkeyPatch, lists: Lists, boards: Boards) -> None:
    assert lists.given == boards.given == {}
    monkeypatch.setenv("ZERTZ_DB", str(folder))
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "0")


def test_players_are_listed_sorted_and_looked_for(lists: Lists, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("players.py")
    assert lists.column("list -games", "Name")[0] == "Ada"
    lists.clicks["list -games"] = {"sort": "name"}
    ran(app)
    assert lists.column("list -games", "Name") == ["Ada", "Ben", "Carl", "Carlo", "guest"]
    app.text_input("name").set_value("CARL")
    ran(app)
    assert lists.column("list -games", "Name") == ["Carl", "Carlo"]
    monkeypatch.setattr(listing, "PAGE_SIZE", 2)
    opened("players.py", page="2", filter="date:2010")
    assert len(lists.keys("list -games")) == 2


def test_a_click_opens_a_profile(lists: Lists) -> None:
    opened("players.py")
    app = followed(lists.links("list -games")[0])
    assert app.title[0].value == "Ada"
    assert app.query_params["player"] == "Ada"
    app.button("back").click()
    ran(app)
    assert lists.opened() == ["players"]


@pytest.mark.parametrize(
    ("tab", "list_key", "column", "values"),
    [
        ("Results", "results by side", "Side", ["moving first", "moving second"]),
        ("Opponents", "opponents", "Opponent", ["Ben", "Carl", "Carlo", "guest"]),
        ("First moves", "first moves", "First move", ["Wd4,a1"]),
        ("Games", "games of the player", "Board", ["37"] * 5),
        ("Prepare", "latest games", "Board", ["37"] * 5),
    ],
)
def test_what_a_profile_has(lists: Lists, tab: str, list_key: str, column: str, values: list[str]) -> None:
    app = opened("players.py", player="ada", profile=tab)
    assert lists.column(list_key, column) == values
    assert "<b>5</b><small>1 won, 1 tied, 3 lost</small>" in html(app)


@pytest.mark.parametrize("tab", ["Rating", "Thinking time", "Results"])
def test_charts_of_a_profile(tab: str) -> None:
    app = opened("players.py", player="Ada", profile=tab)
    assert app.get("vega_lite_chart") or app.get("arrow_vega_lite_chart")


def test_thinking_time_is_there_in_numbers_too() -> None:
    (numbers,) = opened("players.py", player="Ada", profile="Thinking time").dataframe
    assert "Ada" in {*numbers.value["player"]}


def test_a_preparation_has_replies_losses_and_known_lines(lists: Lists) -> None:
    app = opened("players.py", player="Ada", profile="Prepare", known="1")
    assert lists.column("replies", "Reply") == ["Bd3,g1"] or lists.column("replies", "Games") == ["2"]
    assert "Fewer than 10 lost games" in texts(app)
    assert "No game left a known line." in texts(app)
    assert "0 of 5 matching games have been analysed" in texts(app)
    followed(lists.links("replies")[0])


def test_two_against_each_other(lists: Lists) -> None:
    opened("players.py", player="Ada", profile="Opponents")
    app = followed(lists.links("opponents")[0])
    assert app.title[0].value == "Ada against Ben"
    assert "2 games; wins and losses are those of Ada" in texts(app)
    assert len(lists.keys("games of the player")) == 2
    assert lists.column("results by side", "Games") == ["1", "1"]
    assert re.search(r"Ada: 4 rated games, now \d+ ± \d+; Ben: 4 rated games, now", texts(app).replace("\\", ""))


def test_the_games_of_two_are_counted_once_and_for_the_first_one(folder: Path) -> None:
    """Of six games between humans, Ada and Ben play two; Ada resigns the first, Ben the other."""
    with open_database(folder) as database:
        for one, other in (("Ada", "Ben"), ("Ben", "Ada")):
            found = compare_players(database, one, other)
            together = [game for game in GAMES if {game.first, game.second} == {one, other}]
            results = found.results.dicts()
            assert sum(row["games"] for row in results) == len(found.games.rows) == len(together) == 2
            assert sum(row["wins"] for row in results) == sum(winner(game) == one for game in together)
            assert sum(row["losses"] for row in results) == sum(winner(game) == other for game in together)
            assert {row["side"]: row["games"] for row in results} == {1: 1, 2: 1}


def winner(game: Made) -> str | None:
    return (None, game.first, game.second)[game.winner or 0]


def test_a_first_move_opens_the_tree(lists: Lists) -> None:
    opened("players.py", player="Ada", profile="First moves")
    app = followed(lists.links("first moves")[0])
    assert app.subheader[0].value == "White centre, corner out"
    assert app.text_input("filter").value == build_term("first", "Ada")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"player": "nobody"}, "no player is called 'nobody'"),
        ({"player": "Ada", "vs": "nobody"}, "no player is called 'nobody'"),
        ({"player": "Ada", "filter": "board:61"}, "No games of this player match"),
        ({"player": "guest"}, "shared by many people"),
        ({"player": "Carl", "vs": "Ben"}, "have no games against each other"),
        ({"filter": "board:61"}, "No games match"),
        ({"about": "Games to review"}, "No two games look alike"),
    ],
)
def test_what_is_not_there_is_said(query: dict[str, str], said: str) -> None:
    assert said in texts(opened("players.py", **query)).replace("\\", "")


def test_ratings(lists: Lists) -> None:
    opened("players.py", about="Ratings")
    assert {*lists.column("list -at_least", "Name")} == {"Ada", "Ben", "Carl", "Carlo"}


def test_names_are_decided_on_only_where_writing_is_allowed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(folder, tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    app = opened("players.py", about="Names to review")
    assert "**Carl** (1) and **Carlo**" in texts(app)
    assert app.button("accepted Carl Carlo").disabled
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = opened("players.py", about="Names to review")
    app.button("rejected Carl Carlo").click()
    assert "No two names look like one player's" in texts(ran(app))
    with open_database(tmp_path / "db") as database:
        [(name, player, verdict, *_)] = list_aliases(database).rows
    assert (name, player, verdict) == ("Carl", "Carlo", "rejected")


def test_two_games_are_made_one_and_parted_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lists: Lists) -> None:
    moves = " ".join(played(Position.start("37"), 3))
    twice = [record("one", "Ada", "Ben", "2010.01.01", moves), record("two", "Ada", "Ben", "2010.01.02", moves)]
    (tmp_path / "games.txt").write_text("".join(twice), "utf-8")
    folder = tmp_path / "db"
    import_paths([tmp_path / "games.txt"], folder)
    monkeypatch.setenv("ZERTZ_DB", str(folder))
    app = opened("players.py", about="Games to review")
    assert len(lists.keys("doubles")) == 1
    assert not [button for button in app.button if button.key == "merge"]
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = opened("players.py", about="Games to review")
    app.button("merge").click()
    assert "No two games look alike" in texts(ran(app))
    with open_database(folder) as database:
        [(game, *_)] = merged(database).rows
    app.button("split").click()
    ran(app)
    assert lists.keys("doubles") == [game]
