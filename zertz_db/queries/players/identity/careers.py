"""Read what the evidence about two names needs from the games: each human's days, hours, opponents and first moves."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import duckdb
import numpy as np

from zertz_db.queries.players.identity.distributions import measure_moves
from zertz_db.queries.players.identity.neighbours import Neighbours
from zertz_db.store.folder.database import Database

HOURS_PER_BIN = 3
_DAYS_PER_YEAR = 365.25


class PlayedGame(NamedTuple):
    """A game: ids of its players, day (days since 1970), hour (0 to 23), board, and the key of the position after the first move."""

    first: int | None
    second: int | None
    day: int | None
    hour: int | None
    board: str
    opening: int | None


@dataclass
class Career:
    """A player's games, counted."""

    games: int = 0
    days: Counter[int] = field(default_factory=Counter)
    """Games by day, of those with a known day."""
    hours: Counter[int] = field(default_factory=Counter)
    """Games by the time of day, in bins of three hours."""
    openings: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """First moves on the empty board as player 1, up to the board's symmetries, by board."""
    opponents: Counter[int] = field(default_factory=Counter)
    """Games with each human opponent."""
    years: Counter[int] = field(default_factory=Counter)
    """Games with human opponents by period of a year."""

    @cached_property
    def span(self) -> tuple[int, int] | None:
        """Return the first and the last day, or None if no day is known."""
        return (min(self.days), max(self.days)) if self.days else None


@dataclass
class Field:
    """All humans of a database: names, careers, and what is common among them."""

    names: dict[int, str]
    careers: dict[int, Career]

    @cached_property
    def hours(self) -> Counter[int]:
        """Return the games of all players by the time of day."""
        return _add(career.hours for career in self.careers.values())

    @cached_property
    def openings(self) -> dict[str, Counter[int]]:
        """Return the first moves of all players, by board."""
        boards = sorted({board for career in self.careers.values() for board in career.openings})
        return {
            board: _add(career.openings[board] for career in self.careers.values() if board in career.openings)
            for board in boards
        }

    @cached_property
    def neighbours(self) -> Neighbours:
        """Return the names that are alike."""
        return Neighbours(self.names)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Return a number from 0 for each player."""
        return {player: number for number, player in enumerate(self.careers)}

    @cached_property
    def _periods(self) -> dict[int, int]:
        years = sorted({year for career in self.careers.values() for year in career.years})
        return {year: number for number, year in enumerate(years)}

    @cached_property
    def _games_by_period(self) -> np.ndarray:
        """Games between humans, (periods, players)."""
        table = np.zeros((len(self._periods), len(self.careers)))
        for player, career in self.careers.items():
            for year, games in career.years.items():
                table[self._periods[year], self.numbers[player]] = games
        return table

    @cached_property
    def _shares(self) -> np.ndarray:
        """The share of each player in the games between humans, (periods, players)."""
        totals = self._games_by_period.sum(axis=1, keepdims=True)
        shares: np.ndarray = self._games_by_period / np.maximum(totals, 1)
        return shares

    def chance_opponents(self, player: int) -> np.ndarray:
        """Return, for each player, the probability to be among the opponents of `player` if opponents were drawn by their games."""
        if player not in self._drawn:
            games = self._games_by_period[:, self.numbers[player]]
            self._drawn[player] = 1 - np.exp(games @ np.log1p(-np.minimum(self._shares, 0.99)))
        return self._drawn[player]

    def measure_distance(self, player: int) -> float | None:
        """Return the distance of a player's first moves from those of all players; None without a first move."""
        if player not in self._distances:
            self._distances[player] = measure_moves(self.careers[player].openings, self.openings)
        return self._distances[player]

    def expect_common(self, one: int, other: int) -> float:
        """Return the number of common human opponents that chance would give."""
        return float(self.chance_opponents(one) @ self.chance_opponents(other))

    def expect_meetings(self, one: int, other: int) -> float:
        """Return the number of games against each other that chance would give."""
        return float(self._games_by_period[:, self.numbers[one]] @ self._shares[:, self.numbers[other]])

    @cached_property
    def _drawn(self) -> dict[int, np.ndarray]:
        return {}

    @cached_property
    def _distances(self) -> dict[int, float | None]:
        return {}


def read_field(database: Database) -> Field:
    """Read the careers of all humans."""
    connection = database.connection()
    names = dict(connection.execute("SELECT id, name FROM _player WHERE kind = 'human'").fetchall())
    return build_field(names, read_games(connection))


def read_games(connection: duckdb.DuckDBPyConnection) -> list[PlayedGame]:
    """Read all games with a named player."""
    return [PlayedGame(*row) for row in connection.execute(_GAMES).fetchall()]


def build_field(names: dict[int, str], games: Iterable[PlayedGame]) -> Field:
    """Count the games of the players in `names`; players without a game are left out."""
    careers: dict[int, Career] = defaultdict(Career)
    for game in games:
        for player, opponent in ((game.first, game.second), (game.second, game.first)):
            if player in names and player is not None:
                _count(careers[player], game, opponent if opponent in names and opponent != player else None)
        if game.first in names and game.first is not None and game.opening is not None:
            careers[game.first].openings[game.board][game.opening] += 1
    return Field({player: names[player] for player in careers}, dict(careers))


def _count(career: Career, game: PlayedGame, opponent: int | None) -> None:
    career.games += 1
    if game.day is not None:
        career.days[game.day] += 1
    if game.hour is not None:
        career.hours[game.hour // HOURS_PER_BIN] += 1
    if opponent is not None:
        career.opponents[opponent] += 1
        career.years[int((game.day or 0) // _DAYS_PER_YEAR)] += 1


def _add(parts: Iterable[Counter[int]]) -> Counter[int]:
    total: Counter[int] = Counter()
    for part in parts:
        total.update(part)
    return total


_GAMES = """
    SELECT one.player, other.player,
        CASE WHEN date_from = date_to THEN date_from - DATE '1970-01-01' END,
        TRY_CAST(left(time, 2) AS INTEGER), g.board, CASE WHEN start IS NULL THEN key END
    FROM _game g LEFT JOIN _alias one ON one.name = player1 LEFT JOIN _alias other ON other.name = player2
    LEFT JOIN (SELECT game, key FROM _position WHERE ply = 1) p ON p.game = g.id
    WHERE one.player IS NOT NULL OR other.player IS NOT NULL
"""
