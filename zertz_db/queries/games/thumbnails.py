"""Find positions of many games at once, for thumbnails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.queries.replay_moves import moves, replayed
from zertz_db.queries.result import run_query
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text


class Thumbnail(NamedTuple):
    """A game at a glance: the position after `ply` plies, the move that led there (None at the start), and the next one (None at the
    end).
    """

    game: str
    ply: int
    position: Position
    move: str | None
    next: str | None


def list_thumbnails(database: Database, places: Sequence[tuple[str, int | None]]) -> list[Thumbnail]:
    """Return the positions at places, in order: whole ids of games (in letters) with a ply, or None for the end.

    Unknown games and plies are omitted.
    """
    connection = database.connection()
    numbers = {game: from_text(game) for game, _ in places}
    wanted = ", ".join(f"{number:d}" for number in numbers.values())
    if not wanted:
        return []
    games = {
        row["id"]: row for row in run_query(connection, f"SELECT {_PLAYED} FROM _game WHERE id IN ({wanted})").dicts()
    }
    found = []
    for game, ply in places:
        row = games.get(numbers[game])
        played = moves(row["movetext"]) if row else []
        at = len(played) if ply is None else ply
        if row and 0 <= at <= len(played):
            before, after = (played[step] if 0 <= step < len(played) else None for step in (at - 1, at))
            found.append(Thumbnail(game, at, replayed(row, played[:at])[-1], before, after))
    return found


_PLAYED = "id, board, rule_set, tournament, claims, start, movetext"
