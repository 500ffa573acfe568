"""The ids in a database under construction: most batches have few of them, so that few need to be looked up there."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb
import numpy as np

_BITS = 1 << 26
"""Number of remainders of ids, with a bit each: ten million ids leave six of seven unset."""
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
            places = _find_places(ids)
            np.bitwise_or.at(self._bits, places >> 3, (1 << (places & 7)).astype(np.uint8))

    def select(self, ids: Iterable[int]) -> list[int]:
        """Return those of the ids that may be in the database."""
        wanted = list(ids)
        if not len(self._bits) or not wanted:
            return wanted
        places = _find_places(wanted)
        is_set = (self._bits[places >> 3] >> (places & 7).astype(np.uint8)) & 1
        return [wanted[number] for number in np.flatnonzero(is_set).tolist()]


def _find_places(ids: Iterable[int] | np.ndarray) -> np.ndarray:
    return np.asarray(ids if isinstance(ids, np.ndarray) else list(ids), np.int64) & (_BITS - 1)
