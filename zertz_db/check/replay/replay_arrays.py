"""Replay games of one start whose plies are packed in arrays: for verdicts on thousands of games, and for the rows of their positions."""

from __future__ import annotations

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
    """Games as packed plies (`parser.packed_plies`), int64: ply p is numbers[begins[p]:begins[p+1]]; game g has the plies
    firsts[g] to firsts[g+1]-1.
    """

    numbers: Any
    begins: Any
    firsts: Any

    def take(self, games: Any) -> GameArrays:
        """Return some of the games, by ascending indices."""
        counts = (self.firsts[1:] - self.firsts[:-1])[games]
        firsts = np.concatenate(([0], np.cumsum(counts)))
        plies = np.repeat(self.firsts[games] - firsts[:-1], counts) + np.arange(firsts[-1])
        sizes = (self.begins[1:] - self.begins[:-1])[plies]
        begins = np.concatenate(([0], np.cumsum(sizes)))
        numbers = np.repeat(self.begins[plies] - begins[:-1], sizes) + np.arange(begins[-1])
        return GameArrays(self.numbers[numbers], begins, firsts)


class Replays(NamedTuple):
    """Results of replays. is_legal: every ply is legal, and no turns repeat. states: the last ones, int64, (games, STATE_SIZE).

    games: the games in the kernel's form. rows: int64, (plies + games, ROW_SIZE), a row for each position as `zertz_db.rules.replay`
    defines them; those of game g begin at firsts[g] + g. Rows after an illegal ply mean nothing.
    """

    is_legal: Any
    states: Any
    games: GameArrays
    rows: Any


def replay_games_of(rules: Any, start: Position, games: GameArrays, full: bool) -> Replays:
    """Replay games from a start with the compiled rules. A game that names a ring which the board never had is not legal.

    full: the rows have keys and counts of legal moves, not states alone.
    """
    count = len(games.firsts) - 1
    numbers, misses = ring_numbers(start.board, games.numbers)
    is_legal = np.ones(count, bool)
    is_legal[np.searchsorted(games.begins[games.firsts[1:]], misses, "right")] = False
    numbers[misses] = 0  # any ring, in a game that is not legal
    states = np.tile(np.array(start.state, np.int64), (count, 1))
    outcomes = np.zeros((count, OUTCOME_SIZE), np.int64)
    rows = np.empty((games.firsts[-1] + count, ROW_SIZE), np.int64)
    rules.replay_games(
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
