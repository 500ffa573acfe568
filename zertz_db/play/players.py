"""Choose moves for games. These players make games for samples, tests and benchmarks; they are not strong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from zertz_db.play.moves import (
    Code,
    Game,
    Placements,
    add_claim,
    build_pass,
    build_placement,
    find_new_groups,
    find_placements,
    list_captures,
    random_move,
    random_placement,
)
from zertz_db.play.seeded_random import Dice
from zertz_db.rules import kernel
from zertz_db.rules.kernel import CAPTURED, EACH, ENDING, GOAL, RINGS, SIDE, WINNER, WRITTEN

Player: TypeAlias = Callable[[Game, Dice], Code]

PLACEMENT_TRIES = 10
"""Number of placements without a claim that the greedy player examines."""

_WIN_VALUE = 100
"""Larger than any difference between two players' numbers of missing marbles."""


def choose_greedily(game: Game, dice: Dice) -> Code:
    """Return the best move, one ply ahead, of all captures, or of some placements and those that claim a group.

    A winning move is best. Then come moves after which the opponent can't win by a capture. Among these, the lead in missing marbles after
    the opponent's best capture decides.
    """
    moves = list(list_captures(game))
    if not moves:
        choices = find_placements(game)
        if choices is None:
            return build_pass()
        moves = [random_placement(game, dice) for _ in range(PLACEMENT_TRIES)]
        moves += _find_claiming_placements(game, choices, dice)
        if game.rules[WRITTEN]:
            moves = [add_claim(game, move, sum(find_new_groups(game, move))) for move in moves]
    worths = [_evaluate(game, move) for move in moves]
    best = max(worths)
    return dice.pick([move for move, worth in zip(moves, worths, strict=True) if worth == best])


PLAYERS: dict[str, Player] = {"random": random_move, "greedy": choose_greedily}
"""Players by name."""


def _find_claiming_placements(game: Game, choices: Placements, dice: Dice) -> Iterator[Code]:
    """Return placements that claim: a marble on the last vacant ring of a group, or the removal of the ring that connects a group."""
    tables, state = game.tables, game.state
    vacant, marbles, rings = kernel.vacant(state), kernel.occupied(state), state[RINGS]
    for ring in choices.vacant:
        around = tables.around[ring] & vacant
        removable = choices.removable(ring)
        if not around:
            yield from (build_placement(choices.rack, colour, ring, dice.pick(removable)) for colour in choices.colours)
        elif around & around - 1 == 0 and (bridge := around.bit_length() - 1) in removable:
            yield from (build_placement(choices.rack, colour, ring, bridge) for colour in choices.colours)
    for removed in choices.free:
        others = [ring for ring in choices.vacant if ring != removed]
        if others and kernel.full_groups(tables, rings & ~(1 << removed), marbles):
            yield build_placement(choices.rack, dice.pick(choices.colours), dice.pick(others), removed)


def _evaluate(game: Game, move: Code) -> int:
    side = game.state[SIDE]
    after = _play_move(game, move)
    if after.state[ENDING]:
        return 2 * _WIN_VALUE if after.state[WINNER] == side + 1 else -2 * _WIN_VALUE
    threatened = min(
        (
            count_missing_marbles(after.rules, _play_move(after, reply).state, 1 - side)
            for reply in list_captures(after)
        ),
        default=count_missing_marbles(after.rules, after.state, 1 - side),
    )
    safety = 0 if threatened else -_WIN_VALUE
    return safety + threatened - count_missing_marbles(after.rules, after.state, side)


def _play_move(game: Game, move: Code) -> Game:
    state = list(game.state)
    kernel.play(game.tables, game.rules, state, move, 0, len(move))
    return game._replace(state=state)


def count_missing_marbles(rules: list[int], state: list[int], side: int) -> int:
    """Return the number of marbles a player lacks for the nearest winning set."""
    held = state[CAPTURED + 3 * side : CAPTURED + 3 * side + 3]
    of_each = sum(max(rules[EACH] - count, 0) for count in held)
    return min(of_each, *(max(rules[GOAL + colour] - held[colour], 0) for colour in range(3)))
