"""Search for forced wins by the definition, with public positions alone: a slow second opinion that shares no code with the solver."""

from __future__ import annotations

from zertz_db.rules.move import Move
from zertz_db.rules.position import Position


def wins_by_force(position: Position, plies: int) -> bool:
    """Return whether the player to move wins by force within an odd number of plies."""
    for move in position.each_move():
        after = position.play(move)
        if after.is_over:
            if after.winner == position.side:
                return True
        elif plies > 1 and is_forcing(move, after) and loses_by_force(after, plies - 1):
            return True
    return False


def loses_by_force(position: Position, plies: int) -> bool:
    """Return whether every move of the player to move loses by force, his opponent's win included in the plies."""
    for move in position.each_move():
        after = position.play(move)
        if after.is_over:
            if after.winner != 3 - position.side:
                return False
        elif not wins_by_force(after, plies - 1):
            return False
    return True


def is_forcing(move: Move, after: Position) -> bool:
    """Return whether a move may belong to a forced win: every move but a placement that leaves no jump."""
    return not move.colour or after.capture_is_due


def shortest_win(position: Position, depth: int) -> int:
    """Return the plies of the shortest forced win within `depth` plies, 0 if there is none."""
    for plies in range(1, depth + 1, 2):
        if wins_by_force(position, plies):
            return plies
    return 0
