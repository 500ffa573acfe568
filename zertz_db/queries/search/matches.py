"""Turn the table `found` of matches into hits, continuations and years."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import duckdb

from zertz_db.queries.filters.compile import condition
from zertz_db.queries.result import Column, LateResult, Result, run_query
from zertz_db.queries.sql_params import require_row_count
from zertz_db.queries.wilson import ENOUGH, share
from zertz_db.store.ratings.dated_games import PLAYED_ORDER
from zertz_db.store.schema.ply_columns import plies_of

LIMIT = 100
"""Default number of listed matches."""


Sums: TypeAlias = list[int]
"""Matches, wins, ties, losses."""


@dataclass(frozen=True, slots=True)
class Found:
    """Result of a search.

    games: games with a match. plies: matches in them, also where only the first of each game counts in the tables. hits: the
    matches, the latest game first. continuations: what was played next, in the asker's orientation. years: when. Wins, ties and
    losses are those of the side to move. first: the match that was played first: id, ply, date, player1, player2; None without a match.
    """

    games: int
    plies: int
    hits: Result
    continuations: Result
    years: Result
    first: dict[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON, with tables as lists of objects."""
        tables = {name: getattr(self, name).dicts() for name in ("hits", "continuations", "years")}
        return {"games": self.games, "plies": self.plies, "first": self.first, **tables}


class Orientation(NamedTuple):
    """One way in which matches lie on the board.

    shown: what is told of it, a value for each of the columns that the search adds to the hits. turned: a stored move made into the
    asker's notation.
    """

    shown: tuple[Any, ...]
    turned: Callable[[Any], str]


def select_columns(filters: str) -> tuple[str, list[Any]]:
    """Return the condition that the column `game` passes the filters."""
    where, values = condition(filters)
    return ("true", []) if where == "true" else (f"game IN (SELECT _game.id FROM _game WHERE {where})", values)


def require_limit(limit: int | None) -> None:
    """Raise QueryError for a number of matches that can't be listed."""
    require_row_count(limit or 0, "matches")


def collect(
    connection: duckdb.DuckDBPyConnection,
    orientation: Callable[[int], Orientation],
    columns: Sequence[Column],
    every: bool,
    limit: int | None,
    offset: int = 0,
) -> Found:
    """Return the matches in the temporary view `found`, with their sums.

    Its columns: game, ply, side, score as in `_position`; orientation, the number of one; next, the stored move that it turns, NULL where
    the game ended. Without the column next, the notation of the ply is turned. columns: what `Orientation.shown` means. every: all
    matches count, not only the first of a game.
    offset: number of hits to leave out before the first one listed.
    """
    named = [name for name, *_ in connection.execute("FROM found LIMIT 0").description]
    source = "found"
    if not every:
        source = "first_match"
        connection.execute(_FIRST_MATCHES.format(", ".join(f"{name} := {name}" for name in named if name in _TAKEN)))
    plies, games, some = connection.execute((_TOTALS if every else _FIRST_TOTALS).format(source)).fetchall()[0]
    is_few = (plies if every else games) <= _FEW
    # With literal ids DuckDB uses the index; a join would read every game.
    wanted = f"({', '.join(map(str, some or ['NULL']))})" if is_few else f"(SELECT game FROM {source})"
    is_noted = "next" not in named
    connection.execute(_MATCHES_WITH_GAMES.format(
        source=source, wanted=wanted,
        notation=", notation AS next" if is_noted else "",
        join=f"LEFT JOIN {plies_of(wanted) if is_few else '_ply'} USING (game, ply)" if is_noted else "",
    ))  # fmt: skip
    return Found(
        games=games,
        plies=plies,
        first=next(iter(run_query(connection, _FIRST, ids=("id",)).dicts()), None),
        hits=_hits(connection, orientation, columns, limit, offset),
        **_sums(connection, orientation),
    )


def _hits(
    connection: duckdb.DuckDBPyConnection,
    orientation: Callable[[int], Orientation],
    columns: Sequence[Column],
    limit: int | None,
    offset: int,
) -> Result:
    sql = _HITS.format(f"{'' if limit is None else f'LIMIT {limit:d} '}OFFSET {offset:d}")
    return build_hits(run_query(connection, sql, about="games", ids=("id",)), orientation, columns)


def build_hits(stored: Result, orientation: Callable[[int], Orientation], columns: Sequence[Column]) -> Result:
    """Return the hits of a table that begins with the number of the orientation and the stored next move."""
    rows = []
    for number, code, *row in stored.rows:
        rows.append((*row, None if code is None else orientation(number).turned(code), *orientation(number).shown))
    meant = {"ply": _PLY, "side": _SIDE}
    plain = (Column(column.name, meant.get(column.name, column.meaning)) for column in stored.columns[2:])
    return Result((*plain, Column("next", _NEXT), *columns), rows)


def _sums(connection: duckdb.DuckDBPyConnection, orientation: Callable[[int], Orientation]) -> dict[str, Result]:
    """Return the tables `continuations` and `years`."""
    by_move, by_year = (
        connection.execute(_SUMS.format(columns)).fetchall() for columns in ("orientation, next", "year")
    )
    return build_sums(by_move, by_year, orientation)


def build_sums(
    by_move: Iterable[Sequence[Any]], by_year: Iterable[Sequence[Any]], orientation: Callable[[int], Orientation]
) -> dict[str, Result]:
    """Return the tables `continuations` and `years`. A pattern has up to ten thousands of continuations: they are turned on first use.

    by_move: the number of an orientation, a stored move, matches, wins, ties, losses. by_year: the year and the four numbers.
    """
    moves = list(by_move)
    years = sorted(by_year, key=lambda row: (row[0] is None, row[0]))
    return {
        "continuations": LateResult(
            (Column("move", _NEXT), *_COUNTED), lambda: list(_list_continuations(moves, orientation))
        ),
        "years": Result(
            (Column("year", "the year; empty if unknown"), *_COUNTED),
            [(year, *count_results(*counts)) for year, *counts in years],
        ),
    }


def _list_continuations(
    by_move: Sequence[Sequence[Any]], orientation: Callable[[int], Orientation]
) -> Iterator[tuple[Any, ...]]:
    """Yield the moves with their counts, most matches first, games that ended last. by_move: as for `build_sums`."""
    moves: dict[str | None, Sums] = defaultdict(lambda: [0, 0, 0, 0])
    for number, code, matches, wins, ties, losses in by_move:
        total = moves[None if code is None else orientation(number).turned(code)]
        total[0] += matches
        total[1] += wins
        total[2] += ties
        total[3] += losses
    for move, counts in sorted(moves.items(), key=lambda item: (item[0] is None, -item[1][0], item[0])):
        yield (move, *count_results(*counts))


def count_results(matches: int, wins: int, ties: int, losses: int) -> tuple[Any, ...]:
    """Return the counts with the points share and its interval, which are None for too few matches."""
    points = share(wins + ties / 2, wins + ties + losses)
    return (matches, wins, ties, losses, *(points or (None, None, None)))


_PLY = "plies played before it: `zertz show ID --ply` shows it"
_SIDE = "the player to move"
_NEXT = "what was played next, in the asker's orientation; empty where the game ended"
_COUNTED = (
    Column("matches", "number of matches: the first of each game, or all"),
    Column("wins", "won by the side to move"),
    Column("ties", "tied, or lost by both"),
    Column("losses", "lost by the side to move"),
    Column(
        "share", f"points of the side to move among those, a tie one half, from 0 to 1; empty for fewer than {ENOUGH}"
    ),
    Column("low", "the true share lies between this, with 95 % confidence (Wilson),"),
    Column("high", "and this"),
)
_FEW = 500
_TAKEN = ("side", "score", "orientation", "next")
"""Columns of `found` that matches are counted by."""
_FIRST_MATCHES = """
    CREATE OR REPLACE TEMP TABLE first_match AS SELECT game, ply, matches, unnest(taken) FROM (
        SELECT game, min(ply) AS ply, count(*) AS matches, arg_min(struct_pack({}), ply) AS taken FROM found GROUP BY game
    )
"""
"""The first match of each game, and the number of its matches; a position has one match."""
_SOME = f"(SELECT list(DISTINCT game) FROM (SELECT game FROM {{0}} LIMIT {_FEW}))"
_TOTALS = f"SELECT count(*), count(DISTINCT game), {_SOME} FROM {{0}}"
_FIRST_TOTALS = f"SELECT coalesce(sum(matches), 0)::BIGINT, count(*), {_SOME} FROM {{0}}"
_MATCHES_WITH_GAMES = f"""
    CREATE OR REPLACE TEMP TABLE counted AS SELECT matching.*, date_from, place, year{{notation}}
    FROM {{source}} AS matching JOIN (
        SELECT id AS game, date_from, {PLAYED_ORDER} AS place,
            if(year(date_from) = year(date_to), year(date_from), NULL) AS year
        FROM _game WHERE id IN {{wanted}}
    ) USING (game) {{join}}
"""
_HITS = """
    WITH listed AS (FROM counted ORDER BY date_from DESC NULLS LAST, game, ply {})
    SELECT orientation, next, game AS id, ply, date, player1, player2, result, board, side
    FROM listed JOIN (SELECT id, date, player1, player2, result, board FROM _game) ON id = game
    ORDER BY date_from DESC NULLS LAST, game, ply
"""
_FIRST = """
    WITH earliest AS (SELECT game, ply FROM counted ORDER BY place, ply LIMIT 1)
    SELECT id, ply, date, player1, player2 FROM earliest JOIN _game ON id = game
"""
_SUMS = """
    SELECT {0}, count(*), count(*) FILTER (score = 1), count(*) FILTER (score = 0), count(*) FILTER (score = -1)
    FROM counted GROUP BY {0}
"""
