"""Convert plies and positions of many replayed games to columns of games and of positions: whole arrays, not row by row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.replay import notation
from zertz_db.check.replay.attempt import Attempt
from zertz_db.ingest.records.course_columns import Turns, build_course_columns
from zertz_db.parser.packed_plies import PackedPlies
from zertz_db.parser.record import CAPTURE, PASS, Ply
from zertz_db.parser.vocabulary.terms import WINNER_OF
from zertz_db.rules.board import LARGEST_COMPILED_BOARD
from zertz_db.rules.kernel import CAPTURED, CLAIMED, EDGE, MARBLES, POOL, RINGS, SIDE
from zertz_db.rules.position_keys import NO_MOVE_CODE
from zertz_db.rules.replay import CAPTURE_DUE, KEY, LEGAL_MOVES, NEXT_MOVE, ROW_SIZE, SHAPE, SYMMETRY
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.store.loading.ply_arrays import build_ply_columns
from zertz_db.store.schema.ply_columns import KINDS
from zertz_db.store.schema.position_columns import RING_SETS, SHAPE_MASK, join_colours, pack_counts

_SETS = [RINGS, MARBLES, MARBLES + 1, MARBLES + 2]
"""The places of sets of rings: those on the board, those with a white, a grey, a black marble."""
_COUNTS = (*range(POOL, POOL + 3), *range(CAPTURED, CAPTURED + 6))
"""The places of the counts of marbles in the pool and in both players' captures."""

_LOW_MASK = (1 << LARGEST_COMPILED_BOARD) - 1
UNKNOWN_WINNER = -1
"""The winner of a game whose result is unknown or contradicted."""


class ReplayedGames(NamedTuple):
    """Verified or unfinished games, with the rows of their replays one after the other.

    ids: the games, int64. lengths: each game's number of rows. rows: int64, (positions, ROW_SIZE). boards: each game's board, its name.
    rules: those of each game. winners: each game's winner, int64, as in WINNER_OF, UNKNOWN_WINNER if unknown. moves, clocks: of all plies,
    in Arrow. highs: for each game on a large board the rings of its sets RING_SETS beyond a signed 64-bit integer, None for other games.
    """

    ids: Any
    lengths: Any
    rows: Any
    boards: Sequence[str | None]
    rules: Sequence[RuleSet]
    winners: Any
    moves: pa.Array
    clocks: pa.Array
    highs: Sequence[Any]


def collect_checked(games: Sequence[tuple[int, CheckedRecord]]) -> ReplayedGames:
    """Return checked games, given with their ids, with their rows together."""
    records = [checked for _, checked in games]
    attempts = [checked.attempt for checked in records if checked.attempt]
    if len(attempts) < len(games):
        raise ValueError("a record without a start is not a game")
    tables = [_get_state_table(attempt) for attempt in attempts]
    return ReplayedGames(
        np.array([game for game, _ in games], np.int64),
        np.array([len(table) for table in tables], np.int64),
        np.concatenate([np.empty((0, ROW_SIZE), np.int64), *map(_get_low_bits, tables)]),
        [checked.board for checked in records],
        [attempt.start.rules for attempt in attempts],
        np.array([WINNER_OF.get(checked.result or "", UNKNOWN_WINNER) for checked in records], np.int64),
        pa.array([move for checked in records for move in checked.moves], pa.string()),
        _clocks([attempt.plies for attempt in attempts]),
        [_get_high_bits(table) for table in tables],
    )


class ReplayRows:
    """The positions of games, and the columns of games that describe their plies and sum them up."""

    def __init__(self, games: ReplayedGames) -> None:
        self._games = games
        self._rows, self._lengths, self._high = games.rows, games.lengths, games.highs

    def courses(self) -> dict[str, Any]:
        """Return the columns of the games that sum up their course."""
        games = self._games
        captures = np.asarray(pc.starts_with(games.moves, notation.CAPTURE_SIGN))
        turns = Turns(captures, np.asarray(pc.fill_null(games.clocks, -1)))
        return build_course_columns(self._rows, self._lengths, games.rules, turns)

    def plies(self) -> dict[str, pa.Array]:
        """Return the columns of the games that describe their plies."""
        is_final = np.zeros(len(self._rows), bool)
        is_final[np.cumsum(self._lengths) - 1] = True
        before = np.flatnonzero(~is_final)
        moves = self._games.moves
        return build_ply_columns(
            self._lengths - 1,
            _kinds(moves),
            self._games.clocks,
            mover=self._rows[before, SIDE],
            forced=self._rows[before, LEGAL_MOVES] == 1,
            claim=self._rows[before + 1, CLAIMED] != 0,
            sacrifice=self._rows[before + 1, CAPTURE_DUE] != 0,
        )

    def positions(self, schema: pa.Schema) -> pa.Table:
        """Return the rows of `position`, which has this schema: before each ply, and the final one."""
        rows = self._rows
        side = rows[:, SIDE] + 1
        moves = rows[:, NEXT_MOVE]
        columns: dict[str, Any] = {
            **self._number_rows(self._lengths),
            "board": self._boards(),
            "side": side,
            "key": rows[:, KEY],
            "symmetry": rows[:, SYMMETRY],
            "counts": pack_counts([rows[:, place] for place in _COUNTS]),
            **dict(zip(RING_SETS, _get_ring_sets(rows), strict=True)),
            "shape": rows[:, SHAPE] & SHAPE_MASK,
            "next_move": pa.array(moves, mask=moves == NO_MOVE_CODE),
            "score": self._scores(side),
        }
        if any(high is not None for high in self._high):
            columns |= {
                f"{name}_high": self._highs(number, schema.field(f"{name}_high").type)
                for number, name in enumerate(RING_SETS)
            }
        return _table(schema, columns)

    def _number_rows(self, lengths: Any) -> dict[str, Any]:
        firsts = np.cumsum(lengths) - lengths
        return {
            "game": np.repeat(self._games.ids, lengths),
            "ply": np.arange(lengths.sum()) - np.repeat(firsts, lengths),
        }

    def _boards(self) -> pa.Array:
        names = pa.array(self._games.boards, pa.string())
        return names.take(pa.array(np.repeat(np.arange(len(names)), self._lengths)))

    def _scores(self, side: Any) -> pa.Array:
        """Return scores for the side to move: 1 won, 0 nobody, -1 lost; NULL if the result is unknown or contradicted."""
        winner = np.repeat(self._games.winners, self._lengths)
        score = np.where(winner == 0, 0, np.where(winner == side, 1, -1))
        return pa.array(score, mask=winner == UNKNOWN_WINNER)

    def _highs(self, number: int, kind: pa.DataType) -> pa.Array:
        """Return the rings beyond a signed 64-bit integer; DuckDB takes 128-bit integers from Arrow as decimals."""
        return pa.concat_arrays(
            [
                pa.nulls(length, kind) if high is None else pa.array(map(Decimal, high[number]), kind)
                for high, length in zip(self._high, self._lengths.tolist(), strict=True)
            ]
        )


def _get_state_table(attempt: Attempt) -> Any:
    """Return an attempt's rows as an array: int64, or Python's integers for a large board.

    The board decides, not the numbers: numpy converts a mix of integers beyond int64 and beyond uint64 to floats.
    """
    is_large = len(attempt.start.board.rings) > LARGEST_COMPILED_BOARD
    return np.asarray(attempt.table, object if is_large else np.int64)


def _get_ring_sets(rows: Any) -> list[Any]:
    """Return the columns RING_SETS."""
    rings, *marbles = (rows[:, place] for place in _SETS)
    return [rings, *join_colours(*marbles)]


def _get_high_bits(table: Any) -> Any:
    """Return the rings of a large board's sets after those of a compiled one; None for other boards."""
    if table.dtype != object:
        return None
    return [held >> LARGEST_COMPILED_BOARD for held in _get_ring_sets(table)]


def _get_low_bits(table: Any) -> Any:
    """Return a table in 64 bits; of a large board's sets the first rings, of claims whether there are any."""
    if table.dtype != object:
        return table
    table = table.copy()
    table[:, _SETS] &= _LOW_MASK
    table[:, CLAIMED] = table[:, CLAIMED] != 0
    table[:, EDGE] = 0
    return table.astype(np.int64)


def _kinds(moves: pa.Array) -> Any:
    """Return the number in KINDS of the kind of each ply."""
    kinds = np.asarray(pc.starts_with(moves, notation.CAPTURE_SIGN)) * np.uint8(KINDS.index(CAPTURE))
    kinds[np.asarray(pc.equal(moves, notation.SKIPPED))] = KINDS.index(PASS)
    return kinds


def _clocks(games: Iterable[Sequence[Ply]]) -> pa.Array:
    times = [time for plies in games for time in (plies.times if isinstance(plies, PackedPlies) else map(_time, plies))]
    texts = pa.array(times, pa.string())
    return pc.if_else(pc.equal(texts, ""), None, texts).cast(pa.int64())


def _time(ply: Ply) -> str:
    return "" if ply.clock is None else str(ply.clock)


def _table(schema: pa.Schema, columns: dict[str, Any]) -> pa.Table:
    """Return a table without the columns that are not given: they are NULL in all rows."""
    schema = pa.schema([field for field in schema if field.name in columns])
    arrays = [to_array(columns[field.name], field.type) for field in schema]
    return pa.table(arrays, schema=schema)


def to_array(values: Any, kind: pa.DataType) -> pa.Array:
    """Return values as an Arrow array of a type. Arrow takes 10 µs to cast to the type that an array has."""
    if not isinstance(values, pa.Array):
        return pa.array(values, kind)
    return values if values.type == kind else values.cast(kind)
