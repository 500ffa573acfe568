"""Answer questions of a server's visitors about forced wins, within limits that keep each answer short.

`ask` checks a question where it arrives; `answer` searches, in a process that can be ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.tactics.compiled_search import is_compiled
from zertz_db.tactics.limits import SearchError, check_limits, check_position
from zertz_db.tactics.solver import Refutation, Solution, refute, solve

DEPTH = 7
NODES = 20_000
MAX_DEPTH = 11
MAX_NODES = 200_000
MAX_NODES_INTERPRETED = 1_000
"""Maximum number of nodes where the search is interpreted: on boards of more than 63 rings, and without numba."""
_REPLIES_NODES, _REPLIES_NODES_INTERPRETED = 1_000_000, 5_000
"""Maximum number of nodes for all replies to a move together, compiled and interpreted."""
_SAMPLE = "37 blitz .WGG/...oo/W..oo./WoGoBo./..oo../..B../..WB 0/0/3 1/1/2 0/3/1 2"
"""A position with a forced win in 3 plies: its solution calls every function of the search."""


class Question(NamedTuple):
    """A position to solve, the limits, and a move to refute. `ask` has checked them."""

    position: Position
    depth: int
    nodes: int
    move: Move | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The solution of a position, and the refutation of a move if the question names one."""

    solution: Solution
    refutation: Refutation | None

    def as_json(self) -> dict[str, Any]:
        """Return the solution as `zertz solve --json` does; with `refutation` if a move was to be refuted."""
        found = self.solution.as_json()
        return {**found, "refutation": self.refutation.as_json()} if self.refutation else found


def ask(position: Position | str, depth: int = DEPTH, nodes: int = NODES, move: Move | str | None = None) -> Question:
    """Return a question about a position, and about a move in it. Raises PositionError, SearchError and IllegalMove."""
    if depth > MAX_DEPTH or nodes > MAX_NODES:
        raise SearchError(
            f"at most {MAX_DEPTH} plies and {MAX_NODES:,} nodes are searched here; `zertz solve` searches more"
        )
    check_limits(depth, nodes, MAX_DEPTH)
    if isinstance(position, str):
        position = Position.parse(position)
    check_position(position)
    if isinstance(move, str):
        move = position.move(move)
    if move is not None:
        position.play(move)
    return Question(position, depth, nodes, move)


def answer(question: Question) -> Answer:
    """Search. An interpreted search has a smaller limit of nodes, which the solution states."""
    position, depth, nodes, move = question
    warm_up()
    total = _REPLIES_NODES
    if not is_compiled(position.board):
        nodes, total = min(nodes, MAX_NODES_INTERPRETED), _REPLIES_NODES_INTERPRETED
    return Answer(solve(position, depth, nodes), None if move is None else refute(position, move, depth, nodes, total))


@cache
def warm_up() -> None:
    """Compile the search, or load it: 14 seconds the first time on a machine, a second in each other process."""
    solve(_SAMPLE, 3)
