"""Choose a move: a forced win if one is found, otherwise the best move of the alpha-beta search.

>>> choose_move("37 standard ..../...../....../.oWW.../....../...../.... 6/8/10 3/0/0 0/0/0 1", "easy").notation
'x d4Wd2'
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from math import inf
from typing import Any

from zertz_db.engine.alpha_beta import DONE, SPENT, TRIED, is_decided, start_iteration
from zertz_db.engine.compiled_engine import Means, is_compiled, open_means, run_engine
from zertz_db.engine.strengths import EASY, HARD, Strength, strength_named
from zertz_db.rules.errors import PositionError
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.tactics.bounded_search import SAMPLE
from zertz_db.tactics.limits import check_state
from zertz_db.tactics.move_classes import PackedMove, unpack
from zertz_db.tactics.search_moves import NODES
from zertz_db.tactics.solver import find_winning_move, measure_forced_win

SECONDS = 1.0
_LONGEST = 10**6
"""Seconds beyond which more time makes no difference."""
_SLICE, _INTERPRETED_SLICE = 25_000, 250
"""Nodes between two looks at the clock: about 20 ms compiled, 100 ms interpreted."""
_GUARDED = 12
"""Maximum number of moves that are tested for a forced win of the opponent."""
_PROOF_RATE, _INTERPRETED_PROOF_RATE = 200_000, 1_000
"""Maximum number of nodes of the search for a forced win, for each second of the time limit."""
_GUARD_RATE, _INTERPRETED_GUARD_RATE = 40_000, 100
"""The same for the forced wins of the opponent after one move."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen move.

    notation: the move in official notation, with its claims. forced: plies of the forced win that it begins, or None. value: the value of
    the search for the player to move; 1000 is what a single lacking marble is worth at most. depth: placements of the last finished
    iteration, 0 if none was needed or finished. nodes: positions searched. is_cut: whether the time ended the search: another run may
    choose another move.
    """

    move: Move
    notation: str
    strength: str
    value: int = 0
    forced: int | None = None
    depth: int = 0
    nodes: int = 0
    is_cut: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the choice as plain values."""
        return {
            "move": self.notation,
            "strength": self.strength,
            "value": self.value,
            "forced": self.forced,
            "depth": self.depth,
            "nodes": self.nodes,
            "is_cut": self.is_cut,
        }


def choose_move(
    position: Position | str,
    strength: Strength | str = "medium",
    seed: int | str | None = None,
    seconds: float = SECONDS,
    *,
    interpreted: bool = False,
) -> Choice:
    """Return a legal move for the player to move.

    The limits of nodes of the strength end the search, or `seconds`. Below half a second, and interpreted, those of the searches for forced
    wins are smaller. Equal arguments with a seed give the same choice unless the time cut the search; without one, moves of equal value are
    chosen at random. Written claims are searched as automatic ones; the move then claims all that it may. Repetition is ignored. Raises
    PositionError for an invalid string and for a game that is over, NoSuchStrength, and SearchError for absurd numbers of marbles.
    """
    if isinstance(position, str):
        position = Position.parse(position)
    if isinstance(strength, str):
        strength = strength_named(strength)
    if position.is_over:
        raise PositionError("the game is over: there is no move to choose")
    check_state(position.board, position.state)
    if not interpreted and is_compiled(position.board):
        warm_up()
    deadline = time.monotonic() + seconds
    plain = Position(position.board, _search_rules(position.rules), tuple(position.state))
    chance = random.Random(seed)  # noqa: S311 - a game, not a secret
    if position.rules.written_claims and position.full_groups:
        strength = replace(strength, proof_depth=0, guard_depth=0)  # automatic claims would take these groups
    chosen = run_engine(partial(_choose, plain, strength, chance.random(), seconds, deadline), interpreted)
    move = _with_claim(position, chosen.move)
    return replace(chosen, move=move, notation=position.notation(move))


@cache
def warm_up() -> None:
    """Compile the search, or load it: 25 seconds the first time on a machine, a second in each other process.

    `choose_move` does so first, so the time of a move is that of its search.
    """
    sample = Position.parse(SAMPLE)
    for strength in (EASY, HARD):
        run_engine(partial(_choose, sample, strength, 0.0, SECONDS, inf), interpreted=False)


def _search_rules(rules: RuleSet) -> RuleSet:
    """Return the rule set with automatic claims: the search knows no others."""
    return replace(rules, written_claims=False)


def _with_claim(position: Position, move: Move) -> Move:
    """Return a move that claims all that it may, under written claims."""
    if not position.rules.written_claims or not move.colour:
        return move
    claimable = {*position.play(move).full_groups} - {*position.full_groups}
    return replace(move, claim=frozenset(claimable))


def _fit(strength: Strength, seconds: float, is_compiled: bool) -> Strength:
    """Return a strength whose searches for forced wins, which don't look at the clock, take a part of the time at most."""
    proofs, guards = (_PROOF_RATE, _GUARD_RATE) if is_compiled else (_INTERPRETED_PROOF_RATE, _INTERPRETED_GUARD_RATE)
    return replace(
        strength,
        proof_nodes=max(1, min(strength.proof_nodes, int(seconds * proofs))),
        guard_nodes=max(1, min(strength.guard_nodes, int(seconds * guards))),
    )


def _choose(
    position: Position, strength: Strength, chance: float, seconds: float, deadline: float, interpreted: bool
) -> Choice:
    means = open_means(position.board, position.rules, strength.nodes, interpreted)
    strength = _fit(strength, min(seconds, _LONGEST), means.is_compiled)
    count = means.start(position.state, strength.nodes)
    if not count:
        return _chosen(position, next(position.each_move()), strength)
    if count > 1 and strength.proof_depth:
        won = find_winning_move(position, strength.proof_depth, strength.proof_nodes, interpreted=interpreted)
        if won:
            return replace(_chosen(position, won.move, strength), forced=won.plies)
    search = _Search(position, strength, means, count, deadline)
    if count > 1:
        search.deepen(chance)
    return search.make_choice(chance, interpreted)


def _chosen(position: Position, move: Move, strength: Strength) -> Choice:
    return Choice(move, position.notation(move), strength.name)


class _Search:
    """An alpha-beta search of a position, deepened until a limit ends it."""

    def __init__(self, position: Position, strength: Strength, means: Means, count: int, deadline: float) -> None:
        self._position, self._strength, self._means = position, strength, means
        self._deadline = deadline
        row = means.work.moves[0]
        self._moves: list[PackedMove] = [(int(row[2 * number]), int(row[2 * number + 1])) for number in range(count)]
        self._values = [0] * count
        """The values of the moves, best first once an iteration is finished."""
        self._depth = 0
        self._is_cut = False

    def deepen(self, chance: float) -> None:
        """Search to 1, 2, 3 … placements, until the limits or a decided game end it."""
        random.Random(chance).shuffle(self._moves)  # noqa: S311 - a game, not a secret
        for depth in range(1, self._strength.depth + 1):
            self._write_moves()
            start_iteration(self._means.work, depth, self._strength.margin)
            is_done = self._run()
            tried = int(self._means.work.counters[TRIED])
            values = [int(value) for value in self._means.scores[0][:tried]]
            if is_done:
                self._depth = depth
            if tried:
                self._sort(values)
            if not is_done or is_decided(self._values[0]):
                return

    def _run(self) -> bool:
        """Run an iteration; return whether it was finished."""
        nodes = _SLICE if self._means.is_compiled else _INTERPRETED_SLICE
        while True:
            status = self._means.run(nodes)
            if status in (DONE, SPENT):
                return status == DONE
            if time.monotonic() > self._deadline:
                self._is_cut = True
                return False

    def _write_moves(self) -> None:
        row = self._means.work.moves[0]
        for number, (first, jumped) in enumerate(self._moves):
            row[2 * number], row[2 * number + 1] = first, jumped

    def _sort(self, values: Sequence[int]) -> None:
        """Put the moves that were searched in order, best first; the others stay behind them, worse than all."""
        tried = len(values)
        order = sorted(range(tried), key=lambda number: -values[number])
        self._moves = [self._moves[number] for number in order] + self._moves[tried:]
        self._values = [values[number] for number in order] + [min(values) - 1 - self._strength.margin] * (
            len(self._moves) - tried
        )

    def make_choice(self, chance: float, interpreted: bool) -> Choice:
        """Return one of the best moves, the first that gives the opponent no forced win if the strength looks for one."""
        strength, nodes = self._strength, int(self._means.work.counters[NODES])
        number = self._pick(chance)
        order = [number, *(other for other in range(len(self._moves)) if other != number)]
        if strength.guard_depth and len(self._moves) > 1 and not is_decided(self._values[0]):
            number = self._first_safe(order[:_GUARDED], interpreted)
        choice = _chosen(self._position, unpack(self._position, self._moves[number]), strength)
        return replace(choice, value=self._values[number], depth=self._depth, nodes=nodes, is_cut=self._is_cut)

    def _pick(self, chance: float) -> int:
        """Return the number of a move that the strength plays: one of the best, or any by a lapse. A win that is seen is played."""
        best_value, margin = self._values[0], self._strength.margin
        is_won = best_value > 0 and is_decided(best_value)
        lapses = random.Random(f"lapse {chance}")  # noqa: S311 - a game, not a secret
        if not is_won and lapses.random() < self._strength.lapse:
            return lapses.randrange(len(self._moves))
        if is_decided(best_value):
            return 0  # the shortest win, the longest loss
        best = [number for number, value in enumerate(self._values) if value > best_value - margin] or [0]
        return best[int(chance * len(best))]

    def _first_safe(self, order: Sequence[int], interpreted: bool) -> int:
        """Return the first move without a forced win of the opponent after it, or else that with the longest."""
        longest, best = 0, order[0]
        for number in order:
            after = self._position.play(unpack(self._position, self._moves[number]))
            if after.is_over:
                return number
            plies = measure_forced_win(
                after, self._strength.guard_depth, self._strength.guard_nodes, interpreted=interpreted
            )
            if not plies:
                return number
            if plies > longest:
                longest, best = plies, number
        return best
