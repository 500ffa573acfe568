"""Pair the players of a round robin by Berger tables, as FIDE publishes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Column, Result

MAX_PLAYERS = 200
BYE = "bye"
"""The second player of a round without a game."""

PAIRINGS = (
    Column("round", "number of the round, from 1"),
    Column("player1", "the player who moves first"),
    Column("player2", "the other player; bye: player1 has no game in this round"),
)


class Pairing(NamedTuple):
    """Game to be played. first moves first. second: None for a player without a game in this round."""

    round: int
    first: str
    second: str | None


def list_pairings(names: Sequence[str], *, double: bool = False) -> Result:
    """Return the pairings of a round robin as a table. Columns: PAIRINGS. names, double, QueryError: as `pair_players`."""
    return Result(PAIRINGS, [(one.round, one.first, one.second or BYE) for one in pair_players(names, double=double)])


def number_players(players: int) -> list[str]:
    """Return numbers from 1 as the names of players."""
    return [str(number) for number in range(1, players + 1)]


def pair_players(names: Sequence[str], *, double: bool = False) -> list[Pairing]:
    """Return the games of a round robin: each player meets each other one once, or twice with the sides exchanged.

    names: in the order of their numbers. A player has the first move in half of the games, or in one more or fewer. With an odd number of
    players, one has no game in each round. QueryError for fewer than 2 or more than 200 players, for equal names, and for
    the name `bye`.

    >>> [f"{one.first}-{one.second}" for one in pair_players(["Ada", "Ben", "Cy", "Dan"])]
    ['Ada-Dan', 'Ben-Cy', 'Dan-Cy', 'Ada-Ben', 'Ben-Dan', 'Cy-Ada']
    """
    players = [name.strip() for name in names]
    if not 2 <= len(players) <= MAX_PLAYERS:
        raise QueryError(f"a round robin has 2 to {MAX_PLAYERS} players, not {len(players)}")
    if not all(players):
        raise QueryError("a player's name is empty")
    if BYE in map(str.casefold, players):
        raise QueryError("'bye' stands for a round without a game: leave it out, an odd number of players has byes")
    if twice := next(
        (name for at, name in enumerate(players) if name.casefold() in map(str.casefold, players[:at])), None
    ):
        raise QueryError(f"{twice!r} is there twice: each player needs a name of their own")
    places: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    once = [pairing for number in range(1, len(places)) for pairing in _pair_round(places, number)]
    if not double:
        return once
    back = [
        Pairing(one.round + len(places) - 1, *((one.second, one.first) if one.second else (one.first, None)))
        for one in once
    ]
    return once + back


def _pair_round(places: Sequence[str | None], number: int) -> list[Pairing]:
    """Return the pairings of a round, from 1. The last place stays; all others move on by half of the places. A bye comes last."""
    last = len(places) - 1
    top = (number - 1) * len(places) // 2 % last
    boards = [(top, last) if number % 2 else (last, top)]
    boards += [((top + step) % last, (top - step) % last) for step in range(1, len(places) // 2)]
    pairings = []
    for one, other in boards:
        first, second = (places[one], places[other]) if places[one] is not None else (places[other], None)
        if first is not None:
            pairings.append(Pairing(number, first, second))
    return sorted(pairings, key=lambda one: one.second is None)
