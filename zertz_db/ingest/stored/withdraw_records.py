"""Withdraw the records that are missing from their files, as if their import were undone; other records stay."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import duckdb

from zertz_db.ingest.records.reader_version import mark_partial
from zertz_db.ingest.stored.delete_records import delete_by_place, delete_empty_sources, update_tallies
from zertz_db.ingest.stored.file_versions import MissingRecord
from zertz_db.store.annotations import corrections, game_merges, marks
from zertz_db.store.ids import to_text


class WithdrawalTally(NamedTuple):
    """The numbers of records and games that were withdrawn, and of annotations (marks, corrections, merges) on those games.

    Annotations stay in their files: they count again if the games return.
    """

    records: int
    games: int
    annotations: int


def withdraw(
    connection: duckdb.DuckDBPyConnection, missing: Sequence[MissingRecord], annotations_dir: Path
) -> WithdrawalTally:
    """Remove these records from a database under construction. annotations_dir: the folder with its annotations.

    A game with other records stays, represented by the best of them. The rest of an earlier version is marked as partial.
    """
    sources = sorted({one.source for one in missing})
    with update_tallies(connection):
        delete_by_place(connection, [(one.source, one.member, one.number) for one in missing])
    delete_empty_sources(connection, sources)
    query = "SELECT id, reader_version FROM _source WHERE id IN (SELECT unnest(?))"
    for source, noted in connection.execute(query, [sources]).fetchall():
        connection.execute("UPDATE _source SET reader_version = ? WHERE id = ?", [mark_partial(noted), source])
    games = {to_text(one.game) for one in missing if one.is_last and one.game is not None}
    return WithdrawalTally(len(missing), len(games), _count_annotations(annotations_dir, games))


def _count_annotations(annotations_dir: Path, games: Collection[str]) -> int:
    about = [
        *(mark.game for mark in marks.read(annotations_dir)),
        *(to_text(game) for game, _ in corrections.in_force(annotations_dir)),
        *(merge.of for merge in game_merges.read(annotations_dir)),
    ]
    return sum(game in games for game in about)
