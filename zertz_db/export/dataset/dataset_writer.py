"""Write a data set into a folder: the same database and the same version of zertz-db give the same bytes."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from zertz_db.export.dataset.dictionary import TABLES, DictionaryRow, describe_tables
from zertz_db.export.dataset.position_arrays import describe_arrays, write_arrays
from zertz_db.export.dataset.provenance import UNSTATED, Reject, count_rejects, describe_source, list_versions
from zertz_db.export.dataset.public_ids import choose_games
from zertz_db.export.dataset.readme import LOADER, describe_dataset
from zertz_db.export.dataset.table_files import write_table
from zertz_db.store.folder.database import Database

CHECKSUMS = "SHA256SUMS"
DESCRIPTION = "dataset.json"
_DIGITS = 12


class WrittenDataset(NamedTuple):
    """A data set: its version, and the number of rows by file."""

    version: str
    rows: dict[str, int]


def write_dataset(database: Database, folder: Path, filters: str = "", licence: str | None = None) -> WrittenDataset:
    """Write the games that pass the filters, with plies, positions and tactics, into an empty folder.

    licence: the licence of the records, as the user states it. Raises QueryError for an invalid filter.
    """
    connection = database.connection()
    redacted = choose_games(database, connection, filters)
    rows = {f"{file}.parquet": write_table(connection, file, folder / f"{file}.parquet") for file in TABLES}
    rows |= write_arrays(connection, folder)
    rejects, dictionary = count_rejects(connection), [*describe_tables(), *describe_arrays()]
    _write_csv(folder / "dictionary.csv", DictionaryRow._fields, dictionary)
    _write_csv(folder / "rejects.csv", Reject._fields, rejects)
    _write_text(folder / "LICENCE.txt", f"{licence or UNSTATED}\n")
    _write_text(folder / "load_positions.py", LOADER)
    source = describe_source(database, connection)
    version = (
        f"{list_versions(database)['format']}.{source['created'][:10].replace('-', '')}.{_digest(folder)[:_DIGITS]}"
    )
    description: dict[str, Any] = {
        "title": "Games of ZÈRTZ",
        "version": version,
        "versions": list_versions(database),
        "licence": licence or UNSTATED,
        "filter": filters,
        "rows": rows,
        "games_with_redacted_players": redacted,
        "source": source,
        "rejects": [reject._asdict() for reject in rejects],
    }
    _write_text(folder / DESCRIPTION, json.dumps(description, ensure_ascii=False, indent=2) + "\n")
    _write_text(folder / "README.md", describe_dataset(description, dictionary))
    _write_text(folder / CHECKSUMS, "".join(f"{digest}  {name}\n" for name, digest in _list_checksums(folder)))
    return WrittenDataset(version, rows)


def _digest(folder: Path) -> str:
    """Return the SHA-256 of the names and checksums of all files so far."""
    return hashlib.sha256(repr(_list_checksums(folder)).encode()).hexdigest()


def _list_checksums(folder: Path) -> list[tuple[str, str]]:
    return [(path.name, _hash_file(path)) for path in sorted(folder.iterdir())]


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_csv(path: Path, names: Iterable[str], rows: Iterable[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")
