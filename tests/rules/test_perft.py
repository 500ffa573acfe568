"""Counts of moves and games against the figures of rules.md, section 8."""

from types import SimpleNamespace

import numpy as np
import pytest

from zertz_db.rules import perft
from zertz_db.rules.compiled import arrays
from zertz_db.rules.kernel import PLACEMENT_SIZE, count_moves
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import KEYS_SIZE, least_move_code, start_keys
from zertz_db.rules.start import rules_vector

FIRST_MOVES = [  # board, moves, moves up to symmetry
    ("37", 1_944, 171),
    ("40", 2_223, 1_116),
    ("43", 2_520, 1_260),
    ("44", 2_580, 660),
    ("48", 2_961, 498),
    ("61", 4_320, 378),
]


def count(position: Position, depth: int) -> int:
    return perft.perft(position.board.tables, rules_vector(position.rules), position.state, depth, -1)


@pytest.mark.parametrize(("name", "moves", "distinct"), FIRST_MOVES)
def test_first_moves(name: str, moves: int, distinct: int) -> None:
    start = Position.start(name)
    tables = start.board.tables
    legal = start.legal_moves()
    assert count_moves(tables, start.state) == count(start, 1) == len(legal) == len(set(legal)) == moves
    keys = [0] * KEYS_SIZE
    start_keys(tables, keys, start.state)
    assert len({least_move_code(tables, keys, start.encode(move), 0, PLACEMENT_SIZE) for move in legal}) == distinct


def count_compiled(name: str, depth: int, compiled: SimpleNamespace) -> int:
    start = Position.start(name)
    rules, state = (np.array(vector, np.int64) for vector in (rules_vector(start.rules), start.state))
    games: int = compiled.perft(arrays(start.board.tables), rules, state, depth, -1)
    return games


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("37", 3_277_260),
        pytest.param("48", 7_824_600, marks=pytest.mark.long),
        pytest.param("61", 17_000_496, marks=pytest.mark.long),
    ],
)
def test_second_moves(name: str, games: int, compiled: SimpleNamespace) -> None:
    assert count_compiled(name, 2, compiled) == games


@pytest.mark.parametrize(
    "text",
    [
        "custom standard a-1:oo/b-2:ooo/c-1:oo 1/1/0 0/0/0 0/0/0 1",
        "custom standard a-4:oBWGo/b1:GW/c2:o 1/0/0 0/0/0 0/0/0 1",  # chains at the start
        "custom standard a0:oBWo/b1:o 0/0/0 1/0/0 0/0/0 2",  # the captures decide who can place
        "custom standard a0:ooo 0/0/0 0/0/0 1/0/0 1",  # a pass at the start
        "custom standard a0:WG 0/0/1 0/0/0 0/0/0 1",  # two passes and no more
    ],
)
def test_games_counted_are_games_played(text: str) -> None:
    def played(position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(played(position.play(move), depth - 1) for move in position.legal_moves())

    position = Position.parse(text)
    assert [count(position, depth) for depth in range(5)] == [played(position, depth) for depth in range(5)]


@pytest.mark.perft
@pytest.mark.parametrize(("name", "games"), [("37", 4_114_538_424), ("48", 16_426_650_636), ("61", 55_631_803_536)])
def test_third_moves(name: str, games: int, compiled: SimpleNamespace) -> None:
    assert count_compiled(name, 3, compiled) == games
