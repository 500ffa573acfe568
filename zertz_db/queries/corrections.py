"""List corrections of tags: those in force, and their history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import duckdb

from zertz_db.queries.result import Column, Result
from zertz_db.queries.sql_params import execute
from zertz_db.store.annotations import corrections as kept
from zertz_db.store.annotations.corrections import COLUMNS
from zertz_db.store.folder.database import Database

HISTORY = (
    Column("game", "the game's id"),
    Column("tag", "the tag"),
    Column("old", "what it said until then; NULL where there was no such tag"),
    Column("new", "what it is to say; NULL for nothing"),
    Column("why", "why, in the author's words"),
    Column("author", "who corrected it"),
    Column("made_at", "when (UTC)"),
    Column("taken_back_by", "who took that back; NULL where nobody did"),
    Column("taken_back_at", "when (UTC)"),
)


def list_corrections(database: Database, game: str | None = None) -> Result:
    """List corrections and reverted corrections, latest first, of one game (its id in letters) or of all. Columns: HISTORY."""
    found = [one for one in reversed(kept.read(database.annotations_dir)) if game in (None, one.game)]
    rows = [
        (
            one.game,
            one.tag,
            one.old,
            one.new,
            one.why or None,
            one.author,
            one.made_at,
            one.taken_back_by,
            one.taken_back_at,
        )
        for one in found
    ]
    return Result(HISTORY, rows)


def corrections_of(
    connection: duckdb.DuckDBPyConnection, games: Iterable[int] | None
) -> dict[int, list[dict[str, Any]]]:
    """Return the corrections in force of some games (ids as numbers; None: of all): tag, `old` (in the record) and `new`."""
    found = defaultdict(list)
    where = "true" if games is None else f"game IN ({', '.join(f'{game:d}' for game in games)})"
    query = f"SELECT game, tag, old, new FROM _correction WHERE {where} ORDER BY tag"
    for game, tag, old, new in execute(connection, query).fetchall():
        found[game].append({"tag": tag, "old": old, "new": new})
    return found


def corrected_tags(tags: Result, corrections: Result) -> Result:
    """Return the tags of a record (name, value) with corrections applied, without tags that have columns."""
    said = {row["tag"]: row["new"] for row in corrections.dicts() if row["tag"] not in COLUMNS}
    left = [row for row in tags.rows if row[0] not in said]
    return Result(tags.columns, sorted([*left, *((name, value) for name, value in said.items() if value is not None)]))
