"""Canonical official notation of games in arrays, by the compiled functions of `notation_kernel`."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zertz_db.check.replay.notation_kernel import CLAIM_BYTES, NAME_SIZE, NUMBER_BYTES
from zertz_db.check.replay.replay_arrays import GameArrays
from zertz_db.rules import compiled
from zertz_db.rules.board import Board, for_each_board
from zertz_db.rules.kernel import CLAIMED


class WrittenGames(NamedTuple):
    """moves: the plies of all games as ASCII; ply p is moves[ends[p]:ends[p+1]]. bare: the plies of each game without claims, separated by
    spaces; game g is bare[bare_ends[g]:bare_ends[g+1]].
    """

    moves: Any
    ends: Any
    bare: Any
    bare_ends: Any


@cache
def _writer() -> Any:
    called = frozenset({"write_ring", "write_capture", "write_claim"})
    return compiled.batch_function("write_games", "zertz_db.check.replay", ("notation_kernel",), called)


@for_each_board
def _names(board: Board) -> Any:
    """Return the names of a board's rings, NAME_SIZE bytes each, as the kernel reads them."""
    names = np.zeros(NAME_SIZE * len(board.rings), np.int64)
    for number, ring in enumerate(board.rings):
        begin = NAME_SIZE * number
        names[begin] = len(ring)
        names[begin + 1 : begin + 1 + len(ring)] = list(ring.encode("ascii"))
    return names


def write_games(board: Board, games: GameArrays, rows: Any, is_wanted: Any) -> WrittenGames:
    """Write the plies of the wanted games, which are legal and have no passes, in the kernel's form; rows: those of their replay.

    is_wanted: for each game. The plies of others are empty.
    """
    plies = len(games.begins) - 1
    size = NUMBER_BYTES * len(games.numbers)
    ends, bare_ends = np.empty(plies + 1, np.int64), np.empty(len(games.firsts), np.int64)
    moves = np.empty(size + CLAIM_BYTES * int(np.count_nonzero(rows[:, CLAIMED])), np.uint8)
    bare = np.empty(size, np.uint8)
    _writer()(
        compiled.board_arrays(board),
        _names(board),
        games.numbers,
        games.begins,
        games.firsts,
        rows,
        is_wanted,
        moves,
        ends,
        bare,
        bare_ends,
    )
    return WrittenGames(moves[: ends[-1]], ends, bare[: bare_ends[-1]], bare_ends)
