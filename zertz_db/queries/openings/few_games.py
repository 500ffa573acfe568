"""Games that reached a position, if they are few: three short queries read them, and every table is summed from these rows.

Queries that sum in the database take ten times as long for a few games: planning them costs more than the rows do.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import duckdb

from zertz_db.queries.openings import tree_sql as lookup
from zertz_db.queries.openings.tree_sql import Details, SoughtPosition, Step, Sums
from zertz_db.queries.sql_params import execute
from zertz_db.store.ratings.dated_games import NO_TIME

MAX_GAMES = 200
"""Maximum number of rows of positions that are read."""


class Reached(NamedTuple):
    """A game that reached the position for the first time after `ply` plies, with the facts of the game that tables need.

    score: for the side to move: 1 won, 0 a tie or both lost, -1 lost, None unknown.
    """

    game: int
    ply: int
    next_move: int | None
    score: int | None
    side: int
    date: dt.date | None
    time: str | None
    players: tuple[str | None, str | None]
    ending: str | None
    winning_sets: str | None
    plies: int
    ratings: tuple[float | None, float | None]


def read_few_games(connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition) -> list[Reached] | None:
    """Return the games that reached the position and pass the filters; None if the position was reached too often."""
    found = connection.execute(f"{lookup.occurrences(wanted)} LIMIT {MAX_GAMES + 1}").fetchall()
    if len(found) > MAX_GAMES:
        return None
    if not found:
        return []
    first: dict[int, tuple[Any, ...]] = {row[0]: row for row in sorted(found, key=lambda row: row[1], reverse=True)}
    listed = ", ".join(f"{game:d}" for game in first)  # literals, so that DuckDB uses the index
    where, values = lookup.passing(wanted)
    facts = execute(connection, f"SELECT {_FACTS} FROM _game WHERE {where} AND id IN ({listed})", values).fetchall()
    rated = connection.execute(f"SELECT game, rating1, rating2 FROM _rating WHERE game IN ({listed})").fetchall()
    ratings = {game: (one, other) for game, one, other in rated}
    return [
        Reached._make((*first[game], date, time, (one, other), ending, sets, plies, ratings.get(game, (None, None))))
        for game, date, time, one, other, ending, sets, plies in sorted(facts, key=itemgetter(0))
    ]


def sum_games(games: Iterable[Reached]) -> list[Sums]:
    """Return the sums that `tree_sql.sums` returns."""
    return [_sum(part) for part in _group(games, lambda game: (game.next_move, game.ending, game.winning_sets))]


def detail_games(games: Iterable[Reached]) -> dict[int | None, Details]:
    """Return the details that `tree_sql.details` returns."""
    return {part[0].next_move: _detail(part) for part in _group(games, lambda game: game.next_move)}


def count_by_line(
    connection: duckdb.DuckDBPyConnection, games: Sequence[Reached], line: Sequence[Step]
) -> dict[int | None, int]:
    """Return the numbers that `tree_sql.by_line` returns. games: one at least."""
    listed = ", ".join(f"{game.game:d}" for game in games)
    came = connection.execute(f"""
        SELECT game, ply FROM ({lookup.steps_of(line)}) WHERE game IN ({listed}) GROUP BY game, ply HAVING count(*) = {len(line)}
    """).fetchall()
    return Counter(game.next_move for game in games if (game.game, game.ply) in {*came})


def _group(games: Iterable[Reached], key: Callable[[Reached], Any]) -> list[list[Reached]]:
    parts: dict[Any, list[Reached]] = defaultdict(list)
    for game in games:
        parts[key(game)].append(game)
    return list(parts.values())


def _sum(part: Sequence[Reached]) -> Sums:
    one, scores = part[0], Counter(game.score for game in part)
    latest = max(part, key=lambda game: (game.date or dt.date.min, game.game))
    return Sums(
        one.next_move,
        one.ending,
        one.winning_sets,
        len(part),
        scores[1],
        scores[0],
        scores[-1],
        sum(game.plies for game in part),
        (latest.date, latest.game),
    )


def _detail(part: Sequence[Reached]) -> Details:
    rated = [rating for game in part if (rating := game.ratings[game.side - 1]) is not None]
    scored = [
        (game.score, rating)
        for game in part
        if game.score is not None and (rating := game.ratings[2 - game.side]) is not None
    ]
    first = min(part, key=lambda game: (game.date or dt.date.max, game.time or NO_TIME, game.game))
    return Details(
        len(rated),
        sum(rated) / len(rated) if rated else None,
        len(scored),
        sum((score + 1) / 2 for score, _ in scored),
        sum(rating for _, rating in scored) / len(scored) if scored else None,
        first.game,
        first.date,
        first.players[first.side - 1],
    )


_FACTS = "id, date_from, time, player1, player2, ending, winning_sets, plies"
