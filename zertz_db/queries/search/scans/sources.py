"""Read the positions that a pattern may match, board by board, in batches for several threads."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.queries.memory.cached_positions import BATCH, FACTS, SETS, cache_positions
from zertz_db.queries.search.matches import select_columns
from zertz_db.queries.search.pattern import QUANTITIES, Pattern, allowed
from zertz_db.queries.search.positions import board_of
from zertz_db.queries.search.scans.scan import Scan, Sets
from zertz_db.queries.sql_params import Value, execute
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board, standard_board
from zertz_db.rules.position_keys import NO_MOVE_CODE
from zertz_db.store.folder.database import Database
from zertz_db.store.schema.position_columns import RING_SETS, colours_sql

FEW = 1 << 12
"""Number of positions below which no thread is worth its start."""
MANY = 5_000_000
"""Number of positions that are worth a query for each thread, and compiled code: it is compiled once on a machine, for a second or two."""


class PatternSearch(NamedTuple):
    """A pattern, which games, a further condition on rows of `_position`, and the only board that counts, if there is one."""

    pattern: Pattern
    filters: str
    condition: str = "true"
    only: Board | None = None


class Batch(NamedTuple):
    """Some positions: their columns FACTS, their sets, and whether the pattern may match all of them."""

    facts: pa.RecordBatch
    sets: Sets
    is_selected: bool = False


class Source(NamedTuple):
    """Positions on one board. rows: their approximate number. read: returns them in batches; any thread may call it."""

    board: Board
    scan: Scan
    rows: int
    read: Callable[[], Iterable[Batch]]


class _Range(NamedTuple):
    """A connection for one thread, and a condition on the rows that it reads."""

    connection: duckdb.DuckDBPyConnection
    condition: str


def list_sources(
    connection: duckdb.DuckDBPyConnection,
    search: PatternSearch,
    database: Database,
    plan: Callable[[Board], Scan],
    positions: int,
) -> Iterator[Source]:
    """Yield the positions that the pattern may match, board by board. positions: how many there are; MANY are read by several threads."""
    passing, values = select_columns(search.filters)
    limits = [f"{QUANTITIES[limit.quantity]} {limit.sign} {limit.number:d}" for limit in search.pattern.limits]
    fixed = [passing, *limits, search.condition]
    counts = count_needed(search.pattern)
    is_plain = set(fixed) == {"true"}
    cached = cache_positions(database) if is_plain else None
    boards = [name for (name,) in connection.execute(_BOARDS).fetchall()]
    for name in boards:
        if search.pattern.board not in (None, name) or (search.only and search.only.name != name):
            continue
        if name == "custom":
            yield from _list_custom(connection, " AND ".join(fixed), values, search.only, plan)
            continue
        board = standard_board(name)
        scan = plan(board)
        if cached and name in cached:
            for batches in _divide(cached[name]):
                yield Source(board, scan, sum(batch.num_rows for batch in batches), partial(_build_batches, batches))
            continue
        here = [f"board = '{name}'"] if len(boards) > 1 else []
        columns = f"{FACTS if scan.select else _FACTS_WITHOUT_MOVES}, {SETS}"
        where = " AND ".join([*here, *_list_conditions(counts, scan), *fixed])
        query = f"SELECT {columns} FROM _position WHERE {where}"
        ranges = _open_ranges(connection, database, positions) if is_plain and positions >= MANY else []
        for own, rows in ranges:
            yield Source(board, scan, FEW, partial(_read, own, f"{query} AND {rows}"))
        if ranges:
            continue
        for batch in execute(connection, query, values).to_arrow_reader(BATCH):
            yield Source(board, scan, batch.num_rows, partial(_build_batches, [batch], is_selected=True))


def _open_ranges(connection: duckdb.DuckDBPyConnection, database: Database, positions: int) -> list[_Range]:
    """Return a range of rows for each processor, together all rows. The last one has no end, since deleted rows keep their numbers.

    Return none for a lake, which would read all rows for each range, and if the database has moved on since the connection was made.
    """
    count = os.cpu_count() or 1
    others = [database.connection() for _ in range(count)]
    read = {tuple(one.execute(_CATALOG).fetchall()[0]) for one in (connection, *others)}
    if count == 1 or len(read) > 1 or "duckdb" not in read.pop():
        return []
    bounds = [positions * number // count for number in range(1, count)]
    between = (f"rowid >= {low} AND rowid < {high}" for low, high in pairwise(bounds))
    conditions = (f"rowid < {bounds[0]}", *between, f"rowid >= {bounds[-1]}")
    return [*map(_Range, others, conditions)]


def _read(connection: duckdb.DuckDBPyConnection, query: str) -> Iterator[Batch]:
    yield from _build_batches(connection.execute(query).to_arrow_reader(BATCH), is_selected=True)


def _list_conditions(counts: Iterable[tuple[str, int]], scan: Scan) -> Iterator[str]:
    """Yield conditions of what the pattern's marbles imply; only cheap ones before a selection."""
    for marbles, count in counts:
        if count == 1 or (scan.select and len(marbles) == 1):
            yield f"({_MARBLES[marbles]}) <> 0"
        elif not scan.select:
            yield f"bit_count({_MARBLES[marbles]}) >= {count}"


def _divide(batches: Sequence[pa.RecordBatch]) -> Iterator[Sequence[pa.RecordBatch]]:
    """Yield a part of the batches for each processor."""
    step = max(1, -(-len(batches) // (os.cpu_count() or 1)))
    yield from (batches[start : start + step] for start in range(0, len(batches), step))


def _build_batches(rows: Iterable[pa.RecordBatch], is_selected: bool = False) -> Iterator[Batch]:
    for some in rows:
        sets = [some[name].to_numpy() for name in RING_SETS]
        yield Batch(some.select(FACT_NAMES), sets, is_selected)


def _list_custom(
    connection: duckdb.DuckDBPyConnection,
    condition: str,
    values: Sequence[Value],
    only: Board | None,
    plan: Callable[[Board], Scan],
) -> Iterator[Source]:
    """Yield positions on custom boards, with sets of Python's integers where a board has too many rings for 64 bits."""
    starts = dict(connection.execute(_STARTS).fetchall())
    board_at = cache(partial(board_of, "custom"))
    found = execute(connection, _CUSTOM.format(condition), values)
    while some := found.fetchmany(BATCH):
        by_board: dict[Board, list[Any]] = defaultdict(list)
        for row in some:
            by_board[board_at(starts[row[0]])].append(row)
        for board, rows in by_board.items():
            if only in (None, board):
                columns = [*zip(*map(_whole, rows), strict=True)]
                facts, held = columns[: -len(RING_SETS)], columns[-len(RING_SETS) :]
                number = np.int64 if len(board.rings) <= LARGEST_COMPILED_BOARD else object
                sets = [np.array(column, number) for column in held]
                arrays = [pa.array(column, kind) for column, kind in zip(facts, FACT_TYPES, strict=True)]
                batch = Batch(pa.RecordBatch.from_arrays(arrays, FACT_NAMES), sets, is_selected=True)
                yield Source(board, plan(board), len(rows), partial(list, [batch]))


def _whole(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row with its sets in one number each."""
    size = len(RING_SETS)
    facts, pairs = row[: -2 * size], zip(row[-2 * size : -size], row[-size:], strict=True)
    return (*facts, *(low | (high or 0) << LARGEST_COMPILED_BOARD for low, high in pairs))


def count_needed(pattern: Pattern) -> list[tuple[str, int]]:
    """Return what the pattern's marbles imply on a board of one column of rings: colours, and how many marbles have one of them.

    That spares most positions a closer look.
    """
    states = [allowed(sign) for sign in pattern.cells.values()]
    counts = [(colour, states.count(frozenset(colour))) for colour in "WGB"]
    marbles = sum(one <= set("WGB") for one in states)
    return [(colours, count) for colours, count in (*counts, ("WGB", marbles if marbles > 1 else 0)) if count]


_FACTS_WITHOUT_MOVES = f"game, ply, side, score, {NO_MOVE_CODE}::BIGINT AS next_move, 0::UTINYINT AS symmetry"
FACT_NAMES = ["game", "ply", "side", "score", "next_move", "symmetry"]
FACT_TYPES = [pa.int64(), pa.int32(), pa.uint8(), pa.int8(), pa.int64(), pa.uint8()]
_MARBLES = {**dict(zip("WGB", colours_sql().values(), strict=True)), "WGB": "white_or_black | grey_or_black"}
"""SQL for the rings with a marble of one of these colours."""
_CATALOG = "SELECT database_name, type FROM duckdb_databases() WHERE database_name = current_database()"
_BOARDS = "SELECT DISTINCT board FROM _game ORDER BY board"
_STARTS = "SELECT id, start FROM _game WHERE board = 'custom'"
_CUSTOM = f"""
    SELECT {FACTS}, {SETS}, {", ".join(f"{name}_high" for name in RING_SETS)} FROM _position WHERE board = 'custom' AND {{}}
"""
