"""The page with the players, run without a browser."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import Lists
from tests.dashboards.opened_pages import followed, html, opened, ran, texts
from tests.queries.made_games import Made, build
from tests.queries.sample import played, record
from zertz_db import import_paths
from zertz_db.dashboards.components import charts, listing
from zertz_db.dashboards.components.charts import Pick
from zertz_db.dashboards.sections.decisions.game_pairs import LIKENESSES
from zertz_db.dashboards.sections.filter_bar import build_term
from zertz_db.dashboards.sections.player_profile import build_tactic_tiles
from zertz_db.dashboards.sections.players.preparation import list_tiles
from zertz_db.queries.duplicates import merged
from zertz_db.queries.games.game_list import count_games, list_games
from zertz_db.queries.players.head_to_head import compare_players
from zertz_db.queries.players.player_list import Player, list_aliases
from zertz_db.queries.preparation.preparation import Preparation
from zertz_db.queries.result import Column, Result
from zertz_db.rules.position import Position
from zertz_db.store.annotations import game_merges
from zertz_db.store.open_database import open_database

MOVES = ("Wd4,d1", "Bd3,a1")
GAMES = [
    Made(moves=MOVES, first=first, second=second, date=f"2010.05.{day:02}", broken_off="resigned by 1", clocks=(3, 5), direction="up")
    for day, (first, second) in enumerate(
        [("Ada", "Ben"), ("Ben", "Ada"), ("Ada", "Carl"), ("Carlo", "Ben"), ("Ben", "Carlo"), ("Ada", "Carlo")], 1
    )
] + [Made(moves=MOVES, first="guest", second="Ada", date="2011.01.01", broken_off="tie")]  # fmt: skip


HEADINGS = {
    "Results": ["By year", "How games ended"],
    "Prepare": ["How they lose", "Missed wins", "Replies as second player", "Where games leave known lines", "Rating", "Latest games"],
}  # fmt: skip
"""Headings of the tabs of a profile."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("players"), GAMES)


pytestmark = pytest.mark.usefixtures("read_only")


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
    assert [element.value for element in app.subheader] == HEADINGS.get(tab, [])
    assert lists.column(list_key, column) == values
    assert "<b>5</b><small>1 won, 1 tied, 3 lost</small>" in html(app)


@pytest.mark.parametrize("is_few", [False, True])
def test_tactics_of_a_profile_are_tiles(is_few: bool) -> None:
    shares = {"share": 0.75, "low": 0.7, "high": 0.8, "per_100": 7.12, "accuracy": 77.3}
    counts = {"games": 1234, "kept": 30, "missed": 10, "free": 900, "blunders": 64, "accuracies": 1}
    tiles = build_tactic_tiles({**counts, **(dict.fromkeys(shares) if is_few else shares)})
    assert [tile.value for tile in tiles] == ["1,234", *(["–"] * 3 if is_few else ["75.0 %", "7.1", "77.3 %"])]
    assert tiles[1].below == f"30 kept, 10 missed{'' if is_few else ', 70.0–80.0 % with 95 % confidence'}"
    assert tiles[3].below == "the mean of 1 game"


@pytest.mark.parametrize("query", [{}, {"filter": "date:2010"}])
def test_a_profile_leads_to_its_insights_within_the_filter(query: dict[str, str]) -> None:
    app = opened("players.py", player="Ada", **query)
    links = {link.proto.label.partition(":")[0]: link.proto.query_string for link in app.get("page_link")}
    assert dict(parse_qsl(links["Insights"])) == {"of": "Ada", **query}


@pytest.mark.parametrize("tab", ["Rating", "Thinking time", "Results"])
def test_charts_of_a_profile(tab: str) -> None:
    app = opened("players.py", player="Ada", profile=tab)
    assert app.get("vega_lite_chart") or app.get("arrow_vega_lite_chart")


def test_thinking_time_is_there_in_numbers_too() -> None:
    (numbers,) = opened("players.py", player="Ada", profile="Thinking time").dataframe
    assert "Ada" in {*numbers.value["player"]}


@pytest.mark.parametrize(
    ("chances", "tiles"), [(9, []), (10, [("Lets forced wins go", "40.0 %", "4 of 10 in analysed games")])]
)
def test_few_chances_give_no_share_of_wins_that_were_let_go(chances: int, tiles: list[tuple[str, str, str]]) -> None:
    none = Result((), [])
    missed = Result((Column("chances"), Column("missed")), [(5, 3), (chances - 5, 1)])
    player = Player(1, "Ada", "human", ())
    assert list_tiles(Preparation(player, none, none, none, none, missed)) == tiles


def test_a_preparation_has_replies_losses_and_known_lines(lists: Lists) -> None:
    app = opened("players.py", player="Ada", profile="Prepare", known="1")
    assert lists.column("replies", "Reply") == ["Bd3,g1"] or lists.column("replies", "Games") == ["2"]
    assert "Fewer than 10 lost games" in texts(app)
    assert "No game left a known line." in texts(app)
    assert "0 of 5 matching games have been analysed" in texts(app)
    followed(lists.links("replies")[0])


@pytest.mark.parametrize(
    ("chart_key", "clicked", "filtered"),
    [
        ("results by year", Pick("won", "2010"), "date:2010 won:Ada"),
        ("results by year", Pick("tied", "no date"), "winner:none"),
        ("endings of", Pick("resign", "lost"), "ending:resign lost:Ada"),
        ("endings of", Pick("4W", "won"), "sets:4W won:Ada"),
    ],
)
def test_a_click_in_a_chart_of_a_profile_narrows_the_filter(
    monkeypatch: pytest.MonkeyPatch, chart_key: str, clicked: Pick, filtered: str
) -> None:
    app = opened("players.py", player="Ada")
    clicks = [clicked]

    def click_once(*_values: object, key: str, **_named: object) -> Pick | None:
        return clicks.pop() if clicks and key.startswith(chart_key) else None

    monkeypatch.setattr(charts, "draw_stacked_bars", click_once)
    ran(app)
    assert app.text_input("filter").value == filtered


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
        ({"about": "Relayed games"}, "No two games have the same moves at about the same time"),
    ],
)
def test_what_is_not_there_is_said(query: dict[str, str], said: str) -> None:
    assert said in texts(opened("players.py", **query)).replace("\\", "")


def test_ratings(lists: Lists) -> None:
    opened("players.py", about="Ratings")
    assert {*lists.column("list -at_least", "Name")} == {"Ada", "Ben", "Carl", "Carlo"}


def click(app: AppTest, label: str) -> AppTest:
    """Click the first button with this label that can be pressed."""
    next(button for button in app.button if button.label == label and not button.disabled).click()
    return ran(app)


def aliases(folder: Path) -> list[tuple[str, str, str]]:
    with open_database(folder) as database:
        return [row[:3] for row in list_aliases(database).rows]


def linked(app: AppTest) -> set[str]:
    """Return the labels of the links to pages."""
    return {link.proto.label for link in app.get("page_link")}


def test_names_are_not_decided_on_where_writing_is_not_allowed() -> None:
    app = opened("players.py", about="Names to review")
    assert {"Carl", "Carlo"} <= linked(app)
    assert re.search(r"(likely|possible|weak), \d+ %", texts(app).replace("\\", ""))
    assert re.search(r"Of 100 (likely|possible|weak) proposals, at least \d+ were right on planted cases", texts(app))
    assert "- names 89 % alike: one letter differs\n- 1 of 1 human opponents in common" in texts(app).replace("\\", "")
    assert app.button("One person Carl Carlo").disabled
    assert app.button("Two people Carl Carlo").disabled


@pytest.mark.parametrize(
    ("label", "verdict", "text", "left"),
    [
        ("One person", "accepted", "One person: Carl and Carlo", "No two names look like one player's"),
        ("Two people", "rejected", "Two people: Carl and Carlo", "No two names look like one player's"),
        ("Later", "later", "Later: Carl and Carlo", "Every pair is decided or put off"),
    ],
)
def test_names_are_decided_on_and_the_decision_is_undone(
    own: Path, label: str, verdict: str, text: str, left: str
) -> None:
    app = click(opened("players.py", about="Names to review"), label)
    assert left in texts(app)
    assert aliases(own) == [("Carl", "Carlo", verdict)]
    assert left in texts(opened("players.py", about="Names to review"))
    app.checkbox("decided names").check()
    app = ran(app)
    assert text in texts(app).replace("\\", "")
    app = click(app, "Undo")
    assert aliases(own) == []
    assert "1 pair to decide" in texts(app)


def test_the_kind_of_a_player_is_stated(own: Path, lists: Lists) -> None:
    app = opened("players.py", player="Carlo")
    app.radio("kind of Carlo").set_value("bot")
    app = click(ran(app), "Set the kind")
    assert "bot" in [caption.value for caption in app.caption]
    opened("players.py")
    kinds = dict(zip(lists.column("list -games", "Name"), lists.column("list -games", "Kind"), strict=True))
    assert kinds == {"Ada": "human", "Ben": "human", "Carl": "human", "Carlo": "bot", "guest": "guest"}
    app = opened("players.py", about="Names to review")
    assert "No two names look like one player's" in texts(app)
    with open_database(own) as database:
        assert count_games(database, "kind:human-bot") == 3
    app.checkbox("decided names").check()
    app = ran(app)
    assert "Kind: Carlo is a bot" in texts(app).replace("\\", "")
    click(app, "Undo")
    assert aliases(own) == []


@pytest.fixture
def twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with a game under two dates, and its beginning, which pages may change."""
    moves = played(Position.start("37"), 3)
    written = [
        record("one", "Ada", "Ben", "2010.01.01", " ".join(moves)),
        record("two", "Ada", "Ben", "2010.01.02", " ".join(moves)),
        record("part", "Ada", "Ben", "2010.01.03", " ".join(moves[:-2])),
    ]
    (tmp_path / "games.txt").write_text("".join(written), "utf-8")
    import_paths([tmp_path / "games.txt"], tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    return tmp_path / "db"


def test_relayed_games_are_shown_with_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lists: Lists) -> None:
    moves = " ".join(played(Position.start("37"), 3))
    written = [
        record("one", "Ada", "Ben", "2010.01.01", moves, UTCTime="20:00"),
        record("two", "Ben", "Cy", "2010.01.01", moves, UTCTime="20:30"),
    ]
    (tmp_path / "games.txt").write_text("".join(written), "utf-8")
    import_paths([tmp_path / "games.txt"], tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    app = opened("players.py", about="Relayed games")
    chance = {row["values"][0]: row["values"][1] for row in lists.given["chance of relays"]["rows"]}
    assert chance == {"relayed": "1", "swapped": "0", "elsewhere": "0", "repeated": "0"}
    assert "30 minutes apart" in texts(app)
    assert [len(lists.links(key)) for key in lists.given if key.startswith("relayed boards ")] == [2]
    assert "No games match" in texts(opened("players.py", about="Relayed games", filter="board:61"))


def likenesses(app: AppTest) -> list[str]:
    """Return the badges of the pairs on a page of games to review."""
    words = [words for words, _ in LIKENESSES.values()]
    return [found for element in app.markdown for found in words if f"[{found}]" in element.value.replace("\\", "")]


def test_two_games_are_shown_side_by_side(twice: Path, lists: Lists) -> None:
    assert twice.exists()
    app = opened("players.py", about="Games to review")
    assert likenesses(app) == ["the same moves", "one has the other's moves and more"]
    facts = [key for key in lists.given if key.startswith("facts ")]
    values = {row["values"][0]: row["values"][1:] for row in lists.given[facts[0]]["rows"]}
    assert values["Date"] == ["2010.01.02", "2010.01.01", "differs"]
    assert values["Players"] == ["Ada – Ben", "Ada – Ben", None]
    assert [len(lists.links(key)) for key in lists.given if key.startswith("boards ")] == [2, 2]
    assert "Then the first game ends. The second goes on with" in texts(app).replace("\\", "")
    with open_database(twice) as database:
        known = {row["event"]: row for row in list_games(database, columns=["id", "event", "plies"]).dicts()}
    shown = texts(app).replace("\\", "")
    assert f"keeps {known['one']['id']}, which goes on after ply {known['part']['plies']}." in shown
    assert f"{known['part']['id']} becomes a record of it and no longer counts as a game." in shown


def test_three_games_are_made_one_and_the_merges_are_undone(twice: Path) -> None:
    app = click(opened("players.py", about="Games to review"), "One game")
    assert likenesses(app) == ["one has the other's moves and more"]
    app = click(app, "One game")
    assert likenesses(app) == []
    with open_database(twice) as database:
        assert [len(merged(database).rows), count_games(database)] == [2, 1]
        assert list_games(database, columns=["event"]).rows == [("one",)]
    app.checkbox("decided games").check()
    app = click(ran(app), "Undo")
    assert likenesses(app) == ["one has the other's moves and more"]
    assert len(likenesses(click(app, "Undo"))) == 2


def test_a_pair_of_games_is_put_off_for_all_sessions_and_that_is_undone(twice: Path) -> None:
    click(opened("players.py", about="Games to review"), "Later")
    app = opened("players.py", about="Games to review")
    assert likenesses(app) == ["one has the other's moves and more"]
    app.checkbox("decided games").check()
    app = ran(app)
    assert "Later: " in texts(app).replace("\\", "")
    assert len(likenesses(click(app, "Undo"))) == 2
    assert game_merges.read_pairs(twice) == []


def test_two_games_stay_two_and_that_is_undone(twice: Path) -> None:
    app = click(opened("players.py", about="Games to review"), "Two games")
    assert "the same moves" not in likenesses(app)
    app = opened("players.py", about="Games to review")
    assert "the same moves" not in likenesses(app)
    app.checkbox("decided games").check()
    app = ran(app)
    assert "Two games: " in texts(app).replace("\\", "")
    assert "the same moves" in likenesses(click(app, "Undo"))
    with open_database(twice) as database:
        assert count_games(database) == 3
