"""Databases put together, or some games of one made a database of their own: with the same ids, and all records of each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import duckdb

from zertz_db.errors import UserMistake
from zertz_db.ingest import stored
from zertz_db.ingest.anonymising import withhold_known
from zertz_db.ingest.forgetting import forget_places, rebalanced
from zertz_db.ingest.importer import Importer
from zertz_db.ingest.lake_importer import importing
from zertz_db.ingest.readers import HAS_LETTERS, READER_VERSION, in_part, is_in_part, letters_in
from zertz_db.ingest.rechecking import catch_up
from zertz_db.ingest.sources import Asked
from zertz_db.ingest.stored import Stored
from zertz_db.ingest.withholding import NOBODY, Withheld
from zertz_db.rules.compiled import sources_hash
from zertz_db.store import corrected, corrections, marks, meta, people, said, unions
from zertz_db.store.building import Build
from zertz_db.store.changing import changed
from zertz_db.store.errors import StoreError
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.lake import is_lake
from zertz_db.store.loading import load
from zertz_db.store.lock import NO_WAIT, Wait, annotations_lock
from zertz_db.store.names import fold_name
from zertz_db.store.opening import Database, open_database
from zertz_db.store.unions import Union

Tick = Callable[[int], None]

ALL = "true"
"""The condition that every record satisfies."""


class OldReaders(StoreError):
    """A database was read by other readers than today's: its records may be something else now."""


class TargetExists(UserMistake):
    """There is something where a new database was to be made."""

    def __init__(self, there: str | Path) -> None:
        super().__init__(
            f"{there} exists; name a new folder or lake, and add that to a database that is there with: "
            f"zertz merge NEW --into '{there}'"
        )


@dataclass(slots=True)
class Merged:
    """What a database brought: `records` = stored (new games) + duplicate + rejected; `known` records were there already."""

    path: str
    stored: int = 0
    duplicate: int = 0
    rejected: int = 0
    known: int = 0

    @property
    def records(self) -> int:
        """All that are new."""
        return self.stored + self.duplicate + self.rejected


def merge(
    folders: Sequence[str | Path], into: str | Path, tick: Tick = lambda _: None, wait: Wait = NO_WAIT
) -> list[Merged]:
    """Put everything that the databases hold into one, which is made if it is not there; all of it, or nothing.

    Each of them is an import there, and can be undone. A game that several have has the records of all of them and is led by the best;
    names that one of them withholds are withheld. Raises NoDatabase, OldReaders, LockHeld.
    """
    with ExitStack() as opened:
        databases = [opened.enter_context(open_database(folder)) for folder in folders]
        for database in databases:
            require_todays_readers(database, database.folder)
        return changed(into, lambda build: _merge(build, databases, tick), wait)


def _merge(build: Build, databases: Sequence[Database], tick: Tick) -> list[Merged]:
    words = [database.words for database in databases]
    tombstones = [one for folder in (build.words, *words) for one in people.withheld(folder)]
    before = said.state(build.words)
    has_withheld = withhold_known(build, tombstones)
    names = Withheld(tombstones)
    united = _adopt_unions(build, [one for folder in words for one in unions.read(folder)])
    merged = []
    for database in databases:
        _give_way(build.connection, database)
        with importing(build, Asked([database.title]), names) as importer:
            merged.append(copy(database, importer, tick=tick))
    with annotations_lock(build.words):
        people.adopt(build.words, tombstones)
        _adopt_said(build, words)
    has_corrections = _adopt_corrections(build, words, names)
    # What is said counts in a folder without a generation.
    has_said = build.is_lake and said.state(build.words) != before
    if not any((has_said, has_withheld, united, has_corrections, *(one.records for one in merged))):
        build.discard()
    return merged


def copy_games(
    database: Database, games: Sequence[int], into: str | Path, what: str, tick: Tick = lambda _: None
) -> Merged:
    """Make a new database of some games (ids as numbers) with all their records, files, tags and findings.

    `what` says in words which games they are. Raises TargetExists, OldReaders.
    """
    if not is_lake(Path(into)) and Path(into).exists():
        raise TargetExists(into)
    require_todays_readers(database, database.folder)

    def put(build: Build) -> Merged:
        if build.before:  # a lake, which can't be looked for before
            raise TargetExists(into)
        return _copy_games(build, database, games, what, tick)

    return changed(into, put)


def _copy_games(build: Build, database: Database, games: Sequence[int], what: str, tick: Tick) -> Merged:
    united, copied = unions.read(database.words), {*games}
    ends = unions.targets(united)
    _adopt_unions(build, [one for one in united if ends.get(from_text(one.game)) in copied])
    with importing(build, Asked([what])) as importer:
        merged = copy(database, importer, "game IN (SELECT unnest(?))", [list(games)], tick)
    with annotations_lock(build.words):
        people.adopt(build.words, people.withheld(database.words))
        _adopt_said(build, [database.words])
    _adopt_corrections(build, [database.words], NOBODY)
    return merged


def _give_way(connection: duckdb.DuckDBPyConnection, database: Database) -> None:
    """Remove the records that are to come as they are there: of their letters something was said there, and nothing here."""
    query = f"SELECT source, member, index FROM _record WHERE {HAS_LETTERS}"
    said = {*database.connection().execute(query).fetchall()}
    sources = [*{source for source, _, _ in said}]
    query = f"SELECT source, member, index FROM _record WHERE source IN (SELECT unnest(?)) AND NOT {HAS_LETTERS}"
    places = said.intersection(connection.execute(query, [sources]).fetchall()) if said else ()
    if places:
        with rebalanced(connection):
            forget_places(connection, places)


def _adopt_unions(build: Build, said: Iterable[Union]) -> bool:
    """Let games be one that are elsewhere, where nothing else is said of them; whether anything has changed."""
    known = {union.game for union in unions.read(build.words)}
    unions.say(build.words, [union for union in said if union.game not in known])
    return catch_up(build)


def _adopt_said(build: Build, folders: Sequence[Path]) -> None:
    """Take over marks on games that the database has, and what is claimed of names that it has, where nothing is claimed in it."""
    connection, into = build.connection, build.words
    games = _games(connection)
    query = "SELECT DISTINCT unnest([player1, player2]) FROM _game"
    names = {fold_name(name) for (name,) in connection.execute(query).fetchall() if name is not None}
    for folder in folders:
        known = {claim.pair for claim in people.claims(into)}
        people.say(into, [one for one in people.claims(folder) if one.pair <= names and one.pair not in known])
        there = set(marks.read(into))
        for mark in marks.read(folder):
            if mark not in there and (mark.game is None or mark.game in games):
                marks.add(into, mark)


def _adopt_corrections(build: Build, folders: Sequence[Path], withheld: Withheld) -> bool:
    """Take over the corrections of games that the database has, with their history; whether there were any."""
    games = _games(build.connection)
    known = [one for folder in folders for one in corrections.read(folder) if one.game in games]
    return corrections.adopt(build.words, [corrections.veiled(one, withheld.text) for one in known])


def _games(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The ids of the games that a database has, and of those that are others by now but may be parted from them again."""
    there = (game for (game,) in connection.execute("SELECT id FROM _game").fetchall())
    return {to_text(game) for game in (*there, *unions.followed(connection))}


def require_todays_readers(database: Database, folder: str | Path) -> None:
    """OldReaders if a database was read by other readers than today's."""
    version = database.facts().get("reader_version", READER_VERSION)
    if version != READER_VERSION:
        raise OldReaders(
            f"{folder} was read by other readers (version {version}, today's is {READER_VERSION}). "
            f"Let it follow them first: zertz recheck --db {folder}"
        )


def copy(
    database: Database,
    importer: Importer,
    condition: str = ALL,
    values: Sequence[object] = (),
    tick: Tick = lambda _: None,
) -> Merged:
    """Let an importer take the records of a database that are not known to it: those that satisfy a condition on `r`, or all."""
    source, target = database.connection(), importer.connection
    corrected.show_recorded(source)
    rules = database.facts().get("rules_version", sources_hash())
    merged = Merged(str(database.folder))
    for rows in stored.chunks(source, condition, *values):
        fresh = _unknown(target, rows)
        merged.known += len(rows) - len(fresh)
        if fresh:
            importer.take(stored.lot(source, fresh))
        tick(len(rows))
    balance = importer.balance
    merged.stored, merged.duplicate, merged.rejected = balance.stored, balance.duplicate, balance.rejected
    if merged.records:
        importer.files = _copy_sources(source, target, with_empty=condition == ALL)
        importer.finish()
        if rules != sources_hash():  # nobody has replayed these games under today's rules
            meta.write(target, {"rules_version": rules})
    return merged


def _unknown(target: duckdb.DuckDBPyConnection, rows: list[Stored]) -> list[Stored]:
    query = "SELECT source, member, index FROM _record WHERE source IN (SELECT unnest(?))"
    known = set(target.execute(query, [list({row.source for row in rows})]).fetchall())
    return [row for row in rows if (row.source, row.member, row.index) not in known]


def _copy_sources(source: duckdb.DuckDBPyConnection, target: duckdb.DuckDBPyConnection, *, with_empty: bool) -> int:
    """The files of the records that were copied, new ones and those that are whole now; returns how many are new.

    with_empty: those too in which there was no record, so that they are not read again.
    """
    counts = "SELECT source, count(*) FROM _record GROUP BY source"
    there, here = dict(source.execute(counts).fetchall()), dict(target.execute(counts).fetchall())
    known = dict(target.execute("SELECT id, reader_version FROM _source").fetchall())
    found = source.execute("FROM _source").to_arrow_table()
    noted = {
        number: in_part(by) if here.get(number, 0) < there.get(number, 0) else by
        for number, by in zip(found["id"].to_pylist(), found["reader_version"].to_pylist(), strict=True)
    }
    place = found.schema.get_field_index("reader_version")
    found = found.set_column(place, "reader_version", [[*noted.values()]])
    for number, by in noted.items():
        if number in known and _is_better(by, known[number]):
            target.execute("UPDATE _source SET reader_version = ? WHERE id = ?", [by, number])
    new = [number not in known and (number in here or (with_empty and number not in there)) for number in noted]
    return load(target, "source", found.filter(new))


def _is_better(there: str, here: str) -> bool:
    """Whether what is noted of a file there is true here now: the file is whole by it, or it is they who know whose its letters are."""
    if letters_in(there) == letters_in(here):
        return is_in_part(here) and not is_in_part(there)
    return letters_in(here) is None
