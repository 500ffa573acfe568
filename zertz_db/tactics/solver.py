"""Solve a position: find the shortest forced win of the player to move, its line, all winning moves, and refutations of others.

>>> solve("37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1").verdict
'forced win in 1 ply'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.tactics.compiled_search import Search, open_search, run_search
from zertz_db.tactics.limits import check_limits, check_position
from zertz_db.tactics.move_classes import MoveClass, PackedMove, packed_class, unpack
from zertz_db.tactics.search_kernel import COMPLETE_TO, FORCED, RESULT_SIZE, SEARCHED, SOLVER_VERSION, STOPPED, WON

DEPTH = 5
NODES_LIMIT = 100_000
_MORE = 4
"""Factor of the limit for the winning moves, and for the line: both search again what was found."""


@dataclass(frozen=True, slots=True)
class WinningClass:
    """A class of moves that win by force within `plies`, with the notation of one of them."""

    kind: MoveClass
    plies: int
    example: str

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {"class": str(self.kind), **self.kind.as_json(), "plies": self.plies, "example": self.example}


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a search for forced wins of the player to move.

    forced: plies of the shortest forced win found, or None. complete_to: plies within which the search was complete: no shorter win than
    `forced` exists. line: the moves of the win against the longest defence, in notation; if not `line_is_whole`, as far as the limit let
    it be found. winning: all classes of moves that win, if `winning_is_complete`; `slack` is the number of plies that they may take longer
    than the shortest. nodes: positions examined for `forced`.
    """

    position: str
    depth: int
    limit: int
    forced: int | None
    complete_to: int
    nodes: int
    line: tuple[str, ...] = ()
    line_is_whole: bool = True
    winning: tuple[WinningClass, ...] = ()
    winning_is_complete: bool = True
    slack: int = 0
    version: int = SOLVER_VERSION

    @property
    def is_only_move(self) -> bool:
        """Return whether one class of moves is known to be the only one that wins."""
        return len(self.winning) == 1 and self.winning_is_complete

    @property
    def verdict(self) -> str:
        """Return the result in words, with what was searched: never that there is no forced win at all."""
        if self.forced:
            return f"forced win in {_plies(self.forced)}"
        if self.complete_to == self.depth:
            return f"no forced win found within {_plies(self.depth)}, searched completely"
        complete = f"complete to {_plies(self.complete_to)}" if self.complete_to else "not complete for any depth"
        return f"no forced win found within {_plies(self.depth)} and {self.limit:,} nodes; {complete}"

    def as_json(self) -> dict[str, Any]:
        """Return the solution as plain values."""
        return {
            "position": self.position,
            "verdict": self.verdict,
            "forced": self.forced,
            "complete_to": self.complete_to,
            "depth": self.depth,
            "limit": self.limit,
            "nodes": self.nodes,
            "line": list(self.line),
            "line_is_whole": self.line_is_whole,
            "winning": [winning.as_json() for winning in self.winning],
            "winning_is_complete": self.winning_is_complete,
            "only_move": self.is_only_move,
            "slack": self.slack,
            "version": self.version,
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply after which no forced win was found; `is_proven` if the search was complete: there is none within the depth."""

    notation: str
    is_proven: bool


@dataclass(frozen=True, slots=True)
class Refutation:
    """The result of a search for what is wrong with a move.

    wins: the plies within which the move wins by force, or None. leaves_jump: False for a placement after which the opponent need not jump:
    it belongs to no forced win, and no replies are searched. replies: one of each class of replies after which no forced win was found.
    replies_are_complete: False if the limit ended the search before the last reply. opponent_wins: the plies of a forced win of the
    opponent after the move, or None. longest_reply: of a move that wins, the reply that delays the win most, or None if the move ends the
    game.
    """

    move: str
    wins: int | None
    leaves_jump: bool
    replies: tuple[Reply, ...]
    opponent_wins: int | None
    replies_are_complete: bool = True
    longest_reply: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the refutation as plain values."""
        replies = [{"move": reply.notation, "proven": reply.is_proven} for reply in self.replies]
        return {
            "move": self.move,
            "wins": self.wins,
            "leaves_jump": self.leaves_jump,
            "replies": replies,
            "replies_are_complete": self.replies_are_complete,
            "opponent_wins": self.opponent_wins,
        }


def solve(
    position: Position | str,
    depth: int = DEPTH,
    nodes: int = NODES_LIMIT,
    slack: int = 0,
    *,
    interpreted: bool = False,
) -> Solution:
    """Search for a forced win within `depth` plies (an odd number) and a number of nodes.

    All winning moves by class and the line cost up to four times as many nodes each. `slack` is an even number of plies that a winning
    class may take more than the shortest. Raises SearchError for a game that is over, written claims, absurd numbers of marbles, and limits
    out of range; PositionError for an invalid string.
    """
    checked = _checked(position, depth, nodes)
    return run_search(partial(_solve, checked, depth, nodes, slack), interpreted)


def _solve(position: Position, depth: int, nodes: int, slack: int, interpreted: bool) -> Solution:
    search = open_search(position.board, position.rules, depth + slack, nodes, interpreted)
    forced, complete_to, used = _deepen(search, position, depth, nodes)
    if not forced:
        return Solution(position.text, depth, nodes, None, complete_to, used, slack=slack)
    winning, is_complete = _winning_classes(search, position, forced, forced + slack, _MORE * nodes)
    line, is_whole = _line(search, position, forced, _MORE * nodes)
    return Solution(position.text, depth, nodes, forced, complete_to, used, line, is_whole, winning, is_complete, slack)


@dataclass(frozen=True, slots=True)
class WinningMove:
    """A move that begins a forced win, and the plies of the win."""

    move: Move
    plies: int


def find_winning_move(
    position: Position | str, depth: int = DEPTH, nodes: int = NODES_LIMIT, *, interpreted: bool = False
) -> WinningMove | None:
    """Search for a forced win like `solve`, and return one of its first moves alone; None if none is found."""
    checked = _checked(position, depth, nodes)

    def search(is_interpreted: bool) -> WinningMove | None:
        means = open_search(checked.board, checked.rules, depth, nodes, is_interpreted)
        forced = _deepen(means, checked, depth, nodes)[FORCED]
        packed = _winning_move(means, checked, forced, _MORE * nodes) if forced else None
        return WinningMove(unpack(checked, packed), forced) if packed else None

    return run_search(search, interpreted)


def measure_forced_win(
    position: Position | str, depth: int = DEPTH, nodes: int = NODES_LIMIT, *, interpreted: bool = False
) -> int:
    """Search for a forced win like `solve`, and return its plies; 0 if none is found."""
    checked = _checked(position, depth, nodes)

    def search(is_interpreted: bool) -> int:
        means = open_search(checked.board, checked.rules, depth, nodes, is_interpreted)
        return _deepen(means, checked, depth, nodes)[FORCED]

    return run_search(search, interpreted)


def find_line(
    position: Position | str, forced: int, nodes: int = NODES_LIMIT, *, interpreted: bool = False
) -> tuple[str, ...] | None:
    """Return the moves of the win of a position with a forced win in `forced` plies, each defence the longest, in official notation.

    Return None if there is no such win, or `nodes` nodes for each move did not suffice to find all of it. Raises SearchError like `solve`.
    """
    checked = _checked(position, forced, nodes)

    def search_line(interpreted: bool) -> tuple[str, ...] | None:
        search = open_search(checked.board, checked.rules, forced, nodes, interpreted)
        line, is_whole = _line(search, checked, forced, nodes)
        return line if is_whole else None

    return run_search(search_line, interpreted)


def refute(
    position: Position | str,
    move: Move | str,
    depth: int = DEPTH,
    nodes: int = NODES_LIMIT,
    total: int | None = None,
    *,
    interpreted: bool = False,
) -> Refutation:
    """Search for the replies that refute a move: those after which its player has no forced win within `depth` plies, the move included.

    Each reply is searched with `nodes` nodes, all together with about `total` (None: no limit). Raises IllegalMove for an illegal move,
    and SearchError like `solve`.
    """
    checked = _checked(position, depth, nodes)
    played = checked.move(move) if isinstance(move, str) else move
    checked.play(played)
    return run_search(partial(_refute, checked, played, depth, nodes, total), interpreted)


def _refute(position: Position, move: Move, depth: int, nodes: int, total: int | None, interpreted: bool) -> Refutation:
    after = position.play(move)
    notation = position.written(move, after)
    if after.is_over:
        wins = 1 if after.winner == position.side else None
        return Refutation(notation, wins, True, (), None)
    search = open_search(position.board, position.rules, depth, nodes, interpreted)
    counter = _deepen(search, after, depth, nodes)[FORCED] or None
    if move.colour and not after.capture_is_due:
        return Refutation(notation, None, False, (), counter)
    replies: dict[MoveClass, Reply] = {}
    longest, used, is_complete = 1, 0, True
    delaying: PackedMove | None = None
    for packed, plies, is_proven, searched in _defences(search, after, depth - 2, nodes):
        if plies and plies + 2 > longest:
            longest, delaying = plies + 2, packed
        used += searched
        kind = packed_class(after, packed)
        if not plies and (kind not in replies or is_proven > replies[kind].is_proven):
            replies[kind] = Reply(after.notation(unpack(after, packed)), is_proven)
        if total is not None and used > total:
            is_complete = False
            break
    if not is_complete or replies or delaying is None:
        return Refutation(notation, None, True, tuple(replies.values()), counter, is_complete)
    reply = after.notation(unpack(after, delaying))
    return Refutation(notation, longest, True, (), counter, longest_reply=reply)


def _deepen(search: Search, position: Position, depth: int, nodes: int) -> list[int]:
    """Return the result for a position: plies of the shortest forced win found or 0, plies searched completely, nodes."""
    result = search.memory.rows(1, RESULT_SIZE)[0]
    _start(search, position, nodes)
    search.functions.deepen(search.tables, search.rules, search.work, 0, depth, result)
    return [int(result[place]) for place in (FORCED, COMPLETE_TO, SEARCHED)]


def _checked(position: Position | str, depth: int, nodes: int) -> Position:
    check_limits(depth, nodes)
    if isinstance(position, str):
        position = Position.parse(position)
    check_position(position)
    return position


def _start(search: Search, position: Position, nodes: int) -> None:
    search.functions.start_search(search.tables, search.work, search.memory.row(position.state), nodes)


def _moves(search: Search, forcing: bool) -> list[PackedMove]:
    """Return the moves of the position at the first ply."""
    count = search.functions.list_moves(search.tables, search.work, 0, int(forcing))
    row = search.work.moves[0]
    return [(int(row[2 * number]), int(row[2 * number + 1])) for number in range(count)]


def _after(search: Search, packed: PackedMove) -> list[int]:
    """Play a move from the first ply, and return the state after it, which is then that of the second ply."""
    search.functions.play_move(search.tables, search.rules, search.work, 0, *packed)
    return [int(number) for number in search.work.states[1]]


def _winning_classes(
    search: Search, position: Position, shortest: int, longest: int, nodes: int
) -> tuple[tuple[WinningClass, ...], bool]:
    """Return the classes of moves that win within `longest` plies, and whether these are all."""
    _start(search, position, nodes)
    attacker = position.side - 1
    found: dict[MoveClass, WinningClass] = {}
    moves = _moves(search, forcing=shortest > 1)
    for plies in range(shortest, longest + 1, 2):
        for packed in moves:
            kind = packed_class(position, packed)
            if kind in found:
                continue
            verdict = _verdict(search, position, packed, attacker, plies)
            if verdict == STOPPED:
                return tuple(found.values()), False
            if verdict == WON:
                found[kind] = WinningClass(kind, plies, position.notation(unpack(position, packed)))
    return tuple(found.values()), True


def _verdict(search: Search, position: Position, packed: PackedMove, attacker: int, plies: int) -> int:
    """Return the verdict on a move of the attacker at the first ply: whether it wins within `plies`."""
    after = Position(position.board, position.rules, tuple(_after(search, packed)))
    if after.is_over:
        return WON if after.winner == attacker + 1 else 0
    if plies == 1 or (packed[0] & 3 == 0 and not after.capture_is_due):
        return 0
    return int(search.functions.search(search.tables, search.rules, search.work, 1, attacker, plies - 1))


def _line(search: Search, position: Position, plies: int, nodes: int) -> tuple[tuple[str, ...], bool]:
    """Return the moves of a forced win of `plies`, each defence the longest, and whether the limit sufficed for all of them."""
    line: list[str] = []
    while True:
        packed = _winning_move(search, position, plies, nodes)
        if packed is None:
            return tuple(line), False
        move = unpack(position, packed)
        after = position.play(move)
        line.append(position.written(move, after))
        if after.is_over:
            return tuple(line), True
        best: PackedMove | None = None
        longest = 0
        for defence, length, *_ in _defences(search, after, plies - 2, nodes):
            if not length:
                return tuple(line), False
            if length > longest:
                best, longest = defence, length
        if best is None:
            return tuple(line), False
        defence_move = unpack(after, best)
        line.append(after.notation(defence_move))
        position, plies = after.play(defence_move), longest


def _winning_move(search: Search, position: Position, plies: int, nodes: int) -> PackedMove | None:
    _start(search, position, nodes)
    for packed in _moves(search, forcing=plies > 1):
        if _verdict(search, position, packed, position.side - 1, plies) == WON:
            return packed
    return None


def _defences(search: Search, after: Position, depth: int, nodes: int) -> Iterator[tuple[PackedMove, int, bool, int]]:
    """Yield each move of the defender, the plies of the attacker's forced win after it or 0, whether that 0 is proven, and the nodes."""
    _start(search, after, nodes)
    result = search.memory.rows(1, RESULT_SIZE)[0]
    for packed in _moves(search, forcing=False):
        state = _after(search, packed)
        if Position(after.board, after.rules, tuple(state)).is_over:
            yield packed, 0, True, 0
            continue
        search.functions.set_limit(search.work, nodes)
        search.functions.deepen(search.tables, search.rules, search.work, 1, depth, result)
        yield packed, int(result[FORCED]), int(result[COMPLETE_TO]) >= depth, int(result[SEARCHED])


def _plies(number: int) -> str:
    return f"{number} ply" if number == 1 else f"{number} plies"
