"""The forced win of a position on pages, run without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import opened, ran, texts
from tests.tactics.samples import SAMPLES
from tests.tactics.test_hostile import EMPTY, large_board
from zertz_db.dashboards.sections.forced_win import describe_solution, play_line
from zertz_db.dashboards.state import bounded_work
from zertz_db.queries.games.game_list import list_games
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database
from zertz_db.tactics import solve

CLOSE = "37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1"
START = f"37 standard {EMPTY} 6/8/10 0/0/0 0/0/0 1"
GALLERY = "line of the forced win"


pytestmark = pytest.mark.usefixtures("read_only")


def solved(app: AppTest) -> AppTest:
    app.button("solve position").click()
    return ran(app)


def said(app: AppTest) -> str:
    return texts(app).replace("\\", "")


@pytest.mark.parametrize(
    ("position", "depth", "nodes", "sentence"),
    [
        (CLOSE, 7, 1000, "Player 1 can force a win in 1 ply: 4W against the longest defence."),
        ("custom standard a0:o 1/0/0 0/0/0 0/0/0 1", 7, 1000, "Player 1 can force a win in 1 ply."),
        (SAMPLES[0].position, 7, 1000, "Player 2 can force a win in 3 plies"),
        (START, 3, 1000, "None found within 3 plies (0 positions searched completely)."),
        (SAMPLES[10].position, 7, 5, "None found within 7 plies (6 positions searched, completely to 1 ply)."),
    ],
)
def test_the_answer_is_a_sentence_that_says_what_was_searched(
    position: str, depth: int, nodes: int, sentence: str
) -> None:
    found = solve(position, depth, nodes)
    assert describe_solution(found, play_line(Position.parse(position), found.line)).startswith(sentence)


def test_a_win_is_shown_with_its_boards_and_its_moves_after_a_click(lists: Lists) -> None:
    position, plies, winning = SAMPLES[0]
    app = opened("search.py", what=position, forced="true")
    assert GALLERY not in lists.given
    assert "The first search on a machine takes longer" in said(app)
    app = solved(app)
    found = solve(position, 7, 100_000)
    assert f"Player 2 can force a win in {plies} plies" in said(app)
    cards = lists.given[GALLERY]["cards"]
    assert [card["title"] for card in cards] == [f"{number}. {move}" for number, move in enumerate(found.line, 1)]
    assert [card["lines"] for card in cards] == [["Player 2"], ["Player 1"], ["Player 2"]]
    assert all(link.startswith("find?what=37+blitz") for link in lists.links(GALLERY))
    [table] = [table.value for table in app.dataframe if "class" in table.value.columns]
    assert table["class"].tolist() == list(winning)
    assert GALLERY in lists.given
    assert "can force a win" in said(ran(app))


def test_nothing_found_is_no_proof(lists: Lists) -> None:
    app = opened("search.py", what=START, forced="true")
    app.selectbox("plies to search").set_value(3)
    app = solved(ran(app))
    assert "None found within 3 plies (0 positions searched completely)." in said(app)
    assert "in which each placement of the winner leaves the opponent a capture" in said(app)
    assert GALLERY not in lists.given


def test_a_position_of_a_game_is_solved_where_it_is_shown(sample: Path, boards: Boards) -> None:
    with open_database(sample) as database:
        ids = dict(list_games(database, columns=["event", "id"]).rows)
    app = solved(opened("game.py", id=ids["resigned"], ply="2", about="Forced win"))
    assert "None found within 7 plies" in said(app)
    boards.answers = {"ply": {"ply": 1, "at": 1}}
    app = ran(app)
    assert "None found" not in said(app)
    assert "It searches up to 100,000 positions" in said(app)
    boards.answers = {"ply": {"ply": 2, "at": 2}}
    assert "None found within 7 plies" in said(ran(app))  # known from before
    app = opened("game.py", id=ids["blitz"], about="Forced win")
    assert "It can't be solved: the game is over" in said(app)
    assert not [button for button in app.button if button.key == "solve position"]


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        (START.replace("standard", "standard+written"), "It can't be solved: written claims can't be searched"),
        (f"37 standard {EMPTY.replace('o', 'W')} 99/99/99 0/0/0 0/0/0 1", "It can't be solved: the position has 136"),
    ],
)
def test_what_can_not_be_solved_is_a_sentence(position: str, sentence: str) -> None:
    assert sentence in said(opened("search.py", what=position, forced="true"))


def test_a_crowded_large_board_is_answered_and_the_limit_is_stated() -> None:
    layout = large_board(lambda ring: "WGBoBGW"[ring % 7])
    app = solved(opened("search.py", what=f"custom standard {layout} 6/8/10 0/0/0 0/0/0 1", forced="true"))
    assert "None found within 7 plies (1,0" in said(app) or "can force a win" in said(app)


def test_a_search_past_its_time_is_ended_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_work, "MAX_SECONDS", -1)
    monkeypatch.setattr(bounded_work, "POLL_SECONDS", 0)
    # One that has worked before may answer before it is asked for its time; a new process needs a while to begin.
    monkeypatch.setattr(bounded_work, "_get_worker", bounded_work._start)
    app = opened("search.py", what=SAMPLES[0].position, forced="true")
    app.button("solve position").click()
    app.run()
    assert "longer than the limit of -1 s. Try fewer plies" in app.error[0].value.replace("\\", "")


def test_a_pattern_is_not_solved() -> None:
    assert not [box for box in opened("search.py", what="d4:W").checkbox if box.key == "forced"]


def test_a_proof_replaces_the_estimate_on_the_analysis_board() -> None:
    position = next(position for position, plies, _ in SAMPLES if plies == 7)  # the estimate alone finds shorter wins
    app = opened("analysis.py", start=position, about="Forced win")
    assert "wins by force" not in said(app)
    assert f"player {Position.parse(position).side} wins by force" in said(solved(app))
