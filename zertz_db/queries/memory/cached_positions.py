"""Positions on standard boards, kept in memory for each generation of a database that is asked again and again.

A third of the processor time of a search for a pattern is the reading of its positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zertz_db.queries.memory.generation_cache import GenerationCache
from zertz_db.store.folder.database import Database
from zertz_db.store.schema.position_columns import RING_SETS

if TYPE_CHECKING:
    import pyarrow as pa

_MAX_POSITIONS = 3_000_000
"""Maximum number of positions of a database that are kept. They take 47 bytes each: 140 MB at most."""
_DIRECT = 2
"""Number of questions to a generation without kept positions."""
FACTS = "game, ply, side, score, next_move, symmetry"
SETS = ", ".join(RING_SETS)

BATCH = 1 << 17
"""Number of positions that are read at once."""

CachedPositions = dict[str, "list[pa.RecordBatch]"]
"""The columns FACTS and SETS of all positions on each standard board, in batches."""


def cache_positions(database: Database) -> CachedPositions | None:
    """Return the positions of the live generation; None for the first questions, and for a large database."""
    return _cached.get(database, _DIRECT)


def _read(database: Database) -> CachedPositions | None:
    connection = database.connection()
    counts = dict(connection.execute("SELECT board, count(*) FROM _position GROUP BY board").fetchall())
    if sum(counts.values()) > _MAX_POSITIONS:
        return None
    query = f"SELECT {FACTS}, {SETS} FROM _position WHERE board = '{{}}'"
    boards = counts.keys() - {"custom"}
    return {name: [*connection.execute(query.format(name)).to_arrow_reader(BATCH)] for name in boards}


_cached = GenerationCache(_read)
