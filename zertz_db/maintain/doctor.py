"""The doctor: check a database's integrity, and whether its records still read as they are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from zertz_db.check.findings import OUR_FAULT
from zertz_db.ingest.records.reader_version import READER_VERSION
from zertz_db.ingest.records.rows import compute_record_id, get_next_id
from zertz_db.ingest.stored.stored_records import StoredRecord, read_chunks
from zertz_db.maintain.analysis.prove_again import find_unproven_wins
from zertz_db.maintain.damage import BlockDamage, find_block_damage, find_unreadable_tables
from zertz_db.maintain.differences import Difference, find_differences
from zertz_db.maintain.integrity_checks import MAX_EXAMPLES, IntegrityProblem, find_problems
from zertz_db.parser.text.encoding import decode
from zertz_db.rules.compiled import sources_hash
from zertz_db.store.address import require_folder
from zertz_db.store.annotations import apply_corrections, noted_tombstones, overlay, people_file
from zertz_db.store.annotations.noted_tombstones import MissingTombstones
from zertz_db.store.annotations.people_file import Tombstone
from zertz_db.store.errors import NotInLakes, UnreadableDatabase
from zertz_db.store.folder.database import Database, require_live
from zertz_db.store.ids import to_text
from zertz_db.store.open_database import open_database

ProgressCallback = Callable[[int], None]

_MAX_COLLISIONS = 8
"""Maximum number of records or games with the same hash."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of an examination.

    problems: violations of integrity. differences: records that today's readers read differently. records: the number of records that were
    read. outdated: the versions that changed since the database was written ("readers", "rules"): then differences are not damage, and
    `recheck` applies them. annotation_faults: faults in the files of annotations, which are skipped. failures: the number of stored records
    that are rejected because zertz itself failed on them, which is not damage.
    """

    problems: tuple[IntegrityProblem, ...]
    differences: tuple[Difference, ...]
    records: int
    outdated: tuple[str, ...]
    annotation_faults: tuple[str, ...]
    failures: int

    @property
    def is_fine(self) -> bool:
        """Return whether nothing needs repair."""
        return not self.problems and not self.differences and not self.annotation_faults


def examine(folder: str | Path, sample: int | None = None, tick: ProgressCallback = lambda _: None) -> Diagnosis:
    """Examine a database: its integrity, and each record (or a random `sample` of this size), which is read and replayed again.

    `tick` is called with numbers of records. Raise NoDatabase, or UnreadableDatabase if tables can't be read.
    """
    blocks = _find_block_damage(folder)
    if blocks and not blocks.is_readable:
        raise _report_damage(folder, [blocks.message])
    with open_database(folder) as database:
        annotation_faults = *overlay.faults(database.annotations_dir), *_list_missing_tombstones(database)
        tombstones = _read_tombstones(database.annotations_dir)
        connection = database.connection()
        if damage := find_unreadable_tables(connection) or ([blocks.message] if blocks else []):
            raise _report_damage(database.location, damage)
        facts = database.facts()
        versions = {"readers": ("reader_version", READER_VERSION), "rules": ("rules_version", sources_hash())}
        outdated = tuple(name for name, (fact, now) in versions.items() if facts.get(fact) != now)
        problems = [*find_problems(connection), *find_unproven_wins(connection)]
        apply_corrections.show_recorded(connection)
        shown = [one.shown for one in tombstones]
        examined = _RecordExaminer(shown)
        known_ids: dict[int, int] = {}
        differences = tuple(
            find_differences(connection, examined.watch(_read_sample(connection, sample)), tick, known_ids)
        )
        problems += (*examined.problems(), *_find_mismatched_games(connection, known_ids, shown))
        failures = connection.execute(_FAILURES, [OUR_FAULT.code]).fetchall()[0][0]
        return Diagnosis(tuple(problems), differences, examined.records, outdated, annotation_faults, failures)


def _find_block_damage(folder: str | Path) -> BlockDamage | None:
    with suppress(NotInLakes):
        return find_block_damage(require_live(require_folder(folder)))
    return None


def _report_damage(location: str | Path, damage: list[str]) -> UnreadableDatabase:
    return UnreadableDatabase(f"{location} is damaged: {'; '.join(damage)}.")


_FAILURES = "SELECT count(*) FROM _record WHERE status = 'rejected' AND reason = ?"


def _read_tombstones(annotations_dir: Path) -> list[Tombstone]:
    """Return the redacted names. If they can't be read, return none: their records seem to differ, and the cause is reported."""
    with suppress(UnreadableDatabase):
        return people_file.read_redacted(annotations_dir)
    return []


def _list_missing_tombstones(database: Database) -> list[str]:
    """Return a message if the files lack redacted names that the database has noted."""
    try:
        noted_tombstones.require_complete(database.connection(), database.annotations_dir)
    except MissingTombstones as error:
        return [str(error)]
    except UnreadableDatabase:  # a fault of the file, which is reported
        pass
    return []


def _read_sample(connection: duckdb.DuckDBPyConnection, sample: int | None) -> Iterator[list[StoredRecord]]:
    """Return all records, or a random sample with the others of their games, since the best of them is the representative."""
    if sample is None:
        return read_chunks(connection)
    query = f"SELECT id FROM (SELECT DISTINCT id FROM _record) USING SAMPLE reservoir({sample:d} ROWS)"
    sampled = [number for (number,) in connection.execute(query).fetchall()]
    condition = "r.id IN (SELECT unnest(?)) OR game IN (SELECT game FROM _record WHERE id IN (SELECT unnest(?)))"
    return read_chunks(connection, condition, sampled, sampled)


class _RecordExaminer:
    """Compare the bytes of records with their ids before they are read."""

    def __init__(self, shown: list[str]) -> None:
        self.records = 0
        self._shown = shown
        self._mismatched: list[StoredRecord] = []

    def watch(self, chunks: Iterator[list[StoredRecord]]) -> Iterator[list[StoredRecord]]:
        for rows in chunks:
            self.records += len(rows)
            self._mismatched += [row for row in rows if row.bytes and not self._is_id_of(row, row.bytes)]
            yield rows

    def _is_id_of(self, row: StoredRecord, data: bytes) -> bool:
        # An unreadable place has an id by its name; a redacted record has the id of its bytes before.
        return row.id in _list_candidate_ids(compute_record_id(data, row.letters)) or self._is_redacted(data)

    def _is_redacted(self, data: bytes) -> bool:
        return bool(self._shown) and any(name in decode(data)[0] for name in self._shown)

    def problems(self) -> Iterator[IntegrityProblem]:
        if rows := self._mismatched:
            examples = tuple(f"record {to_text(row.id)}, {row.place}" for row in rows[:MAX_EXAMPLES])
            yield IntegrityProblem("a record's id is not that of its bytes", len(rows), examples)


def _find_mismatched_games(
    connection: duckdb.DuckDBPyConnection, known_ids: dict[int, int], shown: list[str]
) -> Iterator[IntegrityProblem]:
    """Yield games whose ids are not those of their values; a redacted player's game has that of the name."""
    mismatched = [old for new, old in known_ids.items() if old not in _list_candidate_ids(new)]
    query = """
        SELECT id FROM _game WHERE id IN (SELECT unnest(?))
        AND NOT list_contains(?, coalesce(player1, '')) AND NOT list_contains(?, coalesce(player2, '')) ORDER BY id
    """
    games = connection.execute(query, [mismatched, shown, shown]).fetchall() if mismatched else []
    if games:
        examples = tuple(f"game {to_text(number)}" for (number,) in games[:MAX_EXAMPLES])
        yield IntegrityProblem("a game's id is not that of its values", len(games), examples)


def _list_candidate_ids(number: int) -> list[int]:
    """Return an id, and the next ids to use if another record or game has it."""
    numbers = [number]
    while len(numbers) < _MAX_COLLISIONS:
        numbers.append(get_next_id(numbers[-1]))
    return numbers
