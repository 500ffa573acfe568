"""Export games as tables, as JSON objects, as a database file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb

from zertz_db.queries.corrections import corrections_of
from zertz_db.queries.games.game_list import NEWEST, selection
from zertz_db.queries.games.one_game import find_number
from zertz_db.queries.memory.cached_games import CachedGames
from zertz_db.queries.replay_moves import moves
from zertz_db.queries.result import run_query
from zertz_db.queries.sql_params import execute
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text
from zertz_db.store.schema.position_columns import COLOURS, COUNTS, HOLDERS
from zertz_db.store.sql_literals import literal

_AT_ONCE = 5000
"""Number of games, or rows, in memory at a time."""


def table(database: Database, filters: str = "", sort: str = NEWEST) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """Return all columns of the view `games`: their names, and the rows of the games that match the filters."""
    connection = database.connection()
    cursor = execute(connection, *selection(_list_columns(connection), filters, sort))
    return [column[0] for column in cursor.description or ()], _rows(cursor)


def write_parquet(database: Database, path: Path, filters: str = "", sort: str = NEWEST) -> None:
    """Write the result of `table` to a Parquet file."""
    connection = database.connection()
    query, values = selection(_list_columns(connection), filters, sort)
    execute(connection, f"COPY ({query}) TO {literal(path)} (FORMAT parquet)", values)


def write_database(database: Database, path: Path) -> None:
    """Copy the live generation: a plain DuckDB file with every table and view."""
    database.connection()
    database.copy_to(path)


def objects(
    database: Database, filters: str = "", sort: str = NEWEST, limit: int | None = None
) -> Iterator[dict[str, Any]]:
    """Yield each game as an object for JSON, as `zertz check --format jsonl` has it: id, players, date, result, moves and so on.

    limit: maximum number of games. source, member, index, line and findings are those of the representative record.
    """
    connection = database.connection()
    query, values = selection("_game.id", filters, sort, limit)
    numbers = [number for (number,) in execute(connection, query, values).fetchall()]
    for begin in range(0, len(numbers), _AT_ONCE):
        yield from _objects(connection, numbers[begin : begin + _AT_ONCE])


def game_object(database: Database, text: str) -> dict[str, Any]:
    """Return the object of one game, given by its id or a prefix of it. Raise the errors of `find_id`."""
    number, kept = find_number(database, text)
    return _cached_object(kept, number) if kept else _objects(database.connection(), [number])[0]


def _objects(connection: duckdb.DuckDBPyConnection, numbers: list[int]) -> list[dict[str, Any]]:
    """Return the objects of these games, in their order."""
    if not numbers:
        return []
    games = {row["id"]: row for row in _rows_by_id(connection, _OF_GAMES, numbers)}
    records = [row["record"] for row in games.values()]
    places = _places(connection, records)
    findings = defaultdict(list)
    for row in _rows_by_id(connection, _OF_FINDINGS, records):
        findings[row.pop("record")].append(row)
    corrections = corrections_of(connection, numbers)
    return [
        {**_object(games[number], places, findings), "corrections": corrections.get(number, [])} for number in numbers
    ]


def _cached_object(kept: CachedGames, number: int) -> dict[str, Any]:
    """Return the object of a game from kept facts."""
    game = kept.row(number, _CACHED)
    place = {
        "source": game["path"],
        "member": game["member"] or None,
        "index": game["index"],
        "line": game["line_from"],
        "dialect": game["dialect"],
    }
    record = game["record"]
    built = _object(game, {record: place}, {record: kept.findings(record)})
    return {**built, "corrections": kept.corrections(number)}


def _object(
    game: dict[str, Any], places: Mapping[int, dict[str, Any]], findings: Mapping[int, list[dict[str, Any]]]
) -> dict[str, Any]:
    record, sets = game["record"], game["winning_sets"]
    pool, *captured = ([game[f"{holder}_{colour}"] for colour in COLOURS] for holder in HOLDERS)
    return {
        "id": to_text(game["id"]),
        **{name: game[name] for name in _STATED},
        **places[record],
        **{name: game[name] for name in _COMPUTED},
        "winning_sets": sets.split("+") if sets else [],
        "captured": captured,
        "pool": pool,
        "findings": findings.get(record, []),
        "moves": moves(game["movetext"]),
    }


def _places(connection: duckdb.DuckDBPyConnection, records: list[int]) -> dict[int, dict[str, Any]]:
    """Return the first place of each of these records, and its dialect."""
    rows = _rows_by_id(connection, _OF_RECORDS, records)
    paths = dict(execute(connection, _OF_SOURCES.format(_listed({row["source"] for row in rows}))).fetchall())
    first: dict[int, tuple[Any, ...]] = {}
    for row in rows:
        path, member = paths[row["source"]], row["member"]
        place = {
            "source": path,
            "member": member or None,
            "index": row["index"],
            "line": row["line_from"],
            "dialect": row["dialect"],
        }
        rank = row["status"] != "stored", row["run"], path, member, row["index"]
        first[row["id"]] = min(first.get(row["id"], (rank, place)), (rank, place), key=itemgetter(0))
    return {record: place for record, (_, place) in first.items()}


def _rows_by_id(connection: duckdb.DuckDBPyConnection, query: str, numbers: Iterable[int]) -> list[dict[str, Any]]:
    """Return the rows of a query with these ids as literals, so that DuckDB uses an index."""
    return run_query(connection, query.format(_listed(numbers))).dicts()


def _list_columns(connection: duckdb.DuckDBPyConnection) -> str:
    """Return expressions for the columns of the view `games`, over `_game`."""
    names = [name for name, *_ in connection.execute("DESCRIBE games").fetchall()]
    return ", ".join(_IDS.get(name, name) for name in names)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(f"{number:d}" for number in numbers)


def _rows(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(_AT_ONCE):
        yield from rows


_IDS = {"id": "id_text(_game.id) AS id", "record": "id_text(record) AS record"}
_STATED = ("player1", "player2", "event", "site", "round", "date", "result")
_COMPUTED = ("board", "rule_set", "verdict", "plies", "ending", "winner")
_COLUMNS = ("id", "record", *_STATED, *_COMPUTED, "winning_sets", *COUNTS, "movetext")
_CACHED = (*_COLUMNS, "path", "member", "index", "line_from", "dialect")
_NEEDED = ", ".join(_COLUMNS)
_OF_GAMES = f"SELECT {_NEEDED} FROM _game WHERE id IN ({{}})"
_OF_RECORDS = "SELECT id, source, member, index, line_from, dialect, status, run FROM _record WHERE id IN ({})"
_OF_SOURCES = "SELECT id, path FROM _source WHERE id IN ({})"
_OF_FINDINGS = """
    SELECT record, code, severity, message, line, col AS "column", ply, rule, suggestion
    FROM _finding WHERE record IN ({}) ORDER BY record, line, col
"""
