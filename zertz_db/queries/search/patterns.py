"""Find patterns in the positions of a database."""

from __future__ import annotations

import os
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.queries.memory.cached_positions import BATCH, FACTS, SETS, cache_positions
from zertz_db.queries.result import Column
from zertz_db.queries.search.few_matches import collect_found
from zertz_db.queries.search.lattice import Cell, Symmetry
from zertz_db.queries.search.matches import LIMIT, Found, Orientation, require_limit, select_columns
from zertz_db.queries.search.move_numbers import StoredMoves, number_moves
from zertz_db.queries.search.pattern import QUANTITIES, Limit, Pattern, allowed
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.positions import as_position, board_of
from zertz_db.queries.search.scans.embeddings import embedded_cells
from zertz_db.queries.search.scans.grid_scan import hold
from zertz_db.queries.search.scans.scan import NONE, Scan, Sets, plan_scan
from zertz_db.queries.sql_params import Value, execute
from zertz_db.rules.bit_counts import count_bits
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, RING, Board, standard_board
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import NO_MOVE_CODE
from zertz_db.store.folder.database import Database
from zertz_db.store.schema.position_columns import RING_SETS, colours_sql, count_sql

_WAYS = 1 << 32
"""Maximum number of ways to lay a pattern on a board."""
_NOTATIONS = 1 << 15
"""Number of moves whose parts are remembered."""
_MANY = 1 << 5
"""Number of positions to a match, below which the notations of the next moves are read: that takes as long as numbers for all matches."""
_WORTH_COMPILED = 5_000_000
"""Number of positions in a database that are worth compiled code, which is compiled once on a machine, for a second or two."""
_FEW = 1 << 12
"""Number of positions below which no thread is worth its start."""

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


class PatternSearch(NamedTuple):
    """A pattern, which games, a further condition on rows of `_position`, and the only board that counts, if there is one."""

    pattern: Pattern
    filters: str
    condition: str = "true"
    only: Board | None = None


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
            scans[board] = plan_scan(search.pattern, board, is_large=positions >= _WORTH_COMPILED)
        return scans[board]

    numbers: dict[Board, int] = {}
    sources = _list_sources(connection, search, database, plan)
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


class _Batch(NamedTuple):
    """Some positions: their columns FACTS, their sets, and whether the pattern may match all of them."""

    facts: pa.RecordBatch
    sets: Sets
    is_selected: bool = False


class _Source(NamedTuple):
    """Positions on one board. rows: their approximate number. read: returns them in batches; any thread may call it."""

    board: Board
    scan: Scan
    rows: int
    read: Callable[[], Iterable[_Batch]]


class _Part(NamedTuple):
    """Matches on one board: their columns _MATCHED, and what their next moves are found by, unless there are too many."""

    board: Board
    matches: pa.RecordBatch
    moves: StoredMoves | None


def _scan_all(pattern: Pattern, sources: Iterable[_Source], numbers: dict[Board, int], most: int) -> Iterator[_Part]:
    """Yield the positions that match, with the numbers of their orientations: some at a time.

    numbers: filled with the boards and their numbers. most: number of matches after which no next moves are kept.
    """
    count = 0
    needed = _count_needed(pattern)

    def look(source: _Source, number: int) -> list[_Part]:
        batches = _narrow(source, needed)
        return [_match(source, batch, number, is_short=count <= most) for batch in batches]

    workers = os.cpu_count() or 1
    waiting: deque[Future[list[_Part]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for source in sources:
                number = numbers.setdefault(source.board, len(numbers))
                if source.rows < _FEW:
                    yield from look(source, number)
                    continue
                waiting.append(pool.submit(look, source, number))
                if len(waiting) > 2 * workers:  # bounds the part of a large table in memory
                    parts = waiting.popleft().result()
                    count += sum(part.matches.num_rows for part in parts)
                    yield from parts
            for one in waiting:
                yield from one.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _narrow(source: _Source, needed: Sequence[tuple[str, int]]) -> Iterable[_Batch]:
    """Return the positions of a source that may match: all in one batch if they are few."""
    select = source.scan.select
    if not select:
        return (batch if batch.is_selected else _take(batch, _select(needed, batch.sets)) for batch in source.read())
    found = []
    for batch in source.read():
        if batch.is_selected:
            rows = select(batch.sets)
        else:
            enough = _select(needed, batch.sets)
            rows = enough[select([held[enough] for held in batch.sets])]
        found.append(_take(batch, rows))
    return _join(found)


def _match(source: _Source, batch: _Batch, number: int, is_short: bool) -> _Part:
    """Return the matches in a batch. number: of the board. is_short: whether there are few matches before these."""
    ways = source.scan.find(batch.sets)
    hits = np.flatnonzero(ways != NONE)
    facts, sets, _ = _take(batch, hits)
    *columns, codes, symmetries = (facts[name] for name in _FACT_NAMES)
    matches = pa.RecordBatch.from_arrays([*columns, pa.array(ways[hits] + number * _WAYS)], schema=_MATCHED)
    is_kept = is_short and source.scan.select
    codes = codes.fill_null(NO_MOVE_CODE)  # of a few positions; in the query it would cost a tenth of the reading
    moves = StoredMoves(codes.to_numpy(), symmetries.to_numpy(), sets) if is_kept else None
    return _Part(source.board, matches, moves)


def _take(batch: _Batch, rows: Any) -> _Batch:
    return _Batch(batch.facts.take(pa.array(rows)), [held[rows] for held in batch.sets], is_selected=True)


def _join(batches: Sequence[_Batch]) -> Sequence[_Batch]:
    """Return one batch, or none of none."""
    if len(batches) < 2:
        return batches
    facts = [pa.concat_arrays([batch.facts[name] for batch in batches]) for name in _FACT_NAMES]
    sets = [np.concatenate(held) for held in zip(*(batch.sets for batch in batches), strict=True)]
    return [_Batch(pa.RecordBatch.from_arrays(facts, _FACT_NAMES), sets, is_selected=True)]


def _list_sources(
    connection: duckdb.DuckDBPyConnection,
    search: PatternSearch,
    database: Database,
    plan: Callable[[Board], Scan],
) -> Iterator[_Source]:
    """Yield the positions that the pattern may match, board by board."""
    passing, values = select_columns(search.filters)
    limits = [f"{QUANTITIES[limit.quantity]} {limit.sign} {limit.number:d}" for limit in search.pattern.limits]
    fixed = [passing, *limits, search.condition]
    counts = _count_needed(search.pattern)
    cached = cache_positions(database) if set(fixed) == {"true"} else None
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
            for some in _divide(cached[name]):
                yield _Source(board, scan, sum(batch.num_rows for batch in some), partial(_build_batches, some))
            continue
        here = [f"board = '{name}'"] if len(boards) > 1 else []
        columns = f"{FACTS if scan.select else _FACTS_WITHOUT_MOVES}, {SETS}"
        where = " AND ".join([*here, *_list_conditions(counts, scan), *fixed])
        query = f"SELECT {columns} FROM _position WHERE {where}"
        for rows in execute(connection, query, values).to_arrow_reader(BATCH):
            yield _Source(board, scan, rows.num_rows, partial(_build_batches, [rows], is_selected=True))


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


def _build_batches(rows: Iterable[pa.RecordBatch], is_selected: bool = False) -> Iterator[_Batch]:
    for some in rows:
        sets = [some[name].to_numpy() for name in RING_SETS]
        yield _Batch(some.select(_FACT_NAMES), sets, is_selected)


def _list_custom(
    connection: duckdb.DuckDBPyConnection,
    condition: str,
    values: Sequence[Value],
    only: Board | None,
    plan: Callable[[Board], Scan],
) -> Iterator[_Source]:
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
                arrays = [pa.array(column, kind) for column, kind in zip(facts, _FACT_TYPES, strict=True)]
                batch = _Batch(pa.RecordBatch.from_arrays(arrays, _FACT_NAMES), sets, is_selected=True)
                yield _Source(board, plan(board), len(rows), partial(list, [batch]))


def _whole(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row with its sets in one number each."""
    size = len(RING_SETS)
    facts, pairs = row[: -2 * size], zip(row[-2 * size : -size], row[-size:], strict=True)
    return (*facts, *(low | (high or 0) << LARGEST_COMPILED_BOARD for low, high in pairs))


def _count_needed(pattern: Pattern) -> list[tuple[str, int]]:
    """Return what the pattern's marbles imply on a board of one column of rings: colours, and how many marbles have one of them.

    That spares most positions a closer look.
    """
    states = [allowed(sign) for sign in pattern.cells.values()]
    counts = [(colour, states.count(frozenset(colour))) for colour in "WGB"]
    marbles = sum(one <= set("WGB") for one in states)
    return [(colours, count) for colours, count in (*counts, ("WGB", marbles if marbles > 1 else 0)) if count]


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


_FACTS_WITHOUT_MOVES = f"game, ply, side, score, {NO_MOVE_CODE}::BIGINT AS next_move, 0::UTINYINT AS symmetry"
_FACT_NAMES = ["game", "ply", "side", "score", "next_move", "symmetry"]
_FACT_TYPES = [pa.int64(), pa.int32(), pa.uint8(), pa.int8(), pa.int64(), pa.uint8()]
_MARBLES = {**dict(zip("WGB", colours_sql().values(), strict=True)), "WGB": "white_or_black | grey_or_black"}
"""SQL for the rings with a marble of one of these colours."""
_BOARDS = "SELECT DISTINCT board FROM _game ORDER BY board"
_STARTS = "SELECT id, start FROM _game WHERE board = 'custom'"
_CUSTOM = f"""
    SELECT {FACTS}, {SETS}, {", ".join(f"{name}_high" for name in RING_SETS)} FROM _position WHERE board = 'custom' AND {{}}
"""
_MATCHED = pa.schema([*zip(_FACT_NAMES[:4], _FACT_TYPES, strict=False), ("orientation", pa.int64())])
"""The columns of the view `found`, which may have `next` too."""
