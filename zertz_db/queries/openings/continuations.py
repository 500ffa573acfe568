"""Turn sums over games into rows of the opening tree."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from zertz_db.queries.openings.tree_sql import Details, Sums
from zertz_db.queries.result import Column
from zertz_db.queries.wilson import ENOUGH, Share, share
from zertz_db.store.ids import to_text
from zertz_db.store.ratings.model import rate_performance

SAMPLES = 3
"""Maximum number of sample games of a continuation."""

COLUMNS = (
    Column("move", "the move as the asker would play it, in official notation; None: the game ended here"),
    Column("name", "the move in words, if it is a game's first"),
    Column("games", "games that went on so"),
    Column("by_line", "those of them that reached the position by the moves given; None where none were"),
    Column("wins", "won by the side to move"),
    Column("ties", "tied, or lost by both"),
    Column("losses", "lost by the side to move"),
    Column("unknown", "unfinished, or record and moves contradict each other"),
    Column(
        "score", f"wins and half the ties, per game whose result is known; None for fewer than {ENOUGH} of these games"
    ),
    Column("score_low", "the least that the true score may be, with 95 % confidence (Wilson)"),
    Column("score_high", "the most that the true score may be"),
    Column("mean_plies", "mean length of these games, in plies"),
    Column("last_date", "the latest of their dates"),
    Column("rated", "games in which the side to move has a rating before the game"),
    Column("rating", "the mean of these ratings"),
    Column(
        "performance",
        f"the rating that the score against opponents with ratings suggests; None for fewer than {ENOUGH} of these games",
    ),
    Column("first_date", "the date of the first of these games; an incomplete date counts as its first day"),
    Column("first_player", "the player who made the move in that game"),
    Column("first_game", "the id of that game"),
    Column("samples", "ids of some of these games, the latest first"),
)
ENDINGS = (
    Column("move", "the continuation; None: the game ended here"),
    Column("ending", "how games ended: a winning set such as 4W, or resign, time, …"),
    Column("games", "games that ended so; one won with several sets counts for each of them"),
    Column("share", f"the same per game that has an end; None for fewer than {ENOUGH} of these games"),
    Column("low", "the least that the true share may be, with 95 % confidence (Wilson)"),
    Column("high", "the most that the true share may be"),
)


class Continuation:
    """Games with one continuation. code: of the move (None: the games ended here). The sums are by ending."""

    def __init__(self, code: int | None, parts: list[Sums]) -> None:
        """Prefer `grouped`."""
        self.code = code
        self.parts = parts
        self.games = sum(part.games for part in parts)
        self.wins = sum(part.wins for part in parts)
        self.ties = sum(part.ties for part in parts)
        self.losses = sum(part.losses for part in parts)
        self.last_date = max((part.latest[0] for part in parts if part.latest[0]), default=None)

    @cached_property
    def score(self) -> Share | None:
        """Return the score of the side to move."""
        return share(self.wins + self.ties / 2, self.wins + self.ties + self.losses)

    def row(self, move: str | None, name: str | None, by_line: int | None, details: Details | None) -> tuple[Any, ...]:
        """Return a row for COLUMNS. details: None leaves their columns empty."""
        known = self.wins + self.ties + self.losses
        latest = sorted((part.latest for part in self.parts), key=_by_date, reverse=True)[:SAMPLES]
        return (
            move,
            name,
            self.games,
            by_line,
            self.wins,
            self.ties,
            self.losses,
            self.games - known,
            *(self.score or (None, None, None)),
            round(sum(part.plies for part in self.parts) / self.games, 1),
            self.last_date,
            *(_describe(details, self.code) if details else _NO_DETAILS),
            " ".join(to_text(game) for _, game in latest),
        )

    def endings(self, move: str | None) -> Iterator[tuple[Any, ...]]:
        """Return rows for ENDINGS, most frequent first."""
        counted: Counter[str] = Counter()
        for part in self.parts:
            for ending in part.winning_sets.split("+") if part.winning_sets else [part.ending] if part.ending else ():
                counted[ending] += part.games
        ended = sum(part.games for part in self.parts if part.ending)
        for ending, games in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
            yield move, ending, games, *(share(games, ended) or (None, None, None))


_NO_DETAILS = (None,) * 6


def _describe(found: Details, code: int | None) -> tuple[Any, ...]:
    """Return the number of rated games, the mean rating and the performance; and of the first game the date, the player and the id."""
    performance = None
    if found.opponents is not None and found.scored >= ENOUGH:
        performance = rate_performance(found.opponents, found.points, found.scored)
    rating = None if found.rating is None else round(found.rating)
    player = None if code is None else found.first_player
    return found.rated, rating, performance, found.first_date, player, to_text(found.first)


def grouped(sums: Iterable[Sums], order: str) -> tuple[list[Continuation], list[Continuation]]:
    """Return the games that ended here, as one continuation or none, and the other continuations in an order of ORDERS."""
    parts: dict[int | None, list[Sums]] = defaultdict(list)
    for part in sums:
        parts[part.move].append(part)
    ended = [Continuation(None, parts.pop(None))] if None in parts else []
    return ended, sorted((Continuation(code, of_code) for code, of_code in parts.items()), key=ORDERS[order])


def _by_date(latest: tuple[dt.date | None, int]) -> tuple[dt.date, int]:
    return latest[0] or dt.date.min, latest[1]


def _by_games(group: Continuation) -> tuple[int, int]:
    return -group.games, group.code or 0


def _by_result(group: Continuation) -> tuple[bool, float, int, int]:
    return group.score is None, -(group.score.share if group.score else 0), *_by_games(group)


def _by_last_date(group: Continuation) -> tuple[int, int, int]:
    return -(group.last_date.toordinal() if group.last_date else 0), *_by_games(group)


def _by_rating(found: Details) -> float:
    return -(found.rating or 0)


def _by_performance(found: Details) -> float:
    return -(_describe(found, None)[2] or 0)


def _by_first_date(found: Details) -> int:
    return found.first_date.toordinal() if found.first_date else dt.date.max.toordinal()


DETAIL_ORDERS: dict[str, Callable[[Details], float]] = {
    "rating": _by_rating,
    "performance": _by_performance,
    "first": _by_first_date,
}
"""Sort keys by the details of continuations, by name."""
ORDERS: dict[str, Callable[[Continuation], Any]] = {"games": _by_games, "result": _by_result, "date": _by_last_date}
"""Sort keys of continuations, by name."""
