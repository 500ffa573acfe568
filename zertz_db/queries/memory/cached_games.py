"""Facts of all games, kept in memory for each generation of a database that is asked again and again.

A query for one game takes 0.4 to 0.8 ms of processor time, most of it for its plan; a kept game takes 0.02 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zertz_db.queries.corrections import corrections_of
from zertz_db.queries.memory.generation_cache import GenerationCache
from zertz_db.store.folder.database import Database
from zertz_db.store.schema import ply_columns

if TYPE_CHECKING:
    import pyarrow as pa

_MAX_GAMES = 100_000
"""Maximum number of games of a database whose facts are kept. They take 0.6 KB a game, and 10 µs to read."""
_DIRECT = 10
"""Number of questions to a generation without kept facts."""


class CachedGames:
    """Facts of all games of a generation.

    Columns of a game: those of `_game`; `path`, `member`, `index`, `line_from` and `dialect` of the first place of its representative
    record; `rating1` and `rating2` before it.
    """

    def __init__(self, games: pa.Table, findings: pa.Table, corrections: Mapping[int, list[dict[str, Any]]]) -> None:
        """games: sorted by id. findings: sorted by record. corrections: by the number of the game."""
        self._numbers = games["id"].to_numpy()
        self._columns = {name: games[name].combine_chunks() for name in games.column_names}
        self._findings = findings
        self._records = findings["record"].to_numpy()
        self._corrections = corrections

    def __contains__(self, number: int) -> bool:
        """Check if there is a game with this number."""
        place = self._numbers.searchsorted(number)
        return bool(place < len(self._numbers) and self._numbers[place] == number)

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self._numbers)

    def has_columns(self, names: Iterable[str]) -> bool:
        """Check if all these columns are kept."""
        return all(name in self._columns for name in names)

    def rows(self, numbers: Iterable[int], names: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return these columns of the games with these numbers, which must exist."""
        columns = [self._columns[name] for name in names]
        places = [int(self._numbers.searchsorted(number)) for number in numbers]
        return [tuple(column[place].as_py() for column in columns) for place in places]

    def row(self, number: int, names: Sequence[str]) -> dict[str, Any]:
        """Return these columns of the game with this number, which must exist, by name."""
        [values] = self.rows([number], names)
        return dict(zip(names, values, strict=True))

    def findings(self, record: int) -> list[dict[str, Any]]:
        """Return the findings of a record, by line and column."""
        begin, end = (int(self._records.searchsorted(record, side)) for side in ("left", "right"))
        found: list[dict[str, Any]] = self._findings.slice(begin, end - begin).to_pylist() if begin < end else []
        for row in found:
            del row["record"]
        return found

    def corrections(self, number: int) -> list[dict[str, Any]]:
        """Return the corrections of a game in force, as `corrections_of`."""
        return self._corrections.get(number, [])


def cache_games(database: Database) -> CachedGames | None:
    """Return the facts of all games of the live generation.

    None for the first questions to a generation, for a very large database, and while another thread reads the facts: one game is found
    faster alone.
    """
    return _cached.get(database, _DIRECT)


def _read(database: Database) -> CachedGames | None:
    connection = database.connection()
    if connection.execute("SELECT count(*) FROM _game").fetchall()[0][0] > _MAX_GAMES:
        return None
    games, findings = (connection.execute(query).to_arrow_table() for query in (_GAMES, _FINDINGS))
    return CachedGames(games, findings, corrections_of(connection, None))


_cached = GenerationCache(_read)
_GAMES = f"""
    WITH place AS (
        SELECT DISTINCT ON (_record.id) _record.id AS record, path, member, index, line_from, dialect
        FROM _record JOIN _source ON _source.id = source WHERE _record.id IN (SELECT record FROM _game)
        ORDER BY _record.id, status <> 'stored', run, path, member, index
    )
    SELECT _game.* EXCLUDE ({", ".join(ply_columns.COLUMNS)}), place.* EXCLUDE (record), rating1, rating2
    FROM _game LEFT JOIN place USING (record) LEFT JOIN _rating ON game = _game.id ORDER BY _game.id
"""
_FINDINGS = """
    SELECT record, code, severity, message, line, col AS "column", ply, rule, suggestion FROM _finding ORDER BY record, line, col
"""
