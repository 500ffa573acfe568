"""Where games reached a position, and what followed in sums: the SQL behind the opening tree."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import duckdb

from parser.text.board_names import board_named
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.trees import required_values
from zertz_db.queries.sql_params import execute
from zertz_db.rules import kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD
from zertz_db.rules.canonical import canonical
from zertz_db.rules.position import Position


class Sums(NamedTuple):
    """Games that went on with the same move (None: that ended here) and ended in the same way.

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


class Step(NamedTuple):
    """A position, and the move played from it by its code."""

    before: Position
    code: int


class SoughtPosition(NamedTuple):
    """Which games count: those that reached this position and pass the filters.

    board_only: any position with the same rings and marbles will do, whoever is to move and holds what under which rules.
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
    """What followed. A game that reached the position several times counts once, by the first time."""
    return _kept_sums(connection, wanted) or _sums(connection, wanted)


def _kept_sums(connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition) -> list[Sums]:
    """Those of the nodes; none where they don't know enough, which is so for a position that may come again."""
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


def by_line(
    connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition, line: Sequence[Step]
) -> dict[int | None, int]:
    """How many of these games reached the position by this line, for each move that followed.

    The position is confirmed; before it keys will do, since a game that came by these moves had that board and those marbles in hand.
    """
    chosen, values = _chosen(wanted)
    steps = " UNION ALL ".join(
        f"SELECT game, ply + {left} AS ply FROM _position WHERE {_key(before)} AND next_move = {code}"
        for left, (before, code) in zip(range(len(line), 0, -1), line, strict=True)
    )
    query = f"""
        WITH reached AS MATERIALIZED ({_reached(wanted)}), came AS (
            SELECT game, ply FROM ({steps}) WHERE game IN (SELECT game FROM reached)
            GROUP BY game, ply HAVING count(*) = {len(line)}
        )
        SELECT next_move, count(*) FROM reached JOIN came USING (game, ply) JOIN ({chosen}) ON id = game GROUP BY next_move
    """
    return dict(execute(connection, query, values).fetchall())


def count(connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition) -> int:
    """How many games that is."""
    chosen, values = _chosen(wanted)
    query = f"SELECT count(DISTINCT game) FROM ({_occurrences(wanted)}) JOIN ({chosen}) ON id = game"
    return int(execute(connection, query, values).fetchall()[0][0])


def which(wanted: SoughtPosition) -> tuple[str, list[str | int | dt.date]]:
    """A condition on rows of the table `_game`: that it is one of these games; and its parameters."""
    where, values = _passing(wanted)
    reached = f"SELECT game FROM _position WHERE {' AND '.join(_conditions(wanted))}"
    return f"{where} AND _game.id IN ({reached})", values


def _chosen(wanted: SoughtPosition) -> tuple[str, list[str | int | dt.date]]:
    where, values = _passing(wanted)
    return f"SELECT id, ending, winning_sets, plies, date_from FROM _game WHERE {where}", values


def _passing(wanted: SoughtPosition) -> tuple[str, list[str | int | dt.date]]:
    """A condition on rows of the table `_game`, wherever they have been."""
    where, values = condition(wanted.filters)
    return f"({where})" if wanted.board_only else f"({where}) AND rule_set = '{wanted.position.rules.name}'", values


def _reached(wanted: SoughtPosition) -> str:
    """The first occurrence in each game."""
    rows = _occurrences(wanted)
    if any(wanted.position.pool) and not wanted.board_only:
        return rows  # where a position comes again, captured marbles were placed, so its pool is empty
    first = ", ".join(f"arg_min_null({column}, ply) AS {column}" for column in ("next_move", "score"))
    return f"SELECT game, min(ply) AS ply, {first} FROM ({rows}) GROUP BY game"


def _occurrences(wanted: SoughtPosition) -> str:
    return f"SELECT game, ply, next_move, score FROM _position WHERE {' AND '.join(_conditions(wanted))}"


def _conditions(wanted: SoughtPosition) -> Iterator[str]:
    """What a stored position must be like: the key finds it, the sets confirm it."""
    yield _key(wanted.position)
    yield f"board = '{wanted.position.board.name}'"  # all boards without a ring have one key
    yield f"({' OR '.join(sorted(set(_images(wanted.position))))})"
    if not wanted.board_only:
        yield from _hands(wanted.position)


def _key(position: Position) -> str:
    return f"key = {canonical(position).key}"


def _hands(position: Position) -> Iterator[str]:
    yield f"side = {position.side}"
    for holder, counts in zip(("pool", "captured1", "captured2"), (position.pool, *position.captured), strict=True):
        for colour, held in zip(counts._fields, counts, strict=True):
            yield f"{holder}_{colour} = {held}"


def _images(position: Position) -> Iterator[str]:
    """For each of the board's symmetries, that the sets of rings and marbles are those of the position's image."""
    state = position.state
    sets = {
        "rings": state[kernel.RINGS],
        **dict(zip(("white", "grey", "black"), state[kernel.MARBLES : kernel.MARBLES + 3], strict=True)),
    }
    for image in position.board.symmetries:
        turned = {
            name: sum(1 << to for ring, to in enumerate(image) if rings >> ring & 1) for name, rings in sets.items()
        }
        yield f"({' AND '.join(part for name, rings in turned.items() for part in _equal(position, name, rings))})"


def _equal(position: Position, name: str, rings: int) -> Iterator[str]:
    yield f"{name} = {rings & (1 << LARGEST_COMPILED_BOARD) - 1}"
    if len(position.board.rings) > LARGEST_COMPILED_BOARD:
        yield f"{name}_high = {rings >> LARGEST_COMPILED_BOARD}"


_LONG_AGO = "0001-01-01"
