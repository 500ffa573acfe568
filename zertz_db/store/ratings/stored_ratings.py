"""Store the ratings of both players before each game, whenever a generation is built.

A game that is added, corrected or removed can move the ratings of all later games. So facts of the generation have the estimates after
the last game: games that are later than all others go on from there, and after any other change all games are rated again, compiled if
they are many. Only rows that differ are written, and of most only the column that differs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np

from zertz_db.store.ratings import rating_kernel
from zertz_db.store.ratings.dated_games import (
    Place,
    count_games,
    hash_games,
    is_after,
    list_rated_players,
    read_dated_columns,
)
from zertz_db.store.ratings.early_games import Early, EarlyGames, read_early
from zertz_db.store.ratings.kernel_choice import WORTH_LOADING, choose_kernel
from zertz_db.store.ratings.rating_rows import NONE, write_changed_rows
from zertz_db.store.schema import meta

TABLE = "rating"
_FACT = "beliefs"
"""The fact with the place of the last game, and the estimates after it that differ from `_EARLIER`, in JSON: see `_note`."""
_EARLIER = "earlier_beliefs"
"""The fact with the estimates after an earlier game, in JSON."""
_Known = tuple[float, float]
"""Rating and deviation of a player."""


_MAX_EARLY = 3_000_000
"""Maximum number of games to read early: they stay in memory, at 60 bytes each."""


@contextmanager
def reading_early(connection: duckdb.DuckDBPyConnection) -> Iterator[Early | None]:
    """Read all games in a thread during the block, if `refresh` will probably rate all of many games. Everything must be committed."""
    is_worth_it = WORTH_LOADING <= count_games(connection, _ALL) <= _MAX_EARLY and _read_note(connection) is None
    if not is_worth_it:
        yield None
        return
    with read_early(connection) as early:
        yield early


def refresh(connection: duckdb.DuckDBPyConnection, early: Early | None = None, *, in_lake: bool = False) -> None:
    """Bring the table of ratings up to date with games and players in a database under construction. early: of `reading_early`."""
    beliefs, later, counted, until = _resume(connection)
    is_new = _count_rows(connection) == 0
    read = _take(connection, early) if early and later == _ALL else None
    rated = _rate_games(connection, beliefs, later, read)
    old = read.rated if read else None
    write_changed_rows(connection, rated.games, rated.ratings, old, is_all=later == _ALL, by_column=not in_lake)
    until = rated.last or until
    if until:
        _note(connection, rated.beliefs, until, _add(counted, rated.counted), _ANY_SIZE if is_new else _MAX_NOTE)


_ALL = "true"
"""The condition of all games."""
_Counted = tuple[int, int]
"""The number and the hash of games: see `hash_games`."""


def _take(connection: duckdb.DuckDBPyConnection, early: Early) -> EarlyGames | None:
    """Return the games that a thread has read, unless it failed or corrections have changed games since."""
    try:
        read = early.result()
    except Exception:  # noqa: BLE001 - whatever it is, the games are read again here
        return None
    has_corrections = connection.execute("SELECT count(*) > 0 FROM _correction").fetchall()[0][0]
    return None if has_corrections else read


def _resume(connection: duckdb.DuckDBPyConnection) -> tuple[dict[int, _Known], str, _Counted, Place | None]:
    """Return the estimates to go on from, the condition (SQL) of the games to rate, the count of all others and the place of their last."""
    noted = _read_note(connection)
    if noted:
        later = is_after(noted["until"])
        counted = hash_games(connection, f"NOT {later}")
        if noted["games"] == _write(counted):
            beliefs = _read_beliefs(meta.read(connection).get(_EARLIER)) | _read_beliefs(noted["beliefs"])
            return beliefs, later, counted, noted["until"]
    return {}, _ALL, (0, 0), None


def _read_note(connection: duckdb.DuckDBPyConnection) -> dict[str, Any] | None:
    """Return what `_note` has noted, unless there are other rows or another number of games up to its last one."""
    fact = meta.read(connection).get(_FACT)
    noted: dict[str, Any] = json.loads(fact) if fact else {}
    if not noted or [noted["model"], noted["rows"]] != [_hash_model(), _count_rows(connection)]:
        return None
    earlier = count_games(connection, f"NOT {is_after(noted['until'])}")
    return noted if noted["games"].startswith(f"{earlier} ") else None


def _note(
    connection: duckdb.DuckDBPyConnection,
    beliefs: dict[int, _Known],
    until: Place,
    counted: _Counted,
    size: int,
) -> None:
    """Note the estimates, the place of the last game, and what shows that the games up to it and their rows are still the same.

    Estimates that equal those of an earlier note are not written again, unless many have changed: a small import of a large database
    changes few. If more than `size` bytes would have to be written, note nothing, so that the next change rates all games: the log of a
    small change must stay short. counted: the count of these games.
    """
    earlier = _read_beliefs(meta.read(connection).get(_EARLIER))
    changed = {player: belief for player, belief in beliefs.items() if earlier.get(player) != belief}
    if len(changed) > _MAX_CHANGED * len(beliefs) or not earlier.keys() <= beliefs.keys():
        text = _to_json(beliefs)
        if len(text) > size:
            connection.execute("DELETE FROM _meta WHERE name = ?", [_FACT])
            return
        meta.write(connection, {_EARLIER: text})
        changed = {}
    fact = {
        "model": _hash_model(),
        "until": until,
        "games": _write(counted),
        "rows": _count_rows(connection),
        "beliefs": changed,
    }
    meta.write(connection, {_FACT: _to_json(fact)})


_MAX_NOTE = 1 << 18
"""Maximum size in bytes of estimates that a small change writes."""
_ANY_SIZE = 1 << 60
_MAX_CHANGED = 1 / 16
"""Maximum share of players whose estimates differ from the earlier note."""


def _read_beliefs(noted: str | dict[str, list[float]] | None) -> dict[int, _Known]:
    by_player = json.loads(noted) if isinstance(noted, str) else noted or {}
    return {int(player): (belief[0], belief[1]) for player, belief in by_player.items()}


def _to_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _add(one: _Counted, other: _Counted) -> _Counted:
    return one[0] + other[0], one[1] + other[1]


def _write(counted: _Counted) -> str:
    return "{} {}".format(*counted)


@cache
def _hash_model() -> str:
    return hashlib.sha256(Path(rating_kernel.__file__).read_bytes()).hexdigest()[:16]


def _count_rows(connection: duckdb.DuckDBPyConnection) -> int:
    return int(connection.execute("SELECT count(*) FROM _rating").fetchall()[0][0])


class _Rated(NamedTuple):
    """Rated games. games, ratings: the ids (n) and ratings (int32, (n, 4), NONE for none) of those with a rated player.

    beliefs: the estimates after the last game, whose place is `last`. counted: the count of all games.
    """

    games: Any
    ratings: Any
    beliefs: dict[int, _Known]
    last: Place | None
    counted: _Counted


def _rate_games(
    connection: duckdb.DuckDBPyConnection, known: dict[int, _Known], where: str, read: EarlyGames | None = None
) -> _Rated:
    """Rate the games that satisfy a condition and have a full date, after games that have led to the estimates `known`.

    read: these games, if they are read already.
    """
    players = list_rated_players(connection)
    strengths, deviations = np.zeros(len(players)), np.zeros(len(players))
    for number, player in enumerate(players):
        strengths[number], deviations[number] = known.get(player, (0, 0))
    rate = choose_kernel(count_games(connection, where))
    games, ratings = [np.zeros(0, np.int64)], [np.zeros((0, 4), np.int32)]
    last, counted = None, (0, 0)
    for columns in [read.to_columns(connection)] if read else read_dated_columns(connection, where):
        before = np.full(4 * len(columns.games), float(NONE))
        rate(columns.players1, columns.players2, columns.winners, strengths, deviations, before)
        rounded = np.rint(before).astype(np.int32).reshape(-1, 4)
        is_known = (rounded[:, 0] != NONE) | (rounded[:, 2] != NONE)
        games.append(columns.games[is_known])
        ratings.append(rounded[is_known])
        last, counted = columns.last, _add(counted, columns.hashed)
    after = zip(players, strengths.tolist(), deviations.tolist(), strict=True)
    beliefs = {player: (strength, deviation) for player, strength, deviation in after if deviation}
    return _Rated(np.concatenate(games), np.concatenate(ratings), known | beliefs, last, counted)
