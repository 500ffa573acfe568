"""Find patterns in the positions of a database."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, lru_cache
from itertools import takewhile
from threading import Event, Lock
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.queries.memory.cached_positions import BATCH
from zertz_db.queries.result import Column
from zertz_db.queries.search.few_matches import collect_found
from zertz_db.queries.search.lattice import Cell, Symmetry
from zertz_db.queries.search.matches import LIMIT, Found, Orientation, require_limit
from zertz_db.queries.search.move_numbers import StoredMoves, number_moves
from zertz_db.queries.search.pattern import QUANTITIES, Limit, Pattern
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.positions import as_position
from zertz_db.queries.search.scans.embeddings import embedded_cells
from zertz_db.queries.search.scans.grid_scan import hold
from zertz_db.queries.search.scans.scan import NONE, Scan, Sets, plan_scan
from zertz_db.queries.search.scans.sources import (
    FACT_NAMES,
    FACT_TYPES,
    FEW,
    MANY,
    Batch,
    PatternSearch,
    Source,
    count_needed,
    list_sources,
)
from zertz_db.rules.bit_counts import count_bits
from zertz_db.rules.board import RING, Board
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import NO_MOVE_CODE
from zertz_db.store.folder.database import Database
from zertz_db.store.schema.position_columns import count_sql

_WAYS = 1 << 32
"""Maximum number of ways to lay a pattern on a board."""
_NOTATIONS = 1 << 15
"""Number of moves whose parts are remembered."""
_MANY = 1 << 5
"""Number of positions to a match, below which the notations of the next moves are read: that takes as long as numbers for all matches."""

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
    matches in several ways, one of them is facts. In moves the rings are named by the pattern's own coordinates, unless it names
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
        f"{count_sql(f'captured{player}_{colour}')} >= {held}"
        for player, captured in enumerate(position.captured, 1)
        for colour, held in captured._asdict().items()
    ]
    growing = f"({' AND '.join(grown)} OR {QUANTITIES['pool']} = 0)"
    return PatternSearch(pattern, filters, growing, position.board)


def _collected(database: Database, search: PatternSearch, every: bool, limit: int | None) -> Found:
    require_limit(limit)
    connection = database.connection()
    orientation = match_pattern(connection, search, database)
    return collect_found(database, connection, orientation, COLUMNS, every, limit)


def match_pattern(
    connection: duckdb.DuckDBPyConnection, search: PatternSearch, database: Database
) -> Callable[[int], Orientation]:
    """Create the temporary view `found` of all matches, as `collect` takes it; return its orientations by their numbers.

    database: of the connection.
    """
    scans: dict[Board, Scan] = {}
    [(positions,)] = connection.execute("SELECT count(*) FROM _position").fetchall()
    most = positions // _MANY

    def plan(board: Board) -> Scan:
        if board not in scans:
            scans[board] = plan_scan(search.pattern, board, is_large=positions >= MANY)
        return scans[board]

    numbers: dict[Board, int] = {}
    sources = list_sources(connection, search, database, plan, positions)
    parts = list(_scan_all(search.pattern, sources, numbers, most))
    boards = list(numbers)
    matching = pa.Table.from_batches([part.matches for part in parts], _MATCHED)
    write = None
    moves = [(part.board, part.moves) for part in parts if part.moves]
    if len(moves) == len(parts) and len(matching) <= most:
        write = number_moves(connection, matching, moves)
    else:
        connection.register("matching", matching)
        connection.execute("CREATE OR REPLACE TEMP VIEW found AS FROM matching")

    def orientation(number: int) -> Orientation:
        board = boards[number // _WAYS]
        return _orientation(search.pattern, board, scans[board].way(number % _WAYS), write)

    return cache(orientation)


class _Part(NamedTuple):
    """Matches on one board: their columns _MATCHED, and what their next moves are found by, unless there are too many."""

    board: Board
    matches: pa.RecordBatch
    moves: StoredMoves | None


def _scan_all(pattern: Pattern, sources: Iterable[Source], numbers: dict[Board, int], most: int) -> Iterator[_Part]:
    """Yield the positions that match, with the numbers of their orientations: some at a time.

    numbers: filled with the boards and their numbers. most: number of matches after which no next moves are kept.
    """
    count = 0
    counting, stopped = Lock(), Event()
    needed = count_needed(pattern)

    def look(source: Source, number: int) -> list[_Part]:
        nonlocal count
        parts = []
        batches = takewhile(lambda _: not stopped.is_set(), source.read())
        for batch in _narrow(batches, source.scan.select, needed):
            parts.append(_match(source, batch, number, is_short=count <= most))
            with counting:
                count += parts[-1].matches.num_rows
        return parts

    workers = os.cpu_count() or 1
    waiting: deque[Future[list[_Part]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for source in sources:
                number = numbers.setdefault(source.board, len(numbers))
                if source.rows < FEW:
                    yield from look(source, number)
                    continue
                waiting.append(pool.submit(look, source, number))
                if len(waiting) > 2 * workers:  # bounds the part of a large table in memory
                    yield from waiting.popleft().result()
            for one in waiting:
                yield from one.result()
        finally:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)


def _narrow(
    batches: Iterable[Batch], select: Callable[[Sets], Any] | None, needed: Sequence[tuple[str, int]]
) -> Iterator[Batch]:
    """Yield the positions that may match: few of them from several batches together."""
    found: list[Batch] = []
    count = 0
    for batch in batches:
        if not select:
            yield batch if batch.is_selected else _take(batch, _select(needed, batch.sets))
            continue
        found.append(_take(batch, _find_rows(batch, needed, select)))
        count += found[-1].facts.num_rows
        if count >= BATCH:
            yield from _join(found)
            found, count = [], 0
    yield from _join(found)


def _find_rows(batch: Batch, needed: Sequence[tuple[str, int]], select: Callable[[Sets], Any]) -> Any:
    """Return the rows of a batch that may match."""
    if batch.is_selected:
        return select(batch.sets)
    enough = _select(needed, batch.sets)
    return enough[select([held[enough] for held in batch.sets])]


def _match(source: Source, batch: Batch, number: int, is_short: bool) -> _Part:
    """Return the matches in a batch. number: of the board. is_short: whether there are few matches before these."""
    ways = source.scan.find(batch.sets)
    hits = np.flatnonzero(ways != NONE)
    facts, sets, _ = _take(batch, hits)
    *columns, codes, symmetries = (facts[name] for name in FACT_NAMES)
    matches = pa.RecordBatch.from_arrays([*columns, pa.array(ways[hits] + number * _WAYS)], schema=_MATCHED)
    is_kept = is_short and source.scan.select
    codes = codes.fill_null(NO_MOVE_CODE)  # of a few positions; in the query it would cost a tenth of the reading
    moves = StoredMoves(codes.to_numpy(), symmetries.to_numpy(), sets) if is_kept else None
    return _Part(source.board, matches, moves)


def _take(batch: Batch, rows: Any) -> Batch:
    return Batch(batch.facts.take(pa.array(rows)), [held[rows] for held in batch.sets], is_selected=True)


def _join(batches: Sequence[Batch]) -> Sequence[Batch]:
    """Return one batch, or none of none."""
    if len(batches) < 2:
        return batches
    facts = [pa.concat_arrays([batch.facts[name] for batch in batches]) for name in FACT_NAMES]
    sets = [np.concatenate(held) for held in zip(*(batch.sets for batch in batches), strict=True)]
    return [Batch(pa.RecordBatch.from_arrays(facts, FACT_NAMES), sets, is_selected=True)]


def _select(needed: Iterable[tuple[str, int]], sets: Sets) -> Any:
    """Return the rows of positions with as many marbles as needed."""
    enough = np.ones(len(sets[0]), bool)
    for colours, count in needed:
        enough &= count_bits(hold(sets, colours)) >= count
    return np.flatnonzero(enough)


def _orientation(
    pattern: Pattern, board: Board, way: Symmetry, write: Callable[[Board, int], str] | None
) -> Orientation:
    names = dict(zip(board.axial, board.rings, strict=True))
    cells = embedded_cells(pattern, board) or {}
    shown = " ".join(names.get(way.lay(cell), "-") for cell in cells)
    turned = _renaming(pattern, board, way)
    return Orientation((shown,), (lambda number: turned(write(board, number))) if write else turned)


def _renaming(pattern: Pattern, board: Board, way: Symmetry) -> Callable[[str], str]:
    """Moves in official notation turned back as the pattern lies, claims left out."""

    back = _back(way)
    at = dict(zip(board.axial, board.rings, strict=True))
    laid = {ring: back.lay(cell) for ring, cell in zip(board.rings, board.axial, strict=True)}
    names = {ring: at[cell] for ring, cell in laid.items()} if pattern.is_named else _coordinates(laid)

    def turned(notation: str) -> str:
        template, rings = _split_move(notation)
        return template % tuple([names[ring] for ring in rings])

    return turned


@lru_cache(_NOTATIONS)
def _split_move(notation: str) -> tuple[str, tuple[str, ...]]:
    """Return a move in official notation without claims, with `%s` for each ring, and its rings."""
    move, _, _ = notation.removeprefix("x ").partition(" x ")
    text = "x " * notation.startswith("x ") + move
    return RING.sub("%s", text), tuple(RING.findall(text))


def _coordinates(laid: Mapping[str, Cell]) -> dict[str, str]:
    return {ring: f"({q},{r})" for ring, (q, r) in laid.items()}


def _back(way: Symmetry) -> Symmetry:
    """The way that undoes a way."""
    # A mirrored turn undoes itself; the others are undone by the turn that is missing to a whole one.
    turn = Symmetry(way.sixths if way.mirrored else -way.sixths % 6, way.mirrored)
    q, r = turn.lay((way.q, way.r))
    return turn.moved(-q, -r)


_MATCHED = pa.schema([*zip(FACT_NAMES[:4], FACT_TYPES, strict=False), ("orientation", pa.int64())])
"""The columns of the view `found`, which may have `next` too."""
