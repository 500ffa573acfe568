"""The plies and positions of many replayed games as the columns of their tables: whole arrays, not row by row."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from parser.packed import PackedPlies
from zertz_db.check.checked import WINNER_OF, Checked
from zertz_db.check.notation import kinds
from zertz_db.rules.board import LARGEST_COMPILED_BOARD
from zertz_db.rules.kernel import CAPTURED, CLAIMED, MARBLES, POOL, RINGS, SIDE
from zertz_db.rules.keys import NO_MOVE_CODE
from zertz_db.rules.replay import CAPTURE_DUE, KEY, LEGAL_MOVES, NEXT_MOVE, SHAPE, SYMMETRY
from zertz_db.store.schema import arrow_schema

_SETS = (("rings", RINGS), ("white", MARBLES), ("grey", MARBLES + 1), ("black", MARBLES + 2))
_COUNTS = tuple(
    (f"{holder}_{colour}", place + number)
    for holder, place in (("pool", POOL), ("captured1", CAPTURED), ("captured2", CAPTURED + 3))
    for number, colour in enumerate(("white", "grey", "black"))
)
_NUMBERS = (("key", KEY), ("shape", SHAPE), ("symmetry", SYMMETRY), *_COUNTS)

_LOW = (1 << LARGEST_COMPILED_BOARD) - 1
_NOBODY_KNOWS = -1


class Replayed:
    """Games to be laid out; each must be verified or unfinished."""

    def __init__(self) -> None:
        self._games: list[tuple[int, Checked]] = []
        self._tables: list[Any] = []

    def add(self, checked: Checked, game: int) -> None:
        """Add a game with its id."""
        if checked.attempt is None:
            raise ValueError("a record without a start is no game")
        rows = checked.attempt.table
        large = len(checked.attempt.start.board.rings) > LARGEST_COMPILED_BOARD
        self._games.append((game, checked))
        self._tables.append(np.array(rows, object if large else np.int64))

    def plies(self) -> pa.Table:
        """The rows of `ply`."""
        before = [table[:-1] for table in self._tables]
        after = [table[1:] for table in self._tables]
        attempts = [checked.attempt for _, checked in self._games if checked.attempt]
        columns: dict[str, Any] = {
            **self._numbering(before),
            "mover": _column(before, SIDE) + 1,
            "kind": [kind for attempt in attempts for kind in kinds(attempt)],
            "notation": [move for _, checked in self._games for move in checked.moves],
            "clock": [clock for attempt in attempts for clock in _clocks(attempt.plies)],
            "forced": _column(before, LEGAL_MOVES) == 1,
            "claim": np.concatenate([np.empty(0, bool), *((table[:, CLAIMED] != 0).astype(bool) for table in after)]),
            "sacrifice": _column(after, CAPTURE_DUE) != 0,
        }
        return _table("ply", columns)

    def positions(self) -> pa.Table:
        """The rows of `position`: before each ply, and the final one."""
        tables = self._tables
        side = _column(tables, SIDE) + 1
        moves = _column(tables, NEXT_MOVE).astype(np.int64)
        columns: dict[str, Any] = {
            **self._numbering(tables),
            "board": self._boards(),
            "side": side,
            **{name: _column(tables, place) for name, place in _NUMBERS},
            "next_move": pa.array(moves, mask=moves == NO_MOVE_CODE),
            "score": self._scores(side),
        }
        for name, place in _SETS:
            columns[name] = np.concatenate([np.empty(0, np.int64), *(_low(table[:, place]) for table in tables)])
            columns[f"{name}_high"] = [number for table in tables for number in _high(table[:, place])]
        return _table("position", columns)

    def _numbering(self, tables: list[Any]) -> dict[str, Any]:
        lengths = [len(table) for table in tables]
        ids = np.array([game for game, _ in self._games], np.int64)
        return {
            "game": np.repeat(ids, lengths),
            "ply": np.concatenate([np.empty(0, np.int64), *map(np.arange, lengths)]),
        }

    def _boards(self) -> pa.Array:
        names = [checked.board for _, checked in self._games]
        repeated = np.repeat(np.arange(len(names)), [len(table) for table in self._tables])
        return pa.DictionaryArray.from_arrays(repeated, pa.array(names, pa.string())).cast(pa.string())

    def _scores(self, side: Any) -> pa.Array:
        """For the side to move: 1 won, 0 nobody, -1 lost; NULL where the result is not known or contradicted."""
        winners = [WINNER_OF.get(checked.result or "", _NOBODY_KNOWS) for _, checked in self._games]
        winner = np.repeat(np.array(winners, np.int64), [len(table) for table in self._tables])
        score = np.where(winner == 0, 0, np.where(winner == side, 1, -1))
        return pa.array(score, mask=winner == _NOBODY_KNOWS)


def _column(tables: list[Any], place: int) -> Any:
    return np.concatenate([np.empty(0, np.int64), *(table[:, place].astype(np.int64) for table in tables)])


def _low(sets: Any) -> Any:
    return (sets & _LOW).astype(np.int64) if sets.dtype == object else sets


def _high(sets: Any) -> Sequence[Decimal | None]:
    """The rings that a signed 64-bit integer has no room for; DuckDB takes its 128-bit integers from Arrow as decimals."""
    if sets.dtype != object:
        return [None] * len(sets)
    return [Decimal(int(number) >> LARGEST_COMPILED_BOARD) for number in sets]


def _clocks(plies: Sequence[Any]) -> list[int | None]:
    return plies.clocks if isinstance(plies, PackedPlies) else [ply.clock for ply in plies]


def _table(name: str, columns: dict[str, Any]) -> pa.Table:
    schema = arrow_schema(name)
    arrays = [_array(columns[field.name]).cast(field.type) for field in schema]
    return pa.table(arrays, schema=schema)


def _array(values: Any) -> pa.Array:
    return values if isinstance(values, pa.Array) else pa.array(values)
