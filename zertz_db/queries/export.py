"""Games on their way out: as tables, as JSON objects, as a database file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

from zertz_db.queries.binding import run
from zertz_db.queries.filters import Asked
from zertz_db.queries.game import find_id
from zertz_db.queries.games import NEWEST, selection
from zertz_db.store.opening import Database

_AT_ONCE = 5000
"""Games, or rows, that are in memory together."""


def table(database: Database, filters: Asked = "", sort: str = NEWEST) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """All columns of the view `games`: their names, and the rows of the games that pass the filters."""
    query, values = selection(_EVERYTHING, filters, sort)
    cursor = run(database.connection(), query, values)
    return [column[0] for column in cursor.description or ()], _rows(cursor)


def write_parquet(database: Database, path: Path, filters: Asked = "", sort: str = NEWEST) -> None:
    """Write what `table` gives to a Parquet file."""
    query, values = selection(_EVERYTHING, filters, sort)
    target = str(path).replace("'", "''")
    run(database.connection(), f"COPY ({query}) TO '{target}' (FORMAT parquet)", values)


def write_database(database: Database, path: Path) -> None:
    """Copy the live generation: a plain DuckDB file with every table and view."""
    database.connection()
    database.copy_to(path)


def objects(database: Database, filters: Asked = "", sort: str = NEWEST) -> Iterator[dict[str, Any]]:
    """Each game as an object for JSON: what `zertz check --format jsonl` says, its id, players, date, result and moves.

    source, member, index, line and findings are those of the record that leads.
    """
    connection = database.connection()
    query, values = selection("_game.id", filters, sort)
    numbers = [number for (number,) in run(connection, query, values).fetchall()]
    for begin in range(0, len(numbers), _AT_ONCE):
        yield from _objects(connection, numbers[begin : begin + _AT_ONCE])


def game_object(database: Database, text: str) -> dict[str, Any]:
    """The object of one game, found as `game.game` finds it."""
    connection = database.connection()
    return _objects(connection, [find_id(connection, text)])[0]


def _objects(connection: duckdb.DuckDBPyConnection, numbers: list[int]) -> list[dict[str, Any]]:
    """The objects of these games, in their order."""
    wanted = ", ".join(f"{number:d}" for number in numbers)
    cursor = connection.execute(f"SELECT _game.id, {_OBJECT} FROM _game WHERE _game.id IN ({wanted})")
    _, *names = (column[0] for column in cursor.description or ())
    found = {}
    for number, *row in cursor.fetchall():
        found[number] = game = dict(zip(names, row, strict=True))
        game["winning_sets"] = game["winning_sets"].split("+") if game["winning_sets"] else []
    return [found[number] for number in numbers]


def _rows(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(_AT_ONCE):
        yield from rows


_EVERYTHING = "* REPLACE (id_text(_game.id) AS id, id_text(record) AS record)"
_PLACE = """(
    SELECT {column} FROM _record r JOIN _source s ON s.id = r.source
    WHERE r.id = _game.record ORDER BY status <> 'stored', r.run, path, member, r.index LIMIT 1
) AS {name}"""
_OBJECT = ", ".join([
    "id_text(_game.id) AS id", "player1", "player2", "event", "site", "round", "date", "result",
    *(_PLACE.format(column=column, name=name) for column, name in (
        ("path", "source"), ("nullif(member, '')", "member"), ("r.index", "index"), ("line_from", "line"), ("dialect", "dialect")
    )),
    "board", "rule_set", "verdict", "plies", "ending", "winner", "winning_sets",
    "[[captured1_white, captured1_grey, captured1_black], [captured2_white, captured2_grey, captured2_black]] AS captured",
    "[pool_white, pool_grey, pool_black] AS pool",
    """coalesce((
        SELECT list({code: code, severity: severity, message: message, line: line, "column": col, ply: ply, rule: rule,
                     suggestion: suggestion} ORDER BY line, col)
        FROM _finding WHERE _finding.record = _game.record
    ), []) AS findings""",
    "coalesce((SELECT list(notation ORDER BY ply) FROM _ply WHERE _ply.game = _game.id), []) AS moves",
])  # fmt: skip
