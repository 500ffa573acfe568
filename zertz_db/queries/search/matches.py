"""Turn the table `found` of matches into hits, continuations and years."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, NamedTuple, TypeAlias

import duckdb

from zertz_db.queries.filters.compile import condition
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.sql_params import require_row_count
from zertz_db.queries.wilson import ENOUGH, share
from zertz_db.store.ratings.dated_games import PLAYED_ORDER

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
    """Return the matches in the temporary table `found`, with their sums.

    Its columns: game, ply, side, score as in `_position`; orientation, the number of one; next, the stored move that it turns, NULL where
    the game ended. Without the column next, the notation of the ply is turned. columns: what `Orientation.shown` means. every: all
    matches count, not only the first of a game.
    offset: number of hits to leave out before the first one listed.
    """
    plies, games, some = connection.execute(_TOTALS).fetchall()[0]
    # With literal ids DuckDB uses the index; a join would read every game.
    wanted = ", ".join(map(str, some or ["NULL"])) if plies <= _FEW else "SELECT game FROM found"
    plies_of_games = f"(FROM _ply WHERE game IN ({wanted}))" if plies <= _FEW else "_ply"
    connection.execute(f"CREATE TEMP TABLE found_game AS {_GAMES.format(wanted=wanted)}")
    named = [name for name, *_ in connection.execute("FROM found LIMIT 0").description]
    counted = "found" if every or plies == games else _FIRST_OF_GAMES
    connection.execute(
        f"CREATE TEMP TABLE counted AS FROM {counted if 'next' in named else _WITH_NOTATION.format(counted, plies_of_games)}"
    )
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
    """Return the tables `continuations` and `years`.

    by_move: the number of an orientation, a stored move, matches, wins, ties, losses. by_year: the year and the four numbers.
    """
    moves: dict[str | None, Sums] = defaultdict(lambda: [0, 0, 0, 0])
    years: dict[int | None, Sums] = {}
    for number, code, *counts in by_move:
        total = moves[None if code is None else orientation(number).turned(code)]
        total[:] = map(add, total, counts)
    for year, *counts in by_year:
        years[year] = counts
    sorted_moves = sorted(moves.items(), key=lambda item: (item[0] is None, -item[1][0], item[0]))
    sorted_years = sorted(years.items(), key=lambda item: (item[0] is None, item[0]))
    return {
        "continuations": _table(Column("move", _NEXT), sorted_moves),
        "years": _table(Column("year", "the year; empty if unknown"), sorted_years),
    }


def _table(first: Column, sums: Sequence[tuple[Any, Sums]]) -> Result:
    return Result((first, *_COUNTED), [(value, *count_results(*counts)) for value, counts in sums])


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
_TOTALS = f"""
    SELECT count(*), count(DISTINCT game), (SELECT list(DISTINCT game) FROM (SELECT game FROM found LIMIT {_FEW})) FROM found
"""
_GAMES = f"""
    SELECT id AS game, date_from, {PLAYED_ORDER} AS place,
        if(year(date_from) = year(date_to), year(date_from), NULL) AS year
    FROM _game WHERE id IN ({{wanted}})
"""
_FIRST_OF_GAMES = "(FROM found SEMI JOIN (SELECT game, min(ply) AS ply FROM found GROUP BY game) USING (game, ply))"
"""The first match of each game; a position has one match."""
_WITH_NOTATION = "(SELECT f.*, notation AS next FROM {} f LEFT JOIN {} USING (game, ply))"
_HITS = """
    WITH listed AS (
        FROM counted JOIN (SELECT game, date_from FROM found_game) USING (game) ORDER BY date_from DESC NULLS LAST, game, ply {}
    )
    SELECT orientation, next, game AS id, ply, date, player1, player2, result, board, side
    FROM listed JOIN (SELECT id, date, player1, player2, result, board FROM _game) ON id = game
    ORDER BY date_from DESC NULLS LAST, game, ply
"""
_FIRST = """
    WITH earliest AS (SELECT game, ply FROM counted JOIN found_game USING (game) ORDER BY place, ply LIMIT 1)
    SELECT id, ply, date, player1, player2 FROM earliest JOIN _game ON id = game
"""
_SUMS = """
    SELECT {0}, count(*), count(*) FILTER (score = 1), count(*) FILTER (score = 0), count(*) FILTER (score = -1)
    FROM counted JOIN found_game USING (game) GROUP BY {0}
"""
