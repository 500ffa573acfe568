"""Replay games of one start whose plies are packed in arrays: for verdicts on thousands of games, and for the rows of their positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zertz_db.check.replay.repetition import find_repetitions
from zertz_db.check.replay.replay_many import ring_numbers, standing_still
from zertz_db.rules import compiled
from zertz_db.rules.kernel import FINE
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import KEYS_SIZE
from zertz_db.rules.replay import OUTCOME_SIZE, REFUSAL, ROW_SIZE
from zertz_db.rules.start import rules_vector


class GameArrays(NamedTuple):
    """Games as packed plies (`zertz_db.parser.packed_plies`), int64: ply p is numbers[begins[p]:begins[p+1]]; game g has the plies
    firsts[g] to firsts[g+1]-1. claims: int64, (marbles, 3): the ply, colour and ring of each marble that a text claims; None if none does.
    """

    numbers: Any
    begins: Any
    firsts: Any
    claims: Any = None

    def take(self, games: Any) -> GameArrays:
        """Return some of the games, by ascending indices."""
        counts = (self.firsts[1:] - self.firsts[:-1])[games]
        firsts = np.concatenate(([0], np.cumsum(counts)))
        plies = np.repeat(self.firsts[games] - firsts[:-1], counts) + np.arange(firsts[-1])
        sizes = (self.begins[1:] - self.begins[:-1])[plies]
        begins = np.concatenate(([0], np.cumsum(sizes)))
        numbers = np.repeat(self.begins[plies] - begins[:-1], sizes) + np.arange(begins[-1])
        return GameArrays(self.numbers[numbers], begins, firsts, self._take_claims(games, firsts))

    def _take_claims(self, games: Any, firsts: Any) -> Any:
        """Return the claims of some games, with the numbers of their plies among those games, which begin at `firsts`."""
        if self.claims is None:
            return None
        places = np.full(len(self.firsts) - 1, -1)
        places[games] = np.arange(len(games))
        owners = np.searchsorted(self.firsts, self.claims[:, 0], "right") - 1
        claims = self.claims[places[owners] >= 0]
        owners = owners[places[owners] >= 0]
        claims[:, 0] += firsts[places[owners]] - self.firsts[owners]
        return claims


class Replays(NamedTuple):
    """Results of replays. is_legal: every ply is legal, and no turns repeat. states: the last ones, int64, (games, STATE_SIZE).

    games: the games in the kernel's form. rows: int64, (plies + games, ROW_SIZE), a row for each position as `zertz_db.rules.replay`
    defines them; those of game g begin at firsts[g] + g. Rows after an illegal ply mean nothing.
    """

    is_legal: Any
    states: Any
    games: GameArrays
    rows: Any


def replay_games_of(replay_games: Callable[..., Any], start: Position, games: GameArrays, full: bool) -> Replays:
    """Replay games from a start with `replay.replay_games`, compiled. A game that names a ring which the board never had is not legal.

    full: the rows have keys and counts of legal moves, not states alone.
    """
    count = len(games.firsts) - 1
    numbers, misses = ring_numbers(start.board, games.numbers)
    is_legal = np.ones(count, bool)
    is_legal[np.searchsorted(games.begins[games.firsts[1:]], misses, "right")] = False
    numbers[misses] = 0  # any ring, in a game that is not legal
    if games.claims is not None:
        _write_claims(start, games, numbers, is_legal)
    states = np.tile(np.array(start.state, np.int64), (count, 1))
    outcomes = np.zeros((count, OUTCOME_SIZE), np.int64)
    rows = np.empty((games.firsts[-1] + count, ROW_SIZE), np.int64)
    replay_games(
        compiled.board_arrays(start.board),
        np.tile(np.array(rules_vector(start.rules, lenient=True), np.int64), (count, 1)),
        states,
        numbers,
        games.begins,
        games.firsts,
        np.zeros(KEYS_SIZE, np.int64),
        rows,
        outcomes,
        int(full),
    )
    is_legal &= outcomes[:, REFUSAL] == FINE
    for game in standing_still(numbers, games.begins, games.firsts):
        begins = games.begins[games.firsts[game] : games.firsts[game + 1] + 1]
        code = numbers[begins[0] : begins[-1]].tolist()
        is_legal[game] &= not find_repetitions(code, (begins - begins[0]).tolist())
    return Replays(is_legal, states, GameArrays(numbers, games.begins, games.firsts), rows)


def _write_claims(start: Position, games: GameArrays, numbers: Any, is_legal: Any) -> None:
    """Write claims to the plies in the kernel's form. A game that claims a ring which the board never had is not legal."""
    plies, colours, named = games.claims.T
    rings, misses = ring_numbers(start.board, named)
    is_legal[np.searchsorted(games.firsts, plies[misses], "right") - 1] = False
    rings[misses] = 0
    places = games.begins[plies] + _CLAIM
    numbers[places] = 1
    np.bitwise_or.at(numbers, places + 1 + colours, np.int64(1) << rings)


_CLAIM = 5
"""The place in a placement where a 1 stands for a claim; a set of rings for each colour follows."""
