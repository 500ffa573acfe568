"""Find positions: unchanged, in any orientation of the board, or as a shape anywhere on any board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

import duckdb

from zertz_db.queries.errors import QueryError
from zertz_db.queries.memory.cached_games import cache_games
from zertz_db.queries.result import Column
from zertz_db.queries.search.few_matches import Match, collect_few
from zertz_db.queries.search.lattice import STAY, Symmetry, holdings, keeps, list_symmetries
from zertz_db.queries.search.matches import LIMIT, Found, Orientation, collect, require_limit, select_columns
from zertz_db.queries.sql_params import execute
from zertz_db.rules import kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board, standard_board
from zertz_db.rules.canonical import canonicalise, decoder
from zertz_db.rules.errors import PositionError
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.start import start_state
from zertz_db.store.folder.database import Database
from zertz_db.store.schema.position_columns import RING_SETS, SHAPE_MASK, match_counts, split_colours

MODES = ("exact", "symmetry", "shape")


def find_position(
    database: Database,
    position: Position | str,
    mode: str = "symmetry",
    filters: str = "",
    *,
    pool: bool = False,
    captures: bool = False,
    side: bool = False,
    every: bool = False,
    limit: int | None = LIMIT,
) -> Found:
    """Find the games that reached a position (or a position string), and their continuations.

    mode: `exact`, these rings and marbles on this board as they lie; `symmetry`, or turned and mirrored as the board allows; `shape`,
    or moved too, on any board: as if rings that are gone had never been. pool, captures, side: whether the pool, both players' captures,
    the side to move must be the same; rings and marbles are all that counts otherwise. every: all matches of a game count, not only its
    first. limit: so many matches are listed, None for all; the other tables are about all.

    A position's own symmetries make moves equal: `continuations` has one of them. QueryError for what can't be read or asked.
    """
    require_limit(limit)
    connection = database.connection()
    few = _find_few(database, connection, as_position(position), mode, filters, (pool, captures, side), every, limit)
    if few:
        return few
    orientations = match_position(
        connection, as_position(position), mode, filters, pool=pool, captures=captures, side=side
    )
    return collect(connection, orientations, COLUMNS, every, limit)


def _find_few(
    database: Database,
    connection: duckdb.DuckDBPyConnection,
    wanted: Position,
    mode: str,
    filters: str,
    held: tuple[bool, bool, bool],
    every: bool,
    limit: int | None,
) -> Found | None:
    """Return what `find_position` does; None for many matches, and for matches on custom boards and under filters.

    held: whether pool, captures and side to move must be the same.
    """
    kept = cache_games(database)
    if kept is None or filters or wanted.board.is_custom or mode not in ("exact", "symmetry"):
        return None
    where = " AND ".join(_conditions(wanted, mode, *held))
    rows = connection.execute(f"SELECT {_MATCH}, {_SETS} FROM _position WHERE {where} LIMIT {_FEW + 1}").fetchall()
    if len(rows) > _FEW:
        return None
    turned = _Turning(wanted, mode)
    size = len(Match._fields) - 1
    lain = {row[size:]: None for row in rows}
    known = {sets: turned.orientation(_read_orientation(wanted.board.name, None, sets)) for sets in lain}
    orientations = [orientation for orientation in known.values() if orientation]
    numbers = {sets: number for number, sets in enumerate(sets for sets in known if known[sets])}
    matches = [Match._make((*row[:size], numbers[row[size:]])) for row in rows if row[size:] in numbers]
    return collect_few(connection, kept, matches, orientations.__getitem__, COLUMNS, every, limit)


def match_position(
    connection: duckdb.DuckDBPyConnection,
    wanted: Position,
    mode: str = "symmetry",
    filters: str = "",
    *,
    pool: bool = False,
    captures: bool = False,
    side: bool = False,
    condition: str = "true",
) -> Callable[[int], Orientation]:
    """Create the temporary view `found` of all matches, as `collect` takes it; return its orientations by their numbers.

    condition: a further one on rows of `_position`. The other parameters are those of `find_position`.
    """
    if mode not in MODES:
        raise QueryError(f"a position can't be found by {mode!r}; valid: {', '.join(MODES)}")
    where = " AND ".join((*_conditions(wanted, mode, pool, captures, side), condition))
    passing, values = select_columns(filters)
    start, join = _OF_CUSTOM if wanted.board.is_custom or mode == "shape" else ("NULL", "")
    connection.execute(_EMPTY)
    execute(
        connection,
        f"INSERT INTO position_match {_FOUND.format(start=start, join=join, where=f'{where} AND {passing}')}",
        values,
    )
    return _confirm(connection, wanted, mode).__getitem__


def as_position(position: Position | str) -> Position:
    """Return a position, or the one of a position string. QueryError for an invalid string."""
    try:
        return Position.parse(position) if isinstance(position, str) else position
    except PositionError as error:
        raise QueryError(str(error)) from error


def _holds(position: Position, pool: bool, captures: bool, side: bool) -> Iterator[str]:
    """Conditions on rows of `_position`: the same pool, captures, side to move as far as they matter."""
    counts = {"pool": position.pool} if pool else {}
    if captures:
        counts["captured1"], counts["captured2"] = position.captured
    held = {
        f"{holder}_{name}": marbles for holder, count in counts.items() for name, marbles in count._asdict().items()
    }
    if held:
        yield match_counts(held)
    if side:
        yield f"side = {position.side}"


COLUMNS = (
    Column("turn", "turned anticlockwise by so many degrees it lies as the asker's"),
    Column("mirrored", "mirrored before that"),
    Column("moved", "and moved after it by so many columns and rings up its column"),
)


def _conditions(wanted: Position, mode: str, pool: bool, captures: bool, side: bool) -> Iterator[str]:
    """Return the condition on keys; the sets are compared later."""
    keys = canonicalise(wanted)
    if mode == "shape":
        yield f"shape = {keys.shape & SHAPE_MASK}"
    else:
        yield f"key = {keys.key} AND _position.board = '{wanted.board.name}'"
    yield from _holds(wanted, pool, captures, side)


class _Orientation(NamedTuple):
    """What lies where on which board; `start` tells custom boards apart."""

    board: str
    start: str | None
    sets: tuple[int, int, int, int]

    @property
    def position(self) -> Position:
        """A position with these rings and marbles; who holds what and is to move is left open."""
        board = board_of(self.board, self.start)
        state = start_state(board, Position.start(board).rules)
        state[kernel.RINGS], state[kernel.MARBLES : kernel.MARBLES + 3] = self.sets[0], self.sets[1:]
        return Position(board, Position.start(board).rules, tuple(state))


@lru_cache(maxsize=256)
def board_of(name: str, start: str | None) -> Board:
    """A board by its name, or the custom one of a start as a position string."""
    return standard_board(name) if start is None else Position.parse(start).board


def _confirm(connection: duckdb.DuckDBPyConnection, wanted: Position, mode: str) -> list[Orientation]:
    """The ways in which matches lie; those that a key alone had found leave the table."""
    turned = _Turning(wanted, mode)
    orientations, wrong = [], []
    for number, board, start, *sets in connection.execute(_ORIENTATIONS).fetchall():
        orientation = turned.orientation(_read_orientation(board, start, sets))
        if orientation is None:
            wrong.append(str(number))
        orientations.append(orientation or Orientation((), str))
    if wrong:
        connection.execute(f"DELETE FROM position_match WHERE orientation IN ({', '.join(wrong)})")
    return orientations


def _read_orientation(board: str, start: str | None, sets: Sequence[Any]) -> _Orientation:
    """Return what lies where. sets: the columns _SETS."""
    low, high = sets[: len(RING_SETS)], sets[len(RING_SETS) :]
    rings, *marbles = (below | (above or 0) << LARGEST_COMPILED_BOARD for below, above in zip(low, high, strict=True))
    return _Orientation(board, start, (rings, *split_colours(*marbles)))


class _Turning:
    """Stored moves turned as the asker's position lies."""

    def __init__(self, wanted: Position, mode: str) -> None:
        self._wanted = wanted
        self._mode = mode
        self._cells = holdings(wanted)
        self._own = [way for way in list_symmetries(self._cells, self._cells) if way != STAY] if mode == "shape" else []
        self._here = cache(self._write_as_wanted(wanted, STAY))

    def orientation(self, placed: _Orientation) -> Orientation | None:
        """How what was found lies compared with what was asked for; None where it is not the same."""
        found = placed.position
        way = next(
            filter(lambda way: self._counts(way, found.board), list_symmetries(holdings(found), self._cells)), None
        )
        if way is None:
            return None
        # The moves of an image under the board's symmetries are stored in the same canonical orientation.
        is_image = found.board is self._wanted.board and keeps(way, found.board)
        turned = self._here if is_image else cache(self._write_as_wanted(found, way))
        return Orientation((60 * way.sixths, way.mirrored, f"{way.q},{way.r}"), turned)

    def _counts(self, way: Symmetry, board: Board) -> bool:
        if self._mode == "shape":
            return True
        if board is not self._wanted.board:
            return False
        return way == STAY if self._mode == "exact" else keeps(way, board)

    def _write_as_wanted(self, found: Position, way: Symmetry) -> Callable[[Any], str]:
        """Moves of a position as the asker would write them, the least of those that are equal by the shape's own symmetries."""
        move_of = decoder(found)
        turns = [_renaming(found.board, way, self._wanted.board)]
        turns += [
            {ring: own[name] for ring, name in turns[0].items() if name in own}
            for own in (_renaming(self._wanted.board, turn, self._wanted.board) for turn in self._own)
        ]
        return lambda code: min(str(_renamed(move_of(code), names)) for names in turns)


def _renaming(board: Board, way: Symmetry, onto: Board) -> dict[str, str]:
    """What the rings of a board are called on another one, where it is laid onto that."""
    names = dict(zip(onto.axial, onto.rings, strict=True))
    laid = zip(board.rings, map(way.lay, board.axial), strict=True)
    return {ring: names[cell] for ring, cell in laid if cell in names}


def _renamed(move: Move, names: dict[str, str]) -> Move:
    if not move.ring:
        return move
    return replace(
        move,
        ring=names[move.ring],
        removed=move.removed and names[move.removed],
        jumps=tuple(jump._replace(ring=names[jump.ring]) for jump in move.jumps),
    )


_FEW = 200
"""Maximum number of matches that are read without a temporary table."""
_MATCH = "game, ply, side, score, next_move"
_HIGH_SETS = [f"{name}_high" for name in RING_SETS]
_SETS = ", ".join((*RING_SETS, *_HIGH_SETS))
_OF_CUSTOM = ("if(_position.board = 'custom', start, NULL)", "JOIN _game ON _game.id = game")
"""What tells custom boards apart, and the join that it needs."""
_FOUND = f"""
    SELECT game, ply, side, score, next_move, _position.board, {{start}}, {_SETS},
        dense_rank() OVER (ORDER BY _position.board, {{start}}, {_SETS}) - 1
    FROM _position {{join}} WHERE {{where}}
"""
_EMPTY = f"""
    CREATE OR REPLACE TEMP TABLE position_match (
        game BIGINT, ply INTEGER, side UTINYINT, score TINYINT, next BIGINT, on_board VARCHAR, start VARCHAR,
        {" BIGINT, ".join(RING_SETS)} BIGINT, {" HUGEINT, ".join(_HIGH_SETS)} HUGEINT, orientation BIGINT
    );
    CREATE OR REPLACE TEMP VIEW found AS FROM position_match
"""
_ORIENTATIONS = f"SELECT DISTINCT orientation, on_board, start, {_SETS} FROM position_match ORDER BY orientation"
