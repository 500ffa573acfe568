"""Games that reached a position, if they are few: few short queries read them, and every table is summed from these rows.

Queries that sum in the database take ten times as long for a few games: planning them costs more than the rows do.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import duckdb

from zertz_db.queries.memory.kept_games import KeptGames
from zertz_db.queries.openings import tree_sql as lookup
from zertz_db.queries.openings.tree_sql import Details, SoughtPosition, Step, Sums
from zertz_db.queries.sql_params import execute
from zertz_db.rules.board import LARGEST_COMPILED_BOARD
from zertz_db.rules.canonical import find_key
from zertz_db.store.ratings.dated_games import NO_TIME
from zertz_db.store.schema.position_columns import RING_SETS

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


def read_few_games(
    connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition, kept: KeptGames | None = None
) -> list[Reached] | None:
    """Return the games that reached the position and pass the filters; None if the position was reached too often.

    kept: the facts of all games, if they are kept.
    """
    query = f"SELECT {_OCCURRENCE}, {_SETS} FROM _position WHERE {lookup.candidates(wanted)} LIMIT {MAX_GAMES + 1}"
    candidates = connection.execute(query).fetchall()
    if len(candidates) > MAX_GAMES:
        return None
    # Sets are compared here: a condition of twelve images takes longer to plan than these rows to read.
    images, size = lookup.image_sets(wanted.position), len(RING_SETS)
    found = [row[: -2 * size] for row in candidates if join_sets(row[-2 * size : -size], row[-size:]) in images]
    first: dict[int, tuple[Any, ...]] = {row[0]: row for row in sorted(found, key=lambda row: row[1], reverse=True)}
    facts = _read_facts(connection, wanted, sorted(first), kept) if first else []
    return [
        Reached._make((*first[game], date, time, (one, other), ending, sets, plies, ratings))
        for game, date, time, one, other, ending, sets, plies, *ratings in facts
    ]


def join_sets(low: Sequence[int], high: Sequence[int | None]) -> tuple[int, ...]:
    """Return sets of rings from their two columns: the first rings, and those of large boards after them (None: no such)."""
    return tuple(below | (above or 0) << LARGEST_COMPILED_BOARD for below, above in zip(low, high, strict=True))


def _read_facts(
    connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition, games: Sequence[int], kept: KeptGames | None
) -> list[tuple[Any, ...]]:
    """Return the facts (_FACTS, ratings) of those of these games, one at least, that pass the filters; sorted by id."""
    if kept and not wanted.filters:
        rules = None if wanted.board_only else wanted.position.rules.name
        rows = kept.rows(games, ("rule_set", *_FACTS, *_RATINGS))
        return [tuple(row) for rule_set, *row in rows if rules in (None, rule_set)]
    listed = ", ".join(f"{game:d}" for game in games)  # literals, so that DuckDB uses the index
    where, values = lookup.passing(wanted)
    query = f"SELECT {', '.join(_FACTS)} FROM _game WHERE {where} AND id IN ({listed}) ORDER BY id"
    facts = execute(connection, query, values).fetchall()
    rated = connection.execute(f"SELECT game, {', '.join(_RATINGS)} FROM _rating WHERE game IN ({listed})").fetchall()
    ratings = {game: (one, other) for game, one, other in rated}
    return [(*row, *ratings.get(row[0], (None, None))) for row in facts]


def sum_games(games: Iterable[Reached]) -> list[Sums]:
    """Return the sums that `tree_sql.sums` returns."""
    return [_sum(part) for part in _group(games, lambda game: (game.next_move, game.ending, game.winning_sets))]


def detail_games(games: Iterable[Reached]) -> dict[int | None, Details]:
    """Return the details that `tree_sql.details` returns."""
    return {part[0].next_move: _detail(part) for part in _group(games, lambda game: game.next_move)}


def count_by_line(
    connection: duckdb.DuckDBPyConnection, games: Sequence[Reached], line: Sequence[Step]
) -> Counter[int | None]:
    """Return the numbers that `tree_sql.by_line` returns. games: one at least."""
    listed = ", ".join(f"{game.game:d}" for game in games)
    left = defaultdict(list)
    """For a step, by its key and move: the numbers of plies to the end of the line."""
    for plies, step in zip(range(len(line), 0, -1), line, strict=True):
        left[find_key(step.before)[0], step.code].append(plies)
    keys = ", ".join({f"{key:d}" for key, _ in left})
    query = f"SELECT key, next_move, game, ply FROM _position WHERE key IN ({keys}) AND game IN ({listed})"
    played = Counter(
        (game, ply + plies)
        for key, move, game, ply in connection.execute(query).fetchall()
        for plies in left.get((key, move), ())
    )
    return Counter(game.next_move for game in games if played[game.game, game.ply] == len(line))


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


_OCCURRENCE = "game, ply, next_move, score, side"
_SETS = ", ".join((*RING_SETS, *(f"{name}_high" for name in RING_SETS)))
_FACTS = ("id", "date_from", "time", "player1", "player2", "ending", "winning_sets", "plies")
_RATINGS = ("rating1", "rating2")
