"""The data of the board's component."""

from __future__ import annotations

import json

import pytest
import streamlit as st

from tests.dashboards.conftest import Boards
from zertz_db.dashboards.components import board
from zertz_db.dashboards.components.board_frames import Continuation
from zertz_db.rules.position import Position

START = Position.start("37")
AFTER = START.play("Wd4,d1").play("Bd3,a1")


@pytest.mark.parametrize(
    ("moves", "clicks"),
    [
        (["Wd4,d1", "Wd4,a1"], {"W": {"d4": {"d1": {"": "Wd4,d1"}, "a1": {"": "Wd4,a1"}}}}),
        (["Bd4"], {"B": {"d4": {"": "Bd4"}}}),
        (["x d3Wd5", "x d4Bd2Gf2"], {"d3": {"d5": {"": "x d3Wd5"}}, "d4": {"d2": {"f2": {"": "x d4Bd2Gf2"}}}}),
        (["x d4Bd2", "x d4Bd2Gf2"], {"d4": {"d2": {"": "x d4Bd2", "f2": {"": "x d4Bd2Gf2"}}}}),
        ([], {}),
    ],
)
def test_moves_as_clicks(moves: list[str], clicks: board.ClickTree) -> None:
    assert board.build_click_tree(moves) == clicks


@pytest.mark.parametrize("position", [START, AFTER, Position.start("61")])
def test_every_legal_move_can_be_clicked_and_no_other(position: Position) -> None:
    def leaves(node: board.ClickTree) -> list[str]:
        return [move for key, below in node.items() for move in ([below] if key == "" else leaves(below))]

    assert sorted(leaves(board.build_click_tree(position.legal_moves()))) == sorted(map(str, position.legal_moves()))


def test_a_position_as_the_browser_gets_it(boards: Boards) -> None:
    board.show_choices(AFTER, AFTER.legal_moves(), "Bd3,a1", key="shown", on_move=print)
    (frame,) = boards.given["frames"]
    held = dict(zip(boards.given["board"]["points"], frame["held"], strict=True))
    assert {ring: sign for ring, sign in held.items() if sign != "o"} == {"d4": "W", "d3": "B", "a1": ".", "d1": "."}
    assert frame["counts"] == {"1": (0, 0, 0), "2": (0, 0, 0), "pool": (5, 8, 9)}
    assert frame["words"] == "White on d4; Black on d3; 35 rings."
    assert (frame["summary"], frame["turn"]) == ("Black on d3, ring a1 removed.", "Player 1 must capture.")
    assert json.loads(json.dumps(boards.given))["frames"][0]["held"] == frame["held"]


def test_a_replay_steps_where_the_browser_says_until_the_page_is_asked_for_another_ply(boards: Boards) -> None:
    positions = [START, START.play("Wd4,d1"), AFTER]
    lines = [board.Line(1, "Wd4,d1", clock="0:01:02", notes=[("comment", "<b>")]), board.Line(2, "Bd3,a1")]

    def shown(ply: int) -> int:
        return board.show_replay(positions, lines, key="replay", ply=ply, end="Player 1 resigns.")

    assert shown(1) == 1
    boards.answers = {"ply": {"ply": 2, "at": 1}}
    assert shown(1) == 2
    boards.answers = {"ply": {"ply": 2, "at": 1}}
    assert shown(0) == 0
    boards.answers = {"ply": {"ply": 2, "at": 2}}
    assert shown(0) == 2
    assert boards.given["frames"][1]["clocks"] == {"1": "0:01:02", "2": None}
    assert boards.given["frames"][-1]["turn"] == "Player 1 resigns."
    assert boards.given["moves"][0]["notes"] == [{"kind": "comment", "text": "<b>"}]
    st.session_state.clear()


def test_what_is_chosen_or_painted_is_told_to_who_asked(boards: Boards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "rerun", lambda: None)
    chosen: list[str] = []
    boards.answers = {"move": "x d3Wd5"}
    board.show_choices(AFTER, AFTER.legal_moves(), key="choose", on_move=chosen.append)
    assert set(boards.given["choices"]) == {"d3", "d4"}
    boards.answers = {"held": "W" * 37}
    board.show_paintable(START.board, "o" * 37, key="paint", on_paint=chosen.append)
    assert chosen == ["x d3Wd5", "W" * 37]


@pytest.mark.parametrize(
    ("captures", "said"),
    [("0/0/0", "4 short of 4W"), ("0/3/0", "2 short of 5G"), ("2/2/2", "2 short of 4W"), ("0/0/5", "1 short of 6B")],
)
def test_how_far_the_nearest_winning_set_is(boards: Boards, captures: str, said: str) -> None:
    position = Position.parse(f"37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 3/3/3 {captures} 0/0/0 1")
    board.show_choices(position, [], key="s", on_move=print)
    assert boards.given["frames"][0]["needs"]["1"] == said


def test_a_line_shows_each_ply_before_it_is_played_and_says_who_has_won(boards: Boards) -> None:
    position = Position.parse("37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1")
    line = Continuation(["x d3Wd5"], "Forced win in 1")
    board.show_choices(position, position.legal_moves(), key="line", on_move=print, continuation=line)
    given = boards.given["line"]
    assert [given[name] for name in ("title", "ply", "open", "plies")] == [
        "Forced win in 1",
        0,
        True,
        [{"mover": 1, "text": "x d3Wd5"}],
    ]
    before, after = given["frames"]
    assert before["next"] == "Capture from d3 to d5, taking white."
    assert '"#zertz-only-W"' in before["ghost"]
    assert "ghost" not in after
    assert after["turn"] == "Player 1 has 4W."
    racks = {holder["key"]: holder["rack"] for holder in boards.given["holders"]}
    assert 'data-colour="W" data-number="4"' in racks["1"]


def test_a_rack_has_a_slot_for_each_marble_that_a_line_captures(boards: Boards) -> None:
    position = Position.parse("37 standard ..../...../....../ooWWoWo/....../...../.... 0/8/10 3/0/0 0/0/0 1")
    line = Continuation(["x d3Wd5Wd7"])
    board.show_choices(position, position.legal_moves(), key="line", on_move=print, continuation=line)
    racks = {holder["key"]: holder["rack"] for holder in boards.given["holders"]}
    assert 'data-colour="W" data-number="5"' in racks["1"]


def test_a_line_starts_at_a_ply_of_a_game(boards: Boards) -> None:
    positions = [START, START.play("Wd4,d1")]
    lines = [board.Line(1, "Wd4,d1")]
    board.show_replay(
        positions, lines, key="r", ply=0, continuation=Continuation(["Gd4,a1", "Bd3,d1"], ply=0, is_open=False)
    )
    assert [frame["summary"] for frame in boards.given["line"]["frames"]] == [
        "The start.",
        "Grey on d4, ring a1 removed.",
        "Black on d3, ring d1 removed.",
    ]
    assert (boards.given["line"]["ply"], boards.given["line"]["open"]) == (0, False)
    board.show_replay(positions, lines, key="r", ply=0, continuation=Continuation([]))
    assert boards.given["line"] is None
