"""What the board shows: the frames of positions, the racks beside them, and lines that it can play.

A frame has the content of each ring, the last move as marks and in words, captures, pool, and the side to move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zertz_db.dashboards.state.markdown_text import describe_position
from zertz_db.rules.position import Position
from zertz_db.rules.svg.board_svg import layout, places
from zertz_db.rules.svg.move_marks import draw_next_move, marks, trace
from zertz_db.rules.svg.symbols import rack


@dataclass(frozen=True, slots=True)
class Continuation:
    """A line that the board can play on a click, ply by ply; Escape returns to the game.

    Before each ply the board shows it: a ghost marble or an arrow, and the ring to go. moves: in notation, legal one after the other.
    title: a few words before its plies, such as `Forced win`. ply: number of the position (of those that the board shows) where it
    starts, None for the last. offered_at: number of the position at which the board offers it, None for that where it starts. is_open:
    whether the board shows it when it is new; if not, a click on one of its plies opens it.

    Examples: `show_choices(position, moves, key="try", on_move=judge, continuation=Continuation(solution.line, "Forced win in 5"))`;
    a single move is a hint: `Continuation(["Wd4,a1"], "Best move")`.
    """

    moves: Sequence[str]
    title: str = "Line"
    ply: int | None = None
    is_open: bool = True
    offered_at: int | None = None


@dataclass(frozen=True, slots=True)
class Badge:
    """A mark on a move: a short sign, its kind (a class of board.css), and what it means in words."""

    sign: str
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A sentence about a position, and a button with what the page offers there: its label, and the word that the page gets.

    kind: `proven`, `forced`, `estimated` or empty: a class of board.css.
    """

    text: str
    kind: str = ""
    offer: str = ""
    act: str = ""


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """A column of the chart under the board: player 1's share from 0 to 1, None for no column.

    proven: whether it is drawn solid instead of hatched. words: what a reader learns of it. mark: the kind of a flag on it, or empty.
    """

    share: float | None
    proven: bool
    words: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart under the board: a column for each position."""

    title: str
    columns: Sequence[ChartColumn]


def play_continuation(continuation: Continuation, start: Position) -> list[Position]:
    """Return the start of a line, and the position after each of its moves. Raises IllegalMove."""
    positions = [start]
    for move in continuation.moves:
        positions.append(positions[-1].play(move, lenient=True))
    return positions


def build_continuation(continuation: Continuation, positions: Sequence[Position], ply: int) -> dict[str, Any]:
    """Return the data of a line for the browser.

    positions: those of `play_continuation`. ply: number of the first one in the game. Each frame has the next ply as `ghost` and `next`.
    """
    played = [None, *continuation.moves]
    frames = [build_frame(position, move) for position, move in zip(positions, played, strict=True)]
    for frame, position, move in zip(frames, positions, continuation.moves, strict=False):
        frame |= {"ghost": draw_preview(position, move), "next": f"{trace(move)}."}
    if positions[-1].winner:
        frames[-1]["turn"] = f"Player {positions[-1].winner} has {' and '.join(positions[-1].winning_sets) or 'won'}."
    movers = [position.side for position in positions[:-1]]
    plies = [{"mover": mover, "text": move} for mover, move in zip(movers, continuation.moves, strict=True)]
    at = ply if continuation.offered_at is None else continuation.offered_at
    return {
        "title": continuation.title,
        "ply": ply,
        "at": at,
        "open": continuation.is_open,
        "plies": plies,
        "frames": frames,
    }


def draw_preview(position: Position, move: str) -> str:
    """Return the drawing (SVG) of a move that is not played yet: a ghost marble and the ring to go, or an arrow."""
    traced = trace(move)
    colour = traced.colour or position.on(traced.way[0]) or "" if traced.way else ""
    return draw_next_move(move, places(position.board), colour)


def build_frame(position: Position, move: str | None) -> dict[str, Any]:
    """Return one position: states of rings, captures and pool, and the last move as marks and in words."""
    first, second = position.captured
    text = f"{trace(move)}." if move else "The start."
    if position.is_over:
        turn, side = "The game is over.", 0
    else:
        turn, side = (
            f"Player {position.side} {'must capture' if position.capture_is_due else 'is to move'}.",
            position.side,
        )
    return {
        "held": layout(position),
        "marks": marks(move, places(position.board)) if move else "",
        "counts": {"1": first, "2": second, "pool": position.pool},
        "needs": {
            "1": _find_nearest_set(position, 0),
            "2": _find_nearest_set(position, 1),
            "pool": f"{sum(position.pool)} left",
        },
        "side": side,
        "summary": text,
        "turn": turn,
        "words": describe_position(position),
    }


def _find_nearest_set(position: Position, player: int) -> str:
    """Return the winning set that lacks the fewest marbles, in words."""
    missing = position.rules.missing(position.captured[player])
    name = min(missing, key=lambda name: missing[name])
    return f"{missing[name]} short of {name}" if missing[name] else f"has {name}"


def build_racks(positions: Sequence[Position], names: tuple[str, str]) -> list[dict[str, Any]]:
    """Return the racks of pool and players: as many slots as the winning sets need, more if a game needs them."""
    rules = positions[0].rules
    most = [[max(p.captured[player][colour] for p in positions) for colour in range(3)] for player in (0, 1)]
    pool = [max(p.pool[colour] for p in positions) for colour in range(3)]
    slots = {
        "1": (rules.goal, most[0], rules.each),
        "2": (rules.goal, most[1], rules.each),
        "pool": (rules.supply, pool, 0),
    }
    titles = {"1": names[0], "2": names[1], "pool": "Pool"}
    holders = []
    for holder in ("1", "2", "pool"):
        goal, largest, each = slots[holder]
        drawn, width = rack((0, 0, 0), [max(pair) for pair in zip(goal, largest, strict=True)], each, holder)
        holders.append({"key": holder, "name": titles[holder], "rack": drawn, "width": round(width, 1)})
    return holders
