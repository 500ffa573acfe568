"""Find patterns in the positions of a database."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.queries.result import Column
from zertz_db.queries.search.embeddings import Embedding, embedded_cells, find_embeddings
from zertz_db.queries.search.lattice import Cell, Symmetry
from zertz_db.queries.search.matches import LIMIT, Found, Orientation, collect, require_limit, select_columns
from zertz_db.queries.search.pattern import QUANTITIES, Limit, Pattern, allowed
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.positions import as_position, board_of
from zertz_db.queries.search.scan import NONE, Sets, matches
from zertz_db.queries.sql_params import Value, execute
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, RING, Board
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

_AT_ONCE = 1 << 17
"""Number of positions per batch of a thread."""

COLUMNS = (Column("cells", "the rings under the pattern's cells, in their order; - beyond the edge"),)


def find_pattern(
    database: Database,
    pattern: Pattern | str,
    filters: str = "",
    *,
    every: bool = False,
    limit: int | None = LIMIT,
) -> Found:
    """Find the games with a position that a pattern (or its text) matches.

    every: all matching positions of a game count, not only its first. limit: so many matches are listed, None for all. Where a position
    matches in several ways, one of them is told. In moves the rings are named by the pattern's own coordinates, unless it names
    rings. QueryError for a text that is no pattern.
    """
    asked = parse_pattern(pattern) if isinstance(pattern, str) else pattern
    return _collected(database, PatternSearch(asked, filters), every, limit)


def find_reachable(
    database: Database,
    position: Position | str,
    filters: str = "",
    *,
    every: bool = False,
    limit: int | None = LIMIT,
) -> Found:
    """Find the games with a position that may have come from this one, up to the symmetries of its board.

    What a game can't undo must hold: rings that are gone stay so, the pool does not grow, and while it lasts a player's captures don't
    shrink. That is necessary, and not always enough. every, limit: as for `find_pattern`.
    """
    return _collected(database, reachable(as_position(position), filters), every, limit)


def reachable(position: Position, filters: str) -> PatternSearch:
    """Return the search for positions that may have come from a position."""
    gone = {ring: "." for ring in position.board.rings if position.on(ring) is None}
    shrinking = [Limit(f"pool.{colour}", "<=", left) for colour, left in position.pool._asdict().items()]
    pattern = Pattern(gone, limits=tuple(shrinking), board=position.board.name, turned=bool(gone))
    grown = [
        f"captured{player}_{colour} >= {held}"
        for player, captured in enumerate(position.captured, 1)
        for colour, held in captured._asdict().items()
    ]
    growing = f"({' AND '.join(grown)} OR {QUANTITIES['pool']} = 0)"
    return PatternSearch(pattern, filters, growing, position.board)


class PatternSearch(NamedTuple):
    """A pattern, which games, a further condition on rows of `_position`, and the only board that counts, if there is one."""

    pattern: Pattern
    filters: str
    condition: str = "true"
    only: Board | None = None


class _Part(NamedTuple):
    """Positions on one board: a condition on rows of `_position`."""

    board: Board
    condition: str
    values: list[Value]


def _collected(database: Database, search: PatternSearch, every: bool, limit: int | None) -> Found:
    require_limit(limit)
    connection = database.connection()
    return collect(connection, match_pattern(connection, search), COLUMNS, every, limit)


def match_pattern(connection: duckdb.DuckDBPyConnection, search: PatternSearch) -> Callable[[int], Orientation]:
    """Create the temporary table `found` of all matches, as `collect` takes it; return its orientations by their numbers."""
    rows: list[Any] = [np.empty(0, np.int64)]
    numbers: list[Any] = [np.empty(0, np.int32)]
    places: list[tuple[Board, Embedding]] = []
    for part in _parts(connection, search):
        placed = find_embeddings(search.pattern, part.board)
        for found, which in _scanned(connection, part, placed) if placed else ():
            rows.append(found)
            numbers.append(which + len(places))
        places += [(part.board, placing) for placing in placed]
    connection.register("matching", pa.table({"row": np.concatenate(rows), "orientation": np.concatenate(numbers)}))
    connection.execute(f"CREATE TEMP TABLE found AS {_FOUND}")
    connection.unregister("matching")
    return cache(lambda number: _orientation(search.pattern, *places[number]))


def _parts(connection: duckdb.DuckDBPyConnection, search: PatternSearch) -> Iterator[_Part]:
    """Yield the boards of the database that the pattern may match, custom ones by their rings."""
    passing, values = select_columns(search.filters)
    limits = [f"{QUANTITIES[limit.quantity]} {limit.sign} {limit.number:d}" for limit in search.pattern.limits]
    fixed = " AND ".join([passing, *limits, search.condition])
    starts: dict[Board, list[str]] = {}
    for name, start in connection.execute(_BOARDS).fetchall():
        if search.pattern.board in (None, name):
            starts.setdefault(board_of(name, start), []).append(start)
    for board, its_starts in starts.items():
        if search.only not in (None, board):
            continue
        if board.is_custom:
            texts = ", ".join("?" * len(its_starts))
            of_board = f"board = 'custom' AND game IN (SELECT id FROM _game WHERE start IN ({texts}))"
            yield _Part(board, f"{of_board} AND {fixed}", [*its_starts, *values])
        else:
            yield _Part(board, " AND ".join([f"board = '{board.name}'", *_needed(search.pattern), fixed]), values)


def _needed(pattern: Pattern) -> Iterator[str]:
    """Conditions that the pattern's marbles imply on a board of one column of rings: they spare most positions a closer look."""
    states = [allowed(sign) for sign in pattern.cells.values()]
    for name, colour in (("white", "W"), ("grey", "G"), ("black", "B")):
        if {colour} in states:
            yield f"{name} <> 0"
    marbles = sum(one <= set("WGB") for one in states)
    if marbles > 1:
        yield f"bit_count(white | grey | black) >= {marbles}"


def _scanned(
    connection: duckdb.DuckDBPyConnection, part: _Part, placed: Sequence[Embedding]
) -> Iterator[tuple[Any, Any]]:
    """The numbers of the rows that match, and for each the number of the placing: some at a time."""

    def scan(batch: tuple[Any, Sets]) -> tuple[Any, Any]:
        rows, sets = batch
        found = matches(sets, placed)
        hits = np.flatnonzero(found != NONE)
        return rows[hits], found[hits]

    workers = os.cpu_count() or 1
    waiting: deque[Future[tuple[Any, Any]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for batch in _batches(connection, part):
            waiting.append(pool.submit(scan, batch))
            if len(waiting) > 2 * workers:  # bounds the part of a large table in memory
                yield waiting.popleft().result()
        yield from (one.result() for one in waiting)


def _batches(connection: duckdb.DuckDBPyConnection, part: _Part) -> Iterator[tuple[Any, Sets]]:
    """Some rows' numbers and sets at a time; those of large boards as integers of Python."""
    sets, high = "rings, white, grey, black", "rings_high, white_high, grey_high, black_high"
    if len(part.board.rings) <= LARGEST_COMPILED_BOARD:
        found = execute(connection, f"SELECT rowid, {sets} FROM _position WHERE {part.condition}", part.values)
        for batch in found.to_arrow_reader(_AT_ONCE):
            rows, *columns = (column.to_numpy() for column in batch.columns)
            yield rows, columns
        return
    found = execute(connection, f"SELECT rowid, {sets}, {high} FROM _position WHERE {part.condition}", part.values)
    while some := found.fetchmany(_AT_ONCE):
        whole = [[row[i] | row[i + 4] << LARGEST_COMPILED_BOARD for row in some] for i in range(1, 5)]
        yield np.array([row[0] for row in some], np.int64), [np.array(column, object) for column in whole]


def _orientation(pattern: Pattern, board: Board, placing: Embedding) -> Orientation:
    names = dict(zip(board.axial, board.rings, strict=True))
    cells = embedded_cells(pattern, board) or {}
    shown = " ".join(names.get(placing.way.lay(cell), "-") for cell in cells)
    return Orientation((shown,), _renaming(pattern, board, placing.way))


def _renaming(pattern: Pattern, board: Board, way: Symmetry) -> Callable[[str], str]:
    """Moves in official notation turned back as the pattern lies, claims left out."""

    back = _back(way)
    at = dict(zip(board.axial, board.rings, strict=True))
    laid = {ring: back.lay(cell) for ring, cell in zip(board.rings, board.axial, strict=True)}
    names = {ring: at[cell] for ring, cell in laid.items()} if pattern.is_named else _coordinates(laid)

    def turned(notation: str) -> str:
        move, _, _ = notation.removeprefix("x ").partition(" x ")
        return "x " * notation.startswith("x ") + RING.sub(lambda ring: names[ring[0]], move)

    return turned


def _coordinates(laid: Mapping[str, Cell]) -> dict[str, str]:
    return {ring: f"({q},{r})" for ring, (q, r) in laid.items()}


def _back(way: Symmetry) -> Symmetry:
    """The way that undoes a way."""
    # A mirrored turn undoes itself; the others are undone by the turn that is missing to a whole one.
    turn = Symmetry(way.sixths if way.mirrored else -way.sixths % 6, way.mirrored)
    q, r = turn.lay((way.q, way.r))
    return turn.moved(-q, -r)


_BOARDS = "SELECT DISTINCT board, CASE WHEN board = 'custom' THEN start END FROM _game"
_FOUND = """
    SELECT p.game, p.ply, p.side, p.score, orientation FROM matching JOIN _position p ON p.rowid = matching.row
"""
