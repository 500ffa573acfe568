"""List what a picture shows: a position with its last move, or one position after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.queries.openings.line import play_line
from zertz_db.rules.position import Position


class Frame(NamedTuple):
    """A position, and the move that led to it in official notation, or None."""

    position: Position
    last_move: str | None = None


def list_frames(start: Position, moves: Sequence[str] | str, last_move: str | None = None) -> list[Frame]:
    """Return the start, whose `last_move` may be known, and the position after each move. Raises QueryError for an illegal move."""
    return [Frame(start, last_move), *(Frame(played.after, played.notation) for played in play_line(start, moves))]
