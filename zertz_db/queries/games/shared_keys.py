"""Keys of positions that several games reached, kept in memory for each generation of a database that is asked again and again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from zertz_db.store.annotations import overlay
from zertz_db.store.folder.database import Database

_MAX_POSITIONS = 10_000_000
"""Maximum number of positions of a database whose keys are kept; one in fifteen is shared and takes 8 bytes."""


def find_shared(database: Database, keys: Sequence[int], game: int) -> Collection[int]:
    """Return those of a game's keys that another game has too. game: its number.

    The first question to a generation reads the keys of all positions, in 10 ns each; the second keeps the shared ones, in 50 ns each.
    """
    connection = database.connection()
    state = database.folder, database.generation, overlay.fingerprint(database.annotations_dir)
    if state not in _last:
        is_first = state not in _seen_once
        _seen_once.clear()
        _seen_once.add(state)
        if is_first or connection.execute(_COUNT).fetchall()[0][0] > _MAX_POSITIONS:
            listed = ", ".join(map(str, keys))
            sql = f"SELECT DISTINCT key FROM _position WHERE key IN ({listed}) AND game <> {game:d}"
            return {key for (key,) in connection.execute(sql).fetchall()}
        shared: Any = connection.execute(_SHARED).fetchnumpy()["key"]
        _last.clear()
        _last[state] = shared
    return _common(_last[state], keys)


def _common(shared: Any, keys: Sequence[int]) -> Collection[int]:
    places = shared.searchsorted(keys)
    return {
        key for key, place in zip(keys, places.tolist(), strict=True) if place < len(shared) and shared[place] == key
    }


_seen_once: set[object] = set()
"""The generation that was asked last, if its keys are not kept."""
_last: dict[object, Any] = {}
"""The sorted keys of the last generation that was asked twice."""
_COUNT = "SELECT count(*) FROM _position"
_SHARED = "SELECT key FROM _position GROUP BY key HAVING min(game) <> max(game) ORDER BY key"
