"""Generate random games with compiled code: `random_kernel` together with the rules that it calls."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zertz_db.play import random_kernel
from zertz_db.play.seeded_random import Dice
from zertz_db.rules import compiled
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board
from zertz_db.rules.position import Position
from zertz_db.rules.start import rules_vector

_INITIAL_NUMBERS = 300
"""Numbers drawn in advance for a game: enough for most games on the common boards."""
_INITIAL_PLIES = 400
_INITIAL_CODE = 12 * _INITIAL_PLIES


class GameMoves(NamedTuple):
    """A game's plies as the kernel reads them, each with its claimed white, grey and black marbles; and the final state."""

    plies: list[tuple[list[int], list[int]]]
    state: list[int]


def is_available(board: Board) -> bool:
    """Return whether this machine can play compiled games on this board."""
    if len(board.rings) > LARGEST_COMPILED_BOARD:
        return False
    try:
        _compile_random_game()
    except compiled.CompilerMissing:
        return False
    return True


def random_game(start: Position, longest: int, dice: Dice) -> GameMoves:
    """Return a game of two random players from `start` with these dice. It stops after `longest` plies."""
    tables, rules = compiled.board_arrays(start.board), np.array(rules_vector(start.rules), np.int64)
    begin, count = dice.used[0], _INITIAL_NUMBERS
    code, begins, claims = (np.zeros(size, np.int64) for size in (_INITIAL_CODE, _INITIAL_PLIES, 3 * _INITIAL_PLIES))
    move = np.zeros(random_kernel.get_max_move_length(start.board.tables), np.int64)
    while True:
        dice.draw_ahead(count)
        state, used = np.array(start.state, np.int64), np.array([begin], np.int64)
        numbers = np.array(dice.numbers, np.float64)
        plies = _compile_random_game()(tables, rules, state, longest, numbers, used, move, code, begins, claims)
        if plies != random_kernel.BUFFER_FULL:
            break
        count *= 2
    dice.used[0] = int(used[0])
    edges, written = begins[: plies + 1].tolist(), code[: begins[plies]].tolist()
    claimed = claims[: 3 * plies].tolist()
    moves = [(written[edges[ply] : edges[ply + 1]], claimed[3 * ply : 3 * ply + 3]) for ply in range(plies)]
    return GameMoves(moves, state.tolist())


def _compile_random_game() -> Any:
    """Return `random_kernel.random_game`, compiled. Raises CompilerMissing."""
    return compiled.functions_with("zertz_db.play", ("random_kernel",)).random_game
