"""Check what a search is given, and raise a sentence that names the cause and the remedy."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.errors import UserMistake
from zertz_db.rules import kernel
from zertz_db.rules.board import Board
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import NAMES, RuleSet
from zertz_db.tactics.transpositions import LARGEST_COUNT

LARGEST_DEPTH = 31
LARGEST_NODES = 10**10


class SearchError(UserMistake):
    """The position, the rule set or the limits can't be searched; the message says why."""


def check_limits(depth: int, nodes: int, largest_depth: int = LARGEST_DEPTH) -> None:
    """Raise SearchError unless the depth is an odd number of plies and the number of nodes is positive, both within the maximum."""
    if depth % 2 == 0 or not 1 <= depth <= largest_depth:
        raise SearchError(
            f"a forced win takes an odd number of plies: a depth is 1, 3, 5 … {largest_depth}, not {depth}"
        )
    if not 1 <= nodes <= LARGEST_NODES:
        raise SearchError(f"the limit of nodes is a number from 1 to {LARGEST_NODES}, not {nodes}")


def check_rules(rules: RuleSet) -> None:
    """Raise SearchError for written claims."""
    if rules.written_claims:
        raise SearchError(
            f"written claims can't be searched: use the rule set {rules.name} with automatic claims ({rules} has written ones)"
        )


def check_position(position: Position) -> None:
    """Raise SearchError if the game is over or a position can't be searched."""
    check_rules(position.rules)
    if position.is_over:
        raise SearchError("the game is over: search a position before its last move")
    check_state(position.board, position.state)


def check_state(board: Board, state: Sequence[int]) -> None:
    """Raise SearchError unless the rings are the board's, each has one marble at most, and the numbers of marbles are small enough."""
    rings = state[kernel.RINGS]
    sets = state[kernel.MARBLES : kernel.MARBLES + 3]
    if not 0 <= rings <= board.everything or any(marbles & ~rings for marbles in sets):
        raise SearchError(f"the position has rings or marbles outside of board {board.name}")
    if sets[0] & sets[1] or (sets[0] | sets[1]) & sets[2]:
        raise SearchError("a ring of the position holds two marbles")
    for colour, name in enumerate(NAMES.values()):
        counts = state[kernel.POOL + colour : kernel.CAPTURED + 6 : 3]
        total = sum(counts) + sets[colour].bit_count()
        if min(counts) < 0 or total > LARGEST_COUNT:
            raise SearchError(
                f"the position has {total} {name} marbles: at most {LARGEST_COUNT} of a colour can be searched, on the board, "
                "in the pool and captured together"
            )
