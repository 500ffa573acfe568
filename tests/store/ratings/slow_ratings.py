"""Stored ratings a second time, slowly: games sorted in Python, moved by the package `openskill`."""

from __future__ import annotations

from typing import Any

from openskill.models import BradleyTerryFull

from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text
from zertz_db.store.ratings.rating_kernel import DRIFT, SPREAD, START, UNKNOWN

Ratings = dict[str, tuple[int | None, int | None, int | None, int | None]]

_GAMES = """
    SELECT id, date_from, time, player1, player2, winner FROM games WHERE date_from = date_to
"""


def rate_slowly(database: Database) -> Ratings:
    """Rating and deviation of player 1, then of player 2, before each game with a full date; games without a rating are left out."""
    model = BradleyTerryFull(mu=START, sigma=UNKNOWN, beta=SPREAD, tau=DRIFT)
    connection = database.connection()
    players = dict(connection.execute("SELECT name, player FROM aliases").fetchall())
    guests = {name for (name,) in connection.execute("SELECT id FROM players WHERE kind = 'guest'").fetchall()}
    games = connection.execute(_GAMES).fetchall()
    games.sort(key=lambda row: (row[1], row[2] is None, row[2] or "", from_text(row[0])))
    known: dict[str, Any] = {}
    found: Ratings = {}
    for game, _, _, *names, winner in games:
        both = [players.get(name) for name in names]
        before = [None if player in guests or player is None else known.get(player) for player in both]
        if any(before):
            found[game] = tuple(  # type: ignore[assignment] # four values
                number for one in before for number in ((round(one.mu), round(one.sigma)) if one else (None, None))
            )
        if winner is None or None in both or guests & {*both} or len({*both}) == 1:
            continue
        teams = [[one or model.rating()] for one in before]
        ranks = [1.0, 1.0] if winner == 0 else [float(winner), float(3 - winner)]
        for player, (after,) in zip(both, model.rate(teams, ranks=ranks), strict=True):
            known[str(player)] = after
    return found


def read_stored(database: Database) -> Ratings:
    """The table, in the same form."""
    rows = database.connection().execute("FROM ratings").fetchall()
    return {game: tuple(numbers) for game, *numbers in rows}  # type: ignore[misc] # four values
