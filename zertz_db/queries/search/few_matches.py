"""Turn a few matches of a position into hits, continuations and years, without a query: planning those takes 20 ms."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import duckdb

from zertz_db.queries.memory.cached_games import CachedGames, cache_games
from zertz_db.queries.result import Column, build_result
from zertz_db.queries.search.matches import Found, Orientation, build_hits, build_sums, collect
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text
from zertz_db.store.ratings.dated_games import NO_TIME


class Match(NamedTuple):
    """Match as in `_position`, and the number of its orientation."""

    game: int
    ply: int
    side: int
    score: int | None
    next: int | None
    orientation: int


class _Facts(NamedTuple):
    """Facts of a game that tables need."""

    date_from: dt.date | None
    date_to: dt.date | None
    time: str | None
    date: str | None
    player1: str | None
    player2: str | None
    result: str | None
    board: str

    @property
    def year(self) -> int | None:
        """Return the year; None if it is not known."""
        begin, end = self.date_from, self.date_to
        return begin.year if begin and end and begin.year == end.year else None


def collect_found(
    database: Database,
    connection: duckdb.DuckDBPyConnection,
    orientation: Callable[[int], Orientation],
    columns: Sequence[Column],
    every: bool,
    limit: int | None,
    offset: int = 0,
) -> Found:
    """Return the matches in the temporary view `found` with their sums, as `matches.collect` does."""
    kept = cache_games(database)
    found = connection.execute(f"FROM found LIMIT {_FEW + 1}") if kept else None
    if kept and found and [name for name, *_ in found.description] == [*Match._fields]:
        rows = found.fetchall()
        if len(rows) <= _FEW:
            matches = [*map(Match._make, rows)]
            return collect_few(connection, kept, matches, orientation, columns, every, limit, offset)
    return collect(connection, orientation, columns, every, limit, offset)


def collect_few(
    connection: duckdb.DuckDBPyConnection,
    kept: CachedGames,
    matches: Sequence[Match],
    orientation: Callable[[int], Orientation],
    columns: Sequence[Column],
    every: bool,
    limit: int | None,
    offset: int = 0,
) -> Found:
    """Return the matches with their sums, as `matches.collect` does."""
    end = None if limit is None else offset + limit
    numbers = {match.game for match in matches}
    facts = dict(zip(numbers, map(_Facts._make, kept.rows(numbers, _Facts._fields)), strict=True))
    counted = matches if every else _first_of_games(matches)
    by_move = ((match.orientation, match.next) for match in counted)
    by_year = ((facts[match.game].year,) for match in counted)
    scores = [match.score for match in counted]
    return Found(
        games=len(numbers),
        plies=len(matches),
        first=_find_earliest(counted, facts),
        hits=build_hits(
            build_result(connection, _HITS, _list_hits(counted, facts)[offset:end], "games", ("id",)),
            orientation,
            columns,
        ),
        **build_sums(_sum(by_move, scores), _sum(by_year, scores), orientation),
    )


def _first_of_games(matches: Sequence[Match]) -> list[Match]:
    by_ply = sorted(matches, key=lambda match: match.ply, reverse=True)
    return [*{match.game: match for match in by_ply}.values()]


def _find_earliest(matches: Sequence[Match], facts: dict[int, _Facts]) -> dict[str, Any] | None:
    """Return the match that was played first (`PLAYED_ORDER`)."""

    def place(match: Match) -> tuple[dt.date, str, int, int]:
        game = facts[match.game]
        return game.date_from or dt.date.max, game.time or NO_TIME, match.game, match.ply

    if not matches:
        return None
    first = min(matches, key=place)
    game = facts[first.game]
    return {
        "id": to_text(first.game),
        "ply": first.ply,
        "date": game.date,
        "player1": game.player1,
        "player2": game.player2,
    }


def _list_hits(matches: Sequence[Match], facts: dict[int, _Facts]) -> list[tuple[Any, ...]]:
    """Return the columns _HITS of the matches, the latest game first."""

    def place(match: Match) -> tuple[int, int, int]:
        date = facts[match.game].date_from
        return -(date.toordinal() if date else 0), match.game, match.ply

    return [
        (match.orientation, match.next, match.game, match.ply, *facts[match.game][3:], match.side)
        for match in sorted(matches, key=place)
    ]


def _sum(groups: Iterable[tuple[Any, ...]], scores: Sequence[int | None]) -> list[tuple[Any, ...]]:
    """Return each group with the numbers of its matches, wins, ties and losses."""
    counts = Counter(zip(groups, scores, strict=True))
    found = {group for group, _ in counts}
    return [
        (
            *group,
            sum(counts[group, score] for score in (1, 0, -1, None)),
            *(counts[group, score] for score in (1, 0, -1)),
        )
        for group in found
    ]


_HITS = ("orientation", "next", "id", "ply", "date", "player1", "player2", "result", "board", "side")
_FEW = 1_000
"""Maximum number of matches that are summed without a query."""
