"""SQL of the opening tree: find games that reached a position, and sum them by continuation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import duckdb

from zertz_db.parser.vocabulary.board_names import board_named
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.trees import required_values
from zertz_db.queries.sql_params import execute
from zertz_db.rules import kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD
from zertz_db.rules.canonical import find_key
from zertz_db.rules.position import Position
from zertz_db.store.ratings.dated_games import PLAYED_ORDER
from zertz_db.store.schema.position_columns import RING_SETS, join_colours, pack_counts


class Sums(NamedTuple):
    """Sums of games with one continuation (None: the game ended here) and one ending.

    wins and losses are those of the side to move. latest: when the last of them was played, and its number.
    """

    move: int | None
    ending: str | None
    winning_sets: str | None
    games: int
    wins: int
    ties: int
    losses: int
    plies: int
    latest: tuple[dt.date | None, int]


class Details(NamedTuple):
    """Ratings in the games with one continuation, and the first of these games.

    rated: number of games in which the side to move has a rating, and `rating` their mean. scored: number of games with a result in which
    the opponent has one; `points` of the side to move in these, and `opponents` the mean of these opponents' ratings. first: number of
    the game that was played first (`PLAYED_ORDER`), its date, and the player whose move it was.
    """

    rated: int
    rating: float | None
    scored: int
    points: float
    opponents: float | None
    first: int
    first_date: dt.date | None
    first_player: str | None


class Step(NamedTuple):
    """Position and the code of the next move."""

    before: Position
    code: int


class SoughtPosition(NamedTuple):
    """Position to look up, with filters of games.

    board_only: ignore side to move, pool, captures and rules.
    """

    position: Position
    filters: str = ""
    board_only: bool = False


def has_implied_filters(wanted: SoughtPosition) -> bool:
    """Check that the position implies the filters: they require at most its board and its rule set."""
    position = wanted.position
    terms = required_values(wanted.filters)
    return terms is not None and all(
        board_named(value) == position.board.name
        if field == "board"
        else field == "rules" and value == position.rules.name and not wanted.board_only
        for field, value in terms
    )


def sums(connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition) -> list[Sums]:
    """Return sums by continuation. A game that reached the position several times counts once, for the first time."""
    return _node_sums(connection, wanted) or _sums(connection, wanted)


def _node_sums(connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition) -> list[Sums]:
    """Return sums from the stored nodes; none if these lack the data, as for positions that may recur."""
    if wanted.board_only or not has_implied_filters(wanted) or not any(wanted.position.pool):
        return []
    position = wanted.position
    alike = " AND ".join((_key(position), *_hands(position), f"rule_set = '{position.rules.name}'"))
    rows = connection.execute(f"""
        SELECT move, ending, winning_sets, games, wins, draws, losses, sum_plies, last_date, last_game
        FROM _node WHERE {alike}
    """).fetchall()
    return [Sums(*(*row, (last_date, game))) for *row, last_date, game in rows]


def _sums(connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition) -> list[Sums]:
    chosen, values = _chosen(wanted)
    rows = execute(
        connection,
        f"""
        SELECT next_move, ending, winning_sets, count(*), count(*) FILTER (score = 1), count(*) FILTER (score = 0),
            count(*) FILTER (score = -1), sum(plies)::BIGINT, max_by((date_from, game), (coalesce(date_from, '{_LONG_AGO}'), game))
        FROM ({_reached(wanted)}) JOIN ({chosen}) ON id = game GROUP BY ALL
        """,
        values,
    ).fetchall()
    return [Sums(*row) for row in rows]


def details(connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition) -> dict[int | None, Details]:
    """Return ratings and the first game, by continuation."""
    where, values = passing(wanted)
    rows = execute(
        connection,
        f"""
        SELECT next_move, count(mover), avg(mover), count(scored),
            coalesce(sum((score + 1) / 2) FILTER (scored IS NOT NULL), 0), avg(scored),
            unnest(min_by({{'first': id, 'first_date': date_from, 'first_player': player}}, place))
        FROM (
            SELECT next_move, score, id, date_from, {PLAYED_ORDER} AS place, CASE side WHEN 1 THEN player1 ELSE player2 END AS player,
                CASE side WHEN 1 THEN rating1 ELSE rating2 END AS mover,
                CASE WHEN score IS NULL THEN NULL WHEN side = 1 THEN rating2 ELSE rating1 END AS scored
            FROM ({_reached(wanted)}) reached
            JOIN (SELECT id, date_from, time, player1, player2 FROM _game WHERE {where}) ON id = game LEFT JOIN _rating USING (game)
        ) GROUP BY next_move
        """,
        values,
    ).fetchall()
    return {move: Details(*numbers) for move, *numbers in rows}


def by_line(
    connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition, line: Sequence[Step]
) -> dict[int | None, int]:
    """Count the games that reached the position by a line, for each continuation.

    Only the position itself is compared fully; for the steps before it keys are enough, because the moves imply board and marbles.
    """
    chosen, values = _chosen(wanted)
    query = f"""
        WITH reached AS MATERIALIZED ({_reached(wanted)}), came AS (
            SELECT game, ply FROM ({steps_of(line)}) WHERE game IN (SELECT game FROM reached)
            GROUP BY game, ply HAVING count(*) = {len(line)}
        )
        SELECT next_move, count(*) FROM reached JOIN came USING (game, ply) JOIN ({chosen}) ON id = game GROUP BY next_move
    """
    return dict(execute(connection, query, values).fetchall())


def steps_of(line: Sequence[Step]) -> str:
    """Return a query of the plies after a line in the games that played a step of it: with a row for each step."""
    return " UNION ALL ".join(
        f"SELECT game, ply + {left} AS ply FROM _position WHERE {_key(before)} AND next_move = {code}"
        for left, (before, code) in zip(range(len(line), 0, -1), line, strict=True)
    )


def count(connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition) -> int:
    """Count the games that reached the position."""
    chosen, values = _chosen(wanted)
    query = f"SELECT count(DISTINCT game) FROM ({occurrences(wanted)}) JOIN ({chosen}) ON id = game"
    return int(execute(connection, query, values).fetchall()[0][0])


def which(wanted: SoughtPosition) -> tuple[str, list[str | int | dt.date]]:
    """Return a condition on rows of `_game` that a game reached the position and passes the filters, and its parameters."""
    where, values = passing(wanted)
    reached = f"SELECT game FROM _position WHERE {' AND '.join(_conditions(wanted))}"
    return f"{where} AND _game.id IN ({reached})", values


def _chosen(wanted: SoughtPosition) -> tuple[str, list[str | int | dt.date]]:
    where, values = passing(wanted)
    return f"SELECT id, ending, winning_sets, plies, date_from FROM _game WHERE {where}", values


def passing(wanted: SoughtPosition) -> tuple[str, list[str | int | dt.date]]:
    """Return the condition of the filters and the rule set on rows of `_game`."""
    where, values = condition(wanted.filters)
    return f"({where})" if wanted.board_only else f"({where}) AND rule_set = '{wanted.position.rules.name}'", values


def _reached(wanted: SoughtPosition) -> str:
    """Return a query of the first occurrence in each game."""
    rows = occurrences(wanted)
    if any(wanted.position.pool) and not wanted.board_only:
        return rows  # a position recurs only if captured marbles are placed, so with an empty pool
    first = ", ".join(f"arg_min_null({column}, ply) AS {column}" for column in ("next_move", "score", "side"))
    return f"SELECT game, min(ply) AS ply, {first} FROM ({rows}) GROUP BY game"


def occurrences(wanted: SoughtPosition) -> str:
    """Return a query of all stored positions that are the one wanted."""
    return f"SELECT game, ply, next_move, score, side FROM _position WHERE {' AND '.join(_conditions(wanted))}"


def _conditions(wanted: SoughtPosition) -> Iterator[str]:
    """Yield conditions on a stored position: the key finds it, the sets confirm it."""
    yield candidates(wanted)
    yield _is_image(wanted.position)


def candidates(wanted: SoughtPosition) -> str:
    """Return the condition on stored positions that may be the one wanted: `image_sets` confirms it."""
    hands = () if wanted.board_only else _hands(wanted.position)
    # all boards without a ring have one key
    return " AND ".join((_key(wanted.position), f"board = '{wanted.position.board.name}'", *hands))


def _key(position: Position) -> str:
    return f"key = {find_key(position)[0]}"


def _hands(position: Position) -> Iterator[str]:
    yield f"side = {position.side}"
    yield f"counts = {pack_counts([*position.pool, *position.captured[0], *position.captured[1]])}"


@lru_cache(maxsize=64)  # one answer takes several queries
def _is_image(position: Position) -> str:
    """Return the condition that rings and marbles equal an image of the position under a symmetry of its board."""
    return f"({' OR '.join(sorted(set(_images(position))))})"


def _images(position: Position) -> Iterator[str]:
    """Yield for each image of the position the condition that rings and marbles equal it."""
    for image in image_sets(position):
        turned = zip(RING_SETS, image, strict=True)
        yield f"({' AND '.join(part for name, rings in turned for part in _equal(position, name, rings))})"


@lru_cache(maxsize=64)
def image_sets(position: Position) -> frozenset[tuple[int, ...]]:
    """Return the sets of rings (RING_SETS) of the images of a position under the symmetries of its board."""
    state = position.state
    sets = state[kernel.RINGS], *join_colours(*state[kernel.MARBLES : kernel.MARBLES + 3])
    images = position.board.symmetries
    return frozenset(
        tuple(sum(1 << to for ring, to in enumerate(image) if rings >> ring & 1) for rings in sets) for image in images
    )


def _equal(position: Position, name: str, rings: int) -> Iterator[str]:
    yield f"{name} = {rings & (1 << LARGEST_COMPILED_BOARD) - 1}"
    if len(position.board.rings) > LARGEST_COMPILED_BOARD:
        yield f"{name}_high = {rings >> LARGEST_COMPILED_BOARD}"


_LONG_AGO = "0001-01-01"
