"""Where a database and what its records say today differ: what `doctor` finds, and what `recheck` changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import duckdb
import pyarrow as pa

from parser.gipf.reader import STUCK
from zertz_db.check.findings import OUR_FAULT
from zertz_db.ingest.stored.delete_records import GAME_TABLES, NOTE_TABLES
from zertz_db.ingest.stored.reread import RereadResult, reread_records
from zertz_db.ingest.stored.stored_records import StoredRecord
from zertz_db.store.ids import to_text
from zertz_db.store.schema import ddl

_COMPARED_COLUMNS = ("verdict", "reason", "dialect", "encoding", "weight", "line_to")


class Difference(NamedTuple):
    """A stored record that is another today.

    verdict: today's. comes, goes: the games (ids as numbers) that it would bring, and those of which it would be no record any more.
    what: everything that differs, as words such as `verdict` or `position.key`. reason: today's code of what is wrong with it.
    """

    row: StoredRecord
    verdict: str
    added_games: tuple[int, ...]
    removed_games: tuple[int, ...]
    what: tuple[str, ...]
    reason: str | None = None

    @property
    def is_failure(self) -> bool:
        """Whether zertz fails on the record today, with an internal error: that says nothing about the record."""
        return self.reason == OUR_FAULT.code

    def __str__(self) -> str:
        """The difference in a sentence."""
        if self.is_failure:
            return f"{self.row.place}: internal error in zertz, please report it; the record stays as it is stored"
        parts = []
        if self.verdict != self.row.verdict:
            parts.append(f"{self.row.verdict} becomes {self.verdict}")
        parts += [f"game {to_text(game)} goes" for game in self.removed_games]
        parts += [f"game {to_text(game)} comes" for game in self.added_games]
        parts += [f"{name} differs" for name in self.what if not parts]
        return f"{self.row.place}: {', '.join(parts)}"


def find_differences(
    connection: duckdb.DuckDBPyConnection,
    chunks: Iterator[list[StoredRecord]],
    tick: Callable[[int], None] = lambda _: None,
    kept: dict[int, int] | None = None,
) -> Iterator[Difference]:
    """What differs in the records of these chunks (`stored.chunks`); `tick` is called with numbers of records.

    `kept` is filled with the games that have another id by their values than in the database, and the one that they have there.
    """
    for table in (*(name for name, _ in GAME_TABLES), *NOTE_TABLES):
        connection.execute(f"CREATE OR REPLACE TEMP TABLE now_{table} AS FROM _{table} LIMIT 0")
    for rows in chunks:
        now = reread_records(connection, rows)
        if kept is not None:
            kept.update(now.kept)
        yield from _compare_records(connection, rows, now)
        tick(len(rows))


def _compare_records(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord], now: RereadResult
) -> Iterator[Difference]:
    what: dict[int, list[str]] = defaultdict(list)
    of_game, of_record = _compare_games(connection, rows, now), _compare_notes(connection, rows, now)
    found: dict[int, list[int]] = defaultdict(list)
    for place, origin in enumerate(now.origins):
        found[origin].append(place)
    records = now.batch.records
    for number, row in enumerate(rows):
        places = found[number]
        if not places:  # it has no bytes to be read
            continue
        first = places[0]
        what[number] += [name for name in _COMPARED_COLUMNS if records[name][first] != getattr(row, name)]
        games = [records["game"][place] for place in places if records["game"][place] is not None]
        goes = () if row.game is None or row.game in games else (row.game,)
        comes = tuple(game for game in games if game != row.game)
        what[number] += ["game"] * bool(goes or comes or len(places) > 1)
        what[number] += of_game.get(row.game, ()) if row.game in games else ()
        what[number] += of_record.get(row.id, ())
        if what[number]:
            verdict, reason = str(records["verdict"][first]), records["reason"][first]
            yield Difference(row, verdict, comes, goes, tuple(what[number]), reason)


def _compare_games(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord], now: RereadResult
) -> dict[int | None, list[str]]:
    """The columns that differ, by game, of those games that the same record leads as today."""
    leads = dict(zip(now.batch.games["id"].to_pylist(), now.batch.games["record"].to_pylist(), strict=True))
    asked = [row.game for row in rows if row.game is not None]
    known = connection.execute("SELECT id, record FROM _game WHERE id IN (SELECT unnest(?))", [asked]).fetchall()
    compared = [game for game, record in known if leads.get(game) == record]
    differing: dict[int | None, list[str]] = defaultdict(list)
    for game, record in known:
        if game in leads and leads[game] != record and record in {row.id for row in rows}:
            differing[game].append("game.record")
    for (table, key), columns in zip(GAME_TABLES, (now.batch.games, now.batch.plies, now.batch.positions), strict=True):
        _fill(connection, table, columns)
        for game, names in connection.execute(_build_difference_query(table, key), [compared, compared]).fetchall():
            differing[game] += names
    return differing


def _fill(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    connection.execute(f"DELETE FROM now_{table}")
    connection.register("rows_read", rows)
    connection.execute(f"INSERT INTO now_{table} BY NAME FROM rows_read")
    connection.unregister("rows_read")


def _build_difference_query(table: str, key: str) -> str:
    """A query for the columns in which stored rows and those read now differ; a row without partner differs in all of them."""
    keys = [key] if table == "game" else [key, "ply"]
    names = [name for name in ddl.arrow_schema(table).names if name not in keys]
    cases = ", ".join(f'CASE WHEN s."{name}" IS DISTINCT FROM n."{name}" THEN \'{table}.{name}\' END' for name in names)
    return f"""
        SELECT game, list_sort(list_distinct(flatten(list(names)))) FROM (
            SELECT coalesce(s.{key}, n.{key}) AS game,
                CASE WHEN s.{key} IS NULL OR n.{key} IS NULL THEN ['{table}'] ELSE [{cases}] END AS names
            FROM (FROM _{table} WHERE {key} IN (SELECT unnest(?))) s
            FULL JOIN (FROM now_{table} WHERE {key} IN (SELECT unnest(?))) n
            ON {" AND ".join(f"s.{name} = n.{name}" for name in keys)}
        ) WHERE len(list_filter(names, lambda name: name IS NOT NULL)) > 0 GROUP BY game
    """


def _compare_notes(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord], now: RereadResult
) -> dict[int, list[str]]:
    """Which of tags and findings differ, by record.

    Where in the file they are does not matter: that is another row's, maybe. What only the record before tells can't differ.
    """
    ids = [row.id for row in rows]
    differing: dict[int, list[str]] = defaultdict(list)
    for table, columns in zip(NOTE_TABLES, (now.batch.tags, now.batch.findings), strict=True):
        _fill(connection, table, columns)
        kept = f"SELECT * EXCLUDE ({_LOCATION_COLUMNS}) FROM" if table == "finding" else "FROM"
        own = f"code <> '{STUCK}'" if table == "finding" else "true"
        old = f"({kept} _{table} WHERE {own} AND record IN (SELECT unnest(?)))"
        new = f"({kept} now_{table} WHERE {own})"
        query = f"SELECT DISTINCT record FROM (({old} EXCEPT ALL {new}) UNION ALL ({new} EXCEPT ALL {old}))"
        for (record,) in connection.execute(query, [ids, ids]).fetchall():
            differing[record].append(table)
    return differing


_LOCATION_COLUMNS = "line, col"
