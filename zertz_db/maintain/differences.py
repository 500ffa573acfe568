"""Differences between a database and today's reading of its records: `doctor` reports them, `recheck` applies them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import duckdb
import pyarrow as pa

from zertz_db.check.findings import OUR_FAULT
from zertz_db.ingest.stored.delete_records import GAME_TABLES, NOTE_TABLES
from zertz_db.ingest.stored.reread import RereadResult, reread_records
from zertz_db.ingest.stored.stored_records import StoredRecord
from zertz_db.parser.gipf.reader import STUCK
from zertz_db.store.ids import to_text
from zertz_db.store.schema import table_columns

_COMPARED_COLUMNS = ("verdict", "reason", "dialect", "encoding", "weight", "line_to")


class Difference(NamedTuple):
    """A stored record that today's readers read differently.

    verdict: today's. added_games, removed_games: ids (as numbers) of the games that it would add, and of those it would leave. what: all
    that differs, as words such as `verdict` or `position.key`. reason: today's code of the finding that rejects it.
    """

    row: StoredRecord
    verdict: str
    added_games: tuple[int, ...]
    removed_games: tuple[int, ...]
    what: tuple[str, ...]
    reason: str | None = None

    @property
    def is_failure(self) -> bool:
        """Return whether zertz fails on the record today with an internal error, which is no statement about the record."""
        return self.reason == OUR_FAULT.code

    def __str__(self) -> str:
        """Return the difference as a sentence."""
        if self.is_failure:
            return f"{self.row.place}: internal error in zertz, please report it; the stored record is unchanged"
        parts = []
        if self.verdict != self.row.verdict:
            parts.append(f"{self.row.verdict} becomes {self.verdict}")
        parts += [f"game {to_text(game)} is removed" for game in self.removed_games]
        parts += [f"game {to_text(game)} is added" for game in self.added_games]
        parts += [f"{name} differs" for name in self.what if not parts]
        return f"{self.row.place}: {', '.join(parts)}"


def find_differences(
    connection: duckdb.DuckDBPyConnection,
    chunks: Iterator[list[StoredRecord]],
    tick: Callable[[int], None] = lambda _: None,
    known_ids: dict[int, int] | None = None,
) -> Iterator[Difference]:
    """Yield the differences in the records of these chunks (see `read_chunks`). `tick` is called with numbers of records.

    known_ids: filled with the games whose id by their values differs from their id in the database, and with that id.
    """
    for table in (*(name for name, _ in GAME_TABLES), *NOTE_TABLES):
        connection.execute(f"CREATE OR REPLACE TEMP TABLE now_{table} AS FROM _{table} LIMIT 0")
    for rows in chunks:
        now = reread_records(connection, rows)
        if known_ids is not None:
            known_ids.update(now.known_ids)
        yield from _compare_records(connection, rows, now)
        tick(len(rows))


def _compare_records(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord], now: RereadResult
) -> Iterator[Difference]:
    what: dict[int, list[str]] = defaultdict(list)
    of_game, of_record = _compare_games(connection, rows, now), _compare_notes(connection, rows, now)
    by_row: dict[int, list[int]] = defaultdict(list)
    for place, origin in enumerate(now.origins):
        by_row[origin].append(place)
    records = now.batch.records
    for number, row in enumerate(rows):
        places = by_row[number]
        if not places:  # its bytes are missing
            continue
        first = places[0]
        what[number] += [name for name in _COMPARED_COLUMNS if records[name][first] != getattr(row, name)]
        games = [records["game"][place] for place in places if records["game"][place] is not None]
        removed = () if row.game is None or row.game in games else (row.game,)
        added = tuple(game for game in games if game != row.game)
        what[number] += ["game"] * bool(removed or added or len(places) > 1)
        what[number] += of_game.get(row.game, ()) if row.game in games else ()
        what[number] += of_record.get(row.id, ())
        if what[number]:
            verdict, reason = str(records["verdict"][first]), records["reason"][first]
            yield Difference(row, verdict, added, removed, tuple(what[number]), reason)


def _compare_games(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord], now: RereadResult
) -> dict[int | None, list[str]]:
    """Return the columns that differ, by game, of games with an unchanged representative record."""
    leads = dict(zip(now.batch.games["id"].to_pylist(), now.batch.games["record"].to_pylist(), strict=True))
    ids = [row.game for row in rows if row.game is not None]
    known = connection.execute("SELECT id, record FROM _game WHERE id IN (SELECT unnest(?))", [ids]).fetchall()
    compared = [game for game, record in known if leads.get(game) == record]
    differing: dict[int | None, list[str]] = defaultdict(list)
    for game, record in known:
        if game in leads and leads[game] != record and record in {row.id for row in rows}:
            differing[game].append("game.record")
    for (table, key), columns in zip(GAME_TABLES, (now.batch.games, now.batch.positions), strict=True):
        _fill(connection, table, columns)
        query = _build_difference_query(table, key)
        for game, names in connection.execute(query, [compared, compared]).fetchall():
            differing[game] += names
    return differing


def _fill(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    connection.execute(f"DELETE FROM now_{table}")
    connection.register("rows_read", rows)
    connection.execute(f"INSERT INTO now_{table} BY NAME FROM rows_read")
    connection.unregister("rows_read")


def _build_difference_query(table: str, key: str) -> str:
    """Return a query for the columns in which stored rows and today's differ; a row without a partner differs in all of them."""
    keys = [key] if table == "game" else [key, "ply"]
    names = [name for name in table_columns.arrow_schema(table).names if name not in keys]
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
    """Return which of tags and findings differ, by record.

    Ignore locations in the file, which may be another row's, and findings that depend on the record before.
    """
    ids = [row.id for row in rows]
    differing: dict[int, list[str]] = defaultdict(list)
    for table, columns in zip(NOTE_TABLES, (now.batch.tags, now.batch.findings), strict=True):
        _fill(connection, table, columns)
        select = f"SELECT * EXCLUDE ({_LOCATION_COLUMNS}) FROM" if table == "finding" else "FROM"
        own = f"code <> '{STUCK}'" if table == "finding" else "true"
        old = f"({select} _{table} WHERE {own} AND record IN (SELECT unnest(?)))"
        new = f"({select} now_{table} WHERE {own})"
        query = f"SELECT DISTINCT record FROM (({old} EXCEPT ALL {new}) UNION ALL ({new} EXCEPT ALL {old}))"
        for (record,) in connection.execute(query, [ids, ids]).fetchall():
            differing[record].append(table)
    return differing


_LOCATION_COLUMNS = "line, col"
