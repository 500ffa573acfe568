"""Sum up the course of replayed games: the columns of `_game` that `store.loading.game_courses` describes, from whole arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from zertz_db.rules.kernel import CAPTURED, SIDE
from zertz_db.rules.position_keys import NO_MOVE_CODE
from zertz_db.rules.replay import CAPTURE_DUE, NEXT_MOVE
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.store.loading.game_courses import HELD, MAX_PLIES, TENTHS, lacking

_COUNTED = 8
"""Captures of a colour are counted up to 7: no set needs more than 6."""


class Turns(NamedTuple):
    """The turns of games, one game after the other.

    captures: whether each is a capture, bool. clocks: int64, -1 for none.
    """

    captures: Any
    clocks: Any


def build_course_columns(rows: Any, lengths: Any, rules: Sequence[RuleSet], turns: Turns) -> dict[str, Any]:
    """Return the columns of games by name: arrays with a value a game.

    rows: int64, (positions, ROW_SIZE), those of a game together. lengths: each game's number of rows, int64. rules: those of each game.
    """
    games = _Games(lengths)
    captured = np.ascontiguousarray(rows[:, CAPTURED : CAPTURED + 6].T)
    return {
        **_find_first_moves(rows, games),
        **_count_leads(captured, rules, games),
        **_count_turns(rows, turns, games),
        **_sum_held(captured, games),
    }


class _Games:
    """The places of games in arrays of positions, and in those of plies."""

    def __init__(self, lengths: Any) -> None:
        self.count, self.lengths, self.plies = len(lengths), lengths, lengths - 1
        self.firsts = np.cumsum(lengths) - lengths
        self.of_position = np.repeat(np.arange(self.count), lengths)
        self.ply = np.arange(len(self.of_position)) - self.firsts[self.of_position]
        self.before = np.flatnonzero(self.ply < self.plies[self.of_position])
        """The positions before each ply."""
        self.of_ply = self.of_position[self.before]

    def tally(self, games: Any) -> Any:
        """Return the number of times that each game is named."""
        return np.bincount(games, minlength=self.count)


def _find_first_moves(rows: Any, games: _Games) -> dict[str, Any]:
    moves = rows[games.firsts, NEXT_MOVE]
    return {"first_move": pa.array(moves, mask=moves == NO_MOVE_CODE)}


def _count_leads(captured: Any, rules: Sequence[RuleSet], games: _Games) -> dict[str, Any]:
    objects = {id(one): one for one in rules}  # a hash of a rule set's values takes 1 µs
    names = [*dict.fromkeys(objects.values())]
    tables = np.concatenate([_list_lacking(one) for one in names]) if names else np.empty(0, np.int8)
    numbers = {one: number for number, one in enumerate(names)}
    begins = {key: numbers[one] * _COUNTED**3 for key, one in objects.items()}
    offset = np.array([begins[id(one)] for one in rules], np.int64)[games.of_position] if names[1:] else 0
    lacks = [tables[offset + _index(captured[first : first + 3])] for first in (0, 3)]
    leader = np.sign(lacks[1] - lacks[0])
    leads = np.flatnonzero(leader)
    game, player = games.of_position[leads], leader[leads]
    has_changed = (player[1:] != player[:-1]) & (game[1:] == game[:-1])
    half = leader[games.firsts + games.plies // 2]
    found = {
        "lead_changes": games.tally(game[1:][has_changed]),
        "led1": games.tally(game[player > 0]),
        "led2": games.tally(game[player < 0]),
        "led_half": np.where(half < 0, 2, half),
    }
    is_long = games.plies > MAX_PLIES
    return {name: pa.array(np.where(is_long, 0, values), mask=is_long) for name, values in found.items()}


def _index(captured: Any) -> Any:
    white, grey, black = np.minimum(captured, _COUNTED - 1)
    return (white * _COUNTED + grey) * _COUNTED + black


@cache
def _list_lacking(rules: RuleSet) -> Any:
    """Return what the nearest set lacks with captures, by `_index` of them: int8."""
    return np.array([lacking(rules, captured) for captured in product(range(_COUNTED), repeat=3)], np.int8)


def _count_turns(rows: Any, turns: Turns, games: _Games) -> dict[str, Any]:
    mover = rows[games.before, SIDE]
    sacrifices = rows[games.before + 1, CAPTURE_DUE] != 0
    columns: dict[str, Any] = {}
    clock_time, is_clocked, is_rising = np.zeros(games.count, np.int64), games.plies > 0, True
    for player in (0, 1):
        own = np.flatnonzero(mover == player)
        game, ply = games.of_ply[own], games.ply[games.before[own]]
        columns[f"sacrifices{player + 1}"] = games.tally(game[sacrifices[own]])
        is_other = ~turns.captures[own]
        last = np.full(games.count, -1)
        last[game[is_other]] = ply[is_other]
        columns[f"last_captures{player + 1}"] = games.tally(game[ply > last[game]])
        clocks = turns.clocks[own]
        is_clocked &= games.tally(game[clocks < 0]) == 0
        is_falling = (clocks[1:] < clocks[:-1]) & (game[1:] == game[:-1])
        is_rising &= games.tally(game[1:][is_falling]) == 0
        last_clock = np.zeros(games.count, np.int64)
        last_clock[game] = clocks
        clock_time += last_clock
    columns["clocked"] = is_clocked
    columns["clock_time"] = pa.array(clock_time, mask=~(is_clocked & is_rising))
    return columns


def _sum_held(captured: Any, games: _Games) -> dict[str, Any]:
    game = games.of_ply
    part = game * TENTHS + TENTHS * games.ply[games.before] // games.plies[game]
    columns: dict[str, Any] = {}
    for player, names in HELD.items():
        held = captured[3 * player - 3 : 3 * player].sum(0)[games.before]
        sums = np.bincount(part, held, games.count * TENTHS).astype(np.int64).reshape(-1, TENTHS)
        columns |= {name: sums[:, tenth] for tenth, name in enumerate(names)}
    return columns
