"""Judge a move for a server's visitors: what it keeps, what it allows, and what was better, within limits that keep the answer short.

`ask_judgement` checks a question where it arrives; `judge` searches, in a process that can be ended.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.tactics.analysis import BLUNDER_DEPTH, judge_ply
from zertz_db.tactics.bounded_search import MAX_DEPTH, ask
from zertz_db.tactics.compiled_search import is_compiled
from zertz_db.tactics.limits import SearchError
from zertz_db.tactics.search_kernel import SOLVER_VERSION
from zertz_db.tactics.solver import Solution, solve

DEPTH = 7
NODES = 20_000
MAX_NODES = 50_000
"""Maximum number of nodes for one position; a judgement searches up to seventy times as many."""
MAX_NODES_INTERPRETED = 100


class JudgementQuestion(NamedTuple):
    """A move to judge, in a position, with the limits. `ask_judgement` has checked them."""

    position: Position
    move: Move
    depth: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judgement of a move. None for an answer means that the limits did not suffice to decide.

    position, move: in notation. depth, nodes: limits; nodes are those of one position. forced: plies of the forced win before the move, or
    None if none was found; complete_to: plies within which that search was complete. keeps: whether the move keeps it; None also if there
    was none. missed: it let a forced win in 3 or more plies go. only_move: one class of moves keeps the win. allows: plies of the forced
    win that the opponent has after the move, or None if none was found. is_blunder: another move does not allow one. lost_before: every
    move allows one. better: a move that keeps the win, or after which no forced win of the opponent was found; None if there is nothing to
    improve, or none is known. line: of the forced win before the move; reply: of the opponent's forced win. version: of the solver.
    """

    position: str
    move: str
    depth: int
    nodes: int
    forced: int | None
    complete_to: int
    keeps: bool | None
    missed: bool
    only_move: bool | None
    allows: int | None
    is_blunder: bool
    lost_before: bool
    better: str | None
    line: tuple[str, ...]
    reply: tuple[str, ...]
    version: int = SOLVER_VERSION

    @property
    def verdict(self) -> str:
        """Return the judgement as a sentence, with what was searched."""
        found = [part for part in (self._win(), self._danger()) if part]
        if found:
            return f"{self.move} {' and '.join(found)}."
        return (
            f"No forced win was found before or after {self.move}, within {self.depth} plies and {self.nodes:,} nodes."
        )

    def _win(self) -> str:
        if self.forced is None:
            return ""
        if self.forced == 1 and self.keeps:
            return "wins"
        win = f"the forced win in {_plies(self.forced)}"
        if self.keeps is None and not self.missed:
            return f"may keep {win}: the limits did not suffice to decide"
        return f"keeps {win}" if self.keeps else f"lets {win} go"

    def _danger(self) -> str:
        if self.allows is None:
            return ""
        win = f"allows the opponent a forced win in {_plies(self.allows)}"
        return f"{win}, as every move does" if self.lost_before else win

    def as_json(self) -> dict[str, Any]:
        """Return the judgement as plain values."""
        values = asdict(self) | {"line": list(self.line), "reply": list(self.reply)}
        return {"position": self.position, "move": self.move, "verdict": self.verdict, **values}


def ask_judgement(
    position: Position | str, move: Move | str, depth: int = DEPTH, nodes: int = NODES
) -> JudgementQuestion:
    """Return a question about a move. Raises PositionError, SearchError and IllegalMove."""
    if nodes > MAX_NODES:
        raise SearchError(f"a move is judged with at most {MAX_NODES:,} nodes and {MAX_DEPTH} plies")
    found = ask(position, depth, nodes, move)
    assert found.move is not None  # noqa: S101 - a move was given
    return JudgementQuestion(found.position, found.move, found.depth, found.nodes)


def judge(question: JudgementQuestion) -> Judgement:
    """Search before and after the move. An interpreted search has a smaller limit of nodes, which the judgement states."""
    position, move, depth, nodes = question
    if not is_compiled(position.board):
        nodes = min(nodes, MAX_NODES_INTERPRETED)
    found = judge_ply(position, move, depth, nodes, blunder_depth=min(depth, BLUNDER_DEPTH))
    after = position.play(move)
    before = solve(position, depth, nodes)
    danger = None if after.is_over else solve(after, depth, nodes)
    improves = bool(found.forced) and not found.keeps
    return Judgement(
        position=position.text,
        move=position.written(move, after),
        depth=depth,
        nodes=nodes,
        forced=found.forced,
        complete_to=found.complete_to,
        keeps=found.keeps if found.forced else None,
        missed=found.missed,
        only_move=found.only_move if found.forced else None,
        allows=danger.forced if danger else _lost_at_once(position, after),
        is_blunder=found.blunder is not None,
        lost_before=found.lost_before,
        better=_winning_example(before) if improves else found.better,
        line=before.line,
        reply=danger.line if danger else (),
    )


def _winning_example(solution: Solution) -> str | None:
    return solution.winning[0].example if solution.winning else None


def _lost_at_once(position: Position, after: Position) -> int | None:
    """Return 0 if the move itself made the opponent win."""
    return 0 if after.winner == 3 - position.side else None


def _plies(number: int) -> str:
    return "1 ply" if number == 1 else f"{number} plies"
