"""Positions of many games at once, to be shown as small boards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from zertz_db.queries.positions import positions
from zertz_db.queries.result import Result, ask
from zertz_db.rules.position import Position
from zertz_db.store.ids import from_text
from zertz_db.store.opening import Database


class Glimpse(NamedTuple):
    """A game at a glance: the position after `ply` plies, the move that led there (None at the start), and the next one (None at the
    end).
    """

    game: str
    ply: int
    position: Position
    move: str | None
    next: str | None


def glimpses(database: Database, places: Sequence[tuple[str, int | None]]) -> list[Glimpse]:
    """The positions at these places: ids of games (in letters, whole) with a ply, or None for the end. In their order.

    Places that no game has are left out.
    """
    connection = database.connection()
    numbers = {game: from_text(game) for game, _ in places}
    wanted = ", ".join(f"{number:d}" for number in numbers.values())
    if not wanted:
        return []
    games = {row["number"]: row for row in ask(connection, _GAMES.format(wanted)).dicts()}
    stored = ask(connection, _POSITIONS.format(wanted))
    moves: dict[int, dict[int, str]] = defaultdict(dict)
    for number, ply, notation in ask(connection, _MOVES.format(wanted)).rows:
        moves[number][ply] = notation
    rows: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in stored.rows:
        rows[row[0]].append(row)
    found = []
    for game, ply in places:
        number = numbers[game]
        last = len(rows[number]) - 1
        if number in games and last >= 0 and (ply is None or 0 <= ply <= last):
            at = last if ply is None else ply
            position = positions(games[number], Result(stored.columns, rows[number]))[at]
            found.append(Glimpse(game, at, position, moves[number].get(at), moves[number].get(at + 1)))
    return found


_GAMES = "SELECT *, id AS number FROM _game WHERE id IN ({})"
_POSITIONS = "SELECT game, * EXCLUDE (game) FROM _position WHERE game IN ({}) ORDER BY game, ply"
_MOVES = "SELECT game, ply + 1, notation FROM _ply WHERE game IN ({})"
