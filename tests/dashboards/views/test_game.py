"""The page with a game, run without a browser."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.dashboards import opened_pages
from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import ran, texts, verbatim
from tests.queries.sample import RECORDS, record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.marks import list_marks
from zertz_db.store.open_database import open_database

EVIL = "<script>alert(1)</script> *[x](http://y) $a$ :red[b]"


pytestmark = pytest.mark.usefixtures("read_only")


@pytest.fixture
def ids(sample: Path) -> dict[str, str]:
    return ids_of(sample)


def ids_of(folder: Path) -> dict[str, str]:
    with open_database(folder) as database:
        return dict(list_games(database, columns=["event", "id"]).rows)


opened = partial(opened_pages.opened, "game.py")


@pytest.mark.parametrize("event", ["resigned", "clocks", "large", "blitz", "custom", "contradicted"])
def test_a_game_is_opened_by_the_url(ids: dict[str, str], boards: Boards, event: str) -> None:
    app = opened(id=ids[event])
    assert " – " in app.title[0].value
    assert len(boards.given["frames"]) == len(boards.given["moves"]) + 1
    assert boards.given["ply"] == len(boards.given["moves"])


@pytest.mark.parametrize(("ply", "shown"), [("99", 4), ("-1", 4), ("x", 4), ("9" * 5000, 4), ("0", 0), ("2", 2)])
def test_the_ply_in_the_url_is_shown_and_where_it_is_none_the_end(
    ids: dict[str, str], boards: Boards, ply: str, shown: int
) -> None:
    app = opened(id=ids["resigned"], ply=ply)
    assert boards.given["ply"] == shown
    assert app.query_params["ply"] == [str(shown)] or app.query_params["ply"] == str(shown)


@pytest.mark.parametrize(("event", "end"), [("resigned", "Player 1 resigns."), ("blitz", "Player "), ("clocks", None)])
def test_the_list_of_moves_ends_with_what_ended_the_game(
    ids: dict[str, str], boards: Boards, event: str, end: str | None
) -> None:
    opened(id=ids[event])
    said = boards.given["end"]
    assert said is None if end is None else said.startswith(end)


@pytest.mark.parametrize(
    ("event", "ply", "said"),
    [
        ("resigned", "0", "1,944 placements (648 white, 648 grey, 648 black)."),
        ("resigned", "2", "Player 1 must capture: d3 can jump over white on d4 to d5"),
        ("blitz", "999", "The game is over: player "),
    ],
)
def test_what_can_be_played_follows_the_ply(ids: dict[str, str], event: str, ply: str, said: str) -> None:
    app = opened(id=ids[event], ply=ply, about="What can be played")
    assert any(said in text.value.replace("\\", "") for text in app.markdown)
    assert any("player" in table.value.columns for table in app.dataframe)


def test_clocks_stand_with_their_moves(ids: dict[str, str], boards: Boards) -> None:
    opened(id=ids["clocks"])
    assert [move["clock"] for move in boards.given["moves"]] == ["0:01:02", "1:00:00"]


def test_what_was_played_follows_the_ply_and_its_rows_step_or_lead_on(
    ids: dict[str, str], boards: Boards, lists: Lists
) -> None:
    app = opened(id=ids["resigned"], ply="2")
    rows = {row["values"][0]: row for row in lists.given["played here"]["rows"]}
    assert "Openings from here" in [link.proto.label for link in app.get("page_link")]
    own = rows["x d3Wd5"]
    assert (own["key"], own["href"], own["values"][-1]) == ("3", None, "this game")
    lists.clicks["played here"] = {"row": "3"}
    ran(app)
    assert boards.given["ply"] == 3
    for move, row in rows.items():
        assert (
            row is own
            or (row["href"] or "").startswith("openings?board=37&rules=standard&moves=Wd4%2Cd1+Bd3%2Ca1+")
            or move is None
        )


def test_a_symmetric_move_is_the_move_of_this_game(ids: dict[str, str], lists: Lists) -> None:
    opened(id=ids["resigned"], ply="0")
    marked = [row for row in lists.given["played here"]["rows"] if "this game" in row["values"]]
    assert [row["key"] for row in marked] == ["1"]


def test_the_position_elsewhere_is_a_list_of_links(ids: dict[str, str], boards: Boards, lists: Lists) -> None:
    app = opened(id=ids["resigned"], ply="2", about="This position elsewhere")
    assert "other game" in app.caption[-1].value
    assert all(link.startswith("game?id=") and link.endswith("&ply=2") for link in lists.links("position elsewhere"))
    assert ids["resigned"] not in lists.keys("position elsewhere")
    boards.answers = {"ply": {"ply": 4, "at": 1}}
    ran(app)
    assert any("No other game has this position" in text.value for text in app.markdown)


def test_findings_tags_and_sightings_of_a_game(ids: dict[str, str], lists: Lists) -> None:
    app = opened(id=ids["resigned"])
    app.session_state["about"] = "Source"
    ran(app)
    assert not app.dataframe
    assert "Annotator" in lists.column("tags", "Tag")
    assert len(lists.links("places")) == 2
    assert all(link.startswith("games?filter=source%3A") for link in lists.links("places"))
    assert '[Annotator "Cy"]' in verbatim(app)[0]
    app.session_state["about"] = "Findings"
    assert "No findings about its records." in texts(ran(app))
    app = opened(id=ids["contradicted"])
    app.session_state["about"] = "Findings"
    ran(app)
    assert app.dataframe[0].value["code"].tolist() == ["W401"]


def test_facts_lead_to_the_games_that_share_them(ids: dict[str, str]) -> None:
    app = opened(id=ids["resigned"])
    [facts] = [text.value for text in app.caption if "board 37" in text.value]
    for part in (
        "(games?filter=event%3Aresigned)",
        "(games?filter=board%3A37)",
        "(games?filter=rules%3Astandard)",
        "(openings?board=37&rules=standard&moves=Wd4%2Cd1)",
    ):
        assert part in facts


@pytest.mark.parametrize(
    "query", [{}, {"from": "games", "filter": "board:48"}, {"from": "games", "filter": "bord:"}, {"from": "x"}]
)
def test_a_game_that_is_in_no_list_has_no_steps(ids: dict[str, str], query: dict[str, str]) -> None:
    app = opened(id=ids["resigned"], **query)
    assert "Next game" not in [link.proto.label for link in app.get("page_link")]


def test_a_game_opens_whose_winning_move_leaves_out_the_ring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, boards: Boards
) -> None:
    file = tmp_path / "games.txt"
    start = "37 standard o.oo/..ooo/oooooo/ooooooo/oooooo/ooBoo/oooo 3/8/9 3/0/0 0/0/0 1"
    file.write_text(f'[Event "filled"]\n[Result "1-0"]\n[SetUp "1"]\n[Position "{start}"]\n\n1. Wa1 x Wa1 1-0\n')
    import_paths([file], tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    for ply in ("0", "1"):
        opened(id=ids_of(tmp_path / "db")["filled"], ply=ply)
        assert boards.given["moves"][0]["text"] == "Wa1 x Wa1"


def test_who_won_may_be_disputed(ids: dict[str, str]) -> None:
    assert "1/2" in opened(id=ids["contradicted"]).warning[0].value.replace("\\", "")


def test_what_records_say_is_shown_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, boards: Boards) -> None:
    file = tmp_path / "evil.txt"
    moves = "1. Wd4,d1 {<img src=x onerror=alert(2)>} (1. Bd4,d1) Bd3,a1 *"
    file.write_text(record("evil", EVIL, "Ben", "2010.05.01", moves, Board="37"), "utf-8")
    import_paths([file], tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    app = opened(id=ids_of(tmp_path / "db")["evil"])
    assert "\\<script\\>" in app.title[0].value
    assert boards.given["holders"][0]["name"] == EVIL
    notes = [(note["kind"], note["text"]) for note in boards.given["moves"][0]["notes"]]
    assert notes == [("comment", "<img src=x onerror=alert(2)>"), ("variation", "1. Bd4,d1")]


def test_a_game_is_marked_only_where_the_dashboard_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORDS[0], "utf-8")
    import_paths([file], tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    game = ids_of(tmp_path / "db")["resigned"]
    app = opened(id=game, ply="2")
    app.session_state["about"] = "Marks"
    ran(app)
    assert any("--allow-import" in text.value for text in app.caption)
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    ran(app)
    next(text for text in app.text_input if text.label == "Label").set_value("study")
    app.checkbox[0].check()
    next(button for button in app.button if button.label == "Mark it").click()
    ran(app)
    with open_database(tmp_path / "db") as database:
        (made,) = list_marks(database).dicts()
    assert (made["label"], made["game"], made["ply"], made["about"]) == ("study", game, 2, "position")


def test_an_unknown_game_and_none() -> None:
    assert "there is no game" in opened(id="0000000000000").error[0].value
    assert "Choose a game" in opened().info[0].value
