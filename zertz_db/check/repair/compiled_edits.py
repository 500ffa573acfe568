"""Replay many edits of a record at once with the compiled rules: see `replay_edits`, which imports this module if they are loaded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from zertz_db.check.repair.replay_edits import Code, End, Place
from zertz_db.check.replay.attempt import Attempt
from zertz_db.rules import compiled
from zertz_db.rules.kernel import ENDING, STATE_SIZE, WINNER
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import KEYS_SIZE
from zertz_db.rules.replay import OUTCOME_SIZE, PLAYED, ROW_SIZE
from zertz_db.rules.start import rules_vector

_FIRST = 4
"""Number of plies replayed first after an edit. Most edits fail by then; only the others are replayed to the end."""


class CompiledEdits:
    """Replays of edits of one record, whose plies are `codes`."""

    def __init__(self, tried: Attempt, codes: Sequence[Code]) -> None:
        self._start = tried.start
        self._codes = codes
        self._states = np.asarray(tried.table, np.int64)[:, :STATE_SIZE]
        """The states before each ply."""

    def replay(self, places: Sequence[Place]) -> list[End]:
        """Return how far each edit is legal."""
        numbers = [(at, begin, until, len(codes)) for at, begin, until, codes in places]
        at, begins, untils, counts = np.array(numbers, np.int64).T.copy()
        store = [*self._codes, *(code for *_, codes in places for code in codes)]
        games = _Games(self._start, store, self._states[at])
        going = games.play(np.arange(len(places)), len(self._codes) + np.cumsum(counts) - counts, counts)
        for most in (_FIRST, len(self._codes)):
            counts = np.minimum(untils - begins, most)
            going = games.play(going, begins[going], counts[going])
            begins += counts
        columns = (at + games.played, games.states[:, ENDING], games.states[:, WINNER])
        return list(zip(*(column.tolist() for column in columns), strict=True))


class _Games:
    """Many games that are played on together, segment by segment, each from its own state, with one store of encoded plies."""

    def __init__(self, start: Position, codes: Sequence[Code], states: Any) -> None:
        self.states = states
        """The last legal state of each game."""
        self.played = np.zeros(len(states), np.int64)
        """Number of legal plies of each game."""
        self._tables = compiled.board_arrays(start.board)
        self._rules = np.array(rules_vector(start.rules, lenient=True), np.int64)
        self._numbers = np.fromiter(chain.from_iterable(codes), np.int64)
        self._sizes = np.fromiter(map(len, codes), np.int64)
        self._begins = np.cumsum(self._sizes) - self._sizes

    def play(self, games: Any, first: Any, counts: Any) -> Any:
        """Play on some games, each by a number of plies of the store from its first on; return the games in which all were legal."""
        plies = _ranges(first, counts)
        sizes = self._sizes[plies]
        firsts = np.append(0, np.cumsum(counts))
        rows = np.empty((len(plies) + len(games), ROW_SIZE), np.int64)
        outcomes = np.zeros((len(games), OUTCOME_SIZE), np.int64)
        compiled.batch_function("replay_games")(
            self._tables,
            np.tile(self._rules, (len(games), 1)),
            self.states[games],
            self._numbers[_ranges(self._begins[plies], sizes)],
            np.append(0, np.cumsum(sizes)),
            firsts,
            np.zeros(KEYS_SIZE, np.int64),
            rows,
            outcomes,
            0,
        )
        played = outcomes[:, PLAYED]
        self.states[games] = rows[np.arange(len(games)) + firsts[:-1] + played, :STATE_SIZE]
        self.played[games] += played
        return games[played == counts]


def _ranges(first: Any, counts: Any) -> Any:
    """Return consecutive numbers from each first one, with the given count for each, one range after the other."""
    return np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)
