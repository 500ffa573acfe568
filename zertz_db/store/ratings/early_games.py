"""Read what a rating of all games needs in a thread of its own, while its caller makes other changes.

A change of a large database rates a million games again. To read them in their order takes a third of a second and to load compiled code
a tenth, and neither needs what the end of a build writes before: players, their names and nodes. The thread sees what is committed. It
looks at names alone, because players may still change.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.store.ratings.dated_games import NO_TIME, Columns, Place, hash_games, number_names
from zertz_db.store.ratings.kernel_choice import WORTH_LOADING, choose_kernel
from zertz_db.store.ratings.rating_rows import Rows, read_rows


class _Named(NamedTuple):
    """Names of all games: their texts, and the place of each game's name among them, -1 without a name."""

    texts: list[str]
    places: Any


class EarlyGames(NamedTuple):
    """All games with a full date in the order in which they were played, and the rows of their ratings before a change.

    games, winners: as in `Columns`. names1, names2: of the players. last: the place of the last game.
    """

    games: Any
    names1: _Named
    names2: _Named
    winners: Any
    last: Place
    rated: Rows

    def to_columns(self, connection: duckdb.DuckDBPyConnection) -> Columns:
        """Return the columns of the games with the players that a database under construction has now."""
        numbers = number_names(connection)
        ones, others = (
            np.array([*(numbers.get(text, -1) for text in names.texts), -1], np.int64)[names.places]
            for names in (self.names1, self.names2)
        )
        return Columns(self.games, ones, others, self.winners, self.last, hash_games(connection, "true"))


Early = Future[EarlyGames | None]
"""Games that a thread is reading; None if there are none."""


@contextmanager
def read_early(connection: duckdb.DuckDBPyConnection) -> Iterator[Early]:
    """Read games, their ratings and compiled code in a thread. It ends before the block does."""
    with connection.cursor() as own, ThreadPoolExecutor(1) as thread:
        try:
            yield thread.submit(_read, own)
        except BaseException:
            own.interrupt()  # Ctrl-C, for example, need not wait for a query
            raise


def _read(connection: duckdb.DuckDBPyConnection) -> EarlyGames | None:
    choose_kernel(WORTH_LOADING)  # loads compiled code
    rated = read_rows(connection)
    games = connection.execute(_GAMES).to_arrow_table()
    if not games.num_rows:
        return None
    order = _find_order(games)
    names1, names2 = (_code_names(games[name], order) for name in ("player1", "player2"))
    ids, winners = (games[name].to_numpy()[order] for name in ("id", "winner"))
    end = games.slice(int(order[-1]), 1).to_pylist()[0]
    last = str(dt.date(1970, 1, 1) + dt.timedelta(days=end["day"])), end["time"] or NO_TIME, end["id"]
    return EarlyGames(ids, names1, names2, winners, last, rated)


_GAMES = """
    SELECT id, date_from - DATE '1970-01-01' AS day, time, player1, player2, coalesce(winner, -1)::BIGINT AS winner
    FROM _game WHERE date_from = date_to
"""


def _code_names(names: pa.ChunkedArray, order: Any) -> _Named:
    coded = names.combine_chunks().dictionary_encode()
    return _Named(coded.dictionary.to_pylist(), pc.fill_null(coded.indices, -1).to_numpy()[order])


def _find_order(games: pa.Table) -> Any:
    """Return the places of the games in the order of day, time (none comes last) and id.

    They nearly have that order, except for times and for later games, so a stable sort by day and time is quick. Then only games with
    equal times are left to sort by id.
    """
    moments = games["day"].to_numpy() * _MAX_TIMES + _rank_times(games["time"])
    order = np.argsort(moments, kind="stable")
    sorted_ids, sorted_moments = games["id"].to_numpy()[order], moments[order]
    is_same = sorted_moments[1:] == sorted_moments[:-1]
    wrong = is_same & (sorted_ids[1:] < sorted_ids[:-1])
    if wrong.any():
        places = np.flatnonzero(np.isin(sorted_moments, np.unique(sorted_moments[1:][wrong])))
        order[places] = order[places][np.lexsort((sorted_ids[places], sorted_moments[places]))]
    return order


_MAX_TIMES = 1 << 40


def _rank_times(times: pa.ChunkedArray) -> Any:
    """Return the rank of each time among all, as text."""
    if times.null_count == len(times):
        return 0
    coded = pc.fill_null(times, NO_TIME).combine_chunks().dictionary_encode()
    texts = coded.dictionary.to_pylist()
    ranks = {text: rank for rank, text in enumerate(sorted(texts))}
    return np.array([ranks[text] for text in texts], np.int64)[coded.indices.to_numpy()]
