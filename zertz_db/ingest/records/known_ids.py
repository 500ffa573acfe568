"""The ids in a database under construction: most batches have few of them, so that few need to be looked up there."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb
import numpy as np

_BITS = 1 << 27
"""Number of bits. Two million ids leave new ones unselected except one in ten thousand, twenty million except one in a hundred."""
_SHIFTS = (0, 18, 37)
"""Shifts of the parts of an id that number its bits; ids are hashes, so every part of them is evenly spread."""
_BATCHES_WITHOUT = 3
"""Number of batches without this: a small import takes less time than reading all ids of a large database."""
_ALL_IDS = "SELECT id FROM _game UNION ALL SELECT id FROM _record"


class KnownIds:
    """Tells which ids of games and records may be in a database.

    Every id that an import adds must be added here. is_used: all ids may be known if it is False.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, *, is_used: bool = True) -> None:
        self._connection = connection
        self._is_used = is_used
        self._batches = 0
        self._bits = np.empty(0, np.uint8)

    def begin_batch(self) -> None:
        """Count a batch; read all ids of the database before the first batch that profits from that."""
        if self._is_used and self._batches == _BATCHES_WITHOUT:
            self._bits = np.zeros(_BITS // 8, np.uint8)
            for ids in self._connection.execute(_ALL_IDS).to_arrow_reader():
                self.add(ids["id"].to_numpy())
        self._batches += 1

    def add(self, ids: Iterable[int] | np.ndarray) -> None:
        """Add ids."""
        if len(self._bits):
            for bits in _number_bits(ids):
                np.bitwise_or.at(self._bits, bits >> 3, (1 << (bits & 7)).astype(np.uint8))

    def select(self, ids: Iterable[int]) -> list[int]:
        """Return those of the ids that may be in the database."""
        wanted = list(ids)
        if not len(self._bits) or not wanted:
            return wanted
        are_set = [self._bits[bits >> 3] >> (bits & 7).astype(np.uint8) for bits in _number_bits(wanted)]
        return [wanted[number] for number in np.flatnonzero(np.bitwise_and.reduce(are_set) & 1).tolist()]


def _number_bits(ids: Iterable[int] | np.ndarray) -> list[np.ndarray]:
    """Return the numbers of the bits of ids: an array for each of them."""
    numbers = np.asarray(ids if isinstance(ids, np.ndarray) else list(ids), np.int64)
    return [numbers >> shift & (_BITS - 1) for shift in _SHIFTS]
