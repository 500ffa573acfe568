"""The engine as a program of the protocol."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.engine.matches.protocol_server import serve_protocol
from zertz_db.engine.matches.protocol_words import Limits, read_go, read_position_line, write_go, write_position
from zertz_db.engine.strengths import EASY
from zertz_db.rules.position import Position

WIN = "37 standard ..../...../....../.oWW.../....../...../.... 6/8/10 3/0/0 0/0/0 1"


def answers(*lines: str) -> list[str]:
    found: list[str] = []
    serve_protocol(lines, found.append, EASY)
    return found


@pytest.mark.parametrize(
    ("lines", "last"),
    [
        (("hello 1",), "ready"),
        ((f"position {WIN}", "go seconds 1"), "bestmove x d4Wd2"),
        ((f"position {WIN}", "go"), "bestmove x d4Wd2"),
        ((f"position {WIN}", "go seconds nan nodes x seed"), "bestmove x d4Wd2"),
        ((f"position {WIN}", f"go nodes {'9' * 5000}"), "bestmove x d4Wd2"),
        (
            ("position nowhere",),
            "error a position is written BOARD RULES LAYOUT POOL CAPTURES1 CAPTURES2 SIDE [PASSES]",
        ),
        ((f"position {WIN} moves x d4Wd2", "go"), "error the game is over: there is no move to choose"),
        (
            (f"position {WIN} moves Wd4,d1",),
            "error move 1: Wd4,d1 is not legal here: a capture is possible and so compulsory",
        ),
        (("newgame 99 standard",), "error no standard board is called '99'; there are 37, 40, 43, 44, 48, 61"),
    ],
)
def test_lines_have_answers(lines: tuple[str, ...], last: str) -> None:
    assert answers(*lines)[-1] == last


def test_unknown_lines_and_lines_after_quit_are_ignored() -> None:
    assert answers("", "what is this", "quit", "hello 1") == []


def test_equal_seeds_and_nodes_give_equal_answers() -> None:
    asked = "newgame 48 blitz", "go seconds 60 nodes 2000 seed 7"
    assert answers(*asked) == answers(*asked)
    assert answers(*asked)[-1].startswith("bestmove ")


def test_a_position_is_read_as_it_is_said() -> None:
    start = Position.start("37").play("Wd4,d1")
    moves = ("Bd3,a1", "x d3Wd5")
    line = write_position(start, moves).removeprefix("position ")
    assert read_position_line(line) == start.play(moves[0]).play(moves[1])


@given(st.floats(0.01, 1000), st.none() | st.integers(1, 10**9), st.from_regex(r"[a-z0-9/]+", fullmatch=True))
def test_limits_are_read_as_they_are_said(seconds: float, nodes: int | None, seed: str) -> None:
    rounded = float(f"{seconds:g}")
    assert read_go(write_go(rounded, nodes, seed).removeprefix("go ")) == Limits(rounded, nodes, seed)
