"""Compare the rows of a clean record with those that the grammar and the check give it, without building tables."""

from __future__ import annotations

from typing import Any

from zertz_db.ingest.plain_games.clean_records import CleanRecord
from zertz_db.ingest.records.clean_rows import (
    CleanGame,
    build_clean_finding_rows,
    build_clean_row,
    build_clean_tags,
    collect_clean,
)
from zertz_db.ingest.records.position_rows import collect_checked
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.records.rows import (
    build_finding_rows,
    build_game_key,
    build_game_row,
    build_record_row,
    compute_weight,
    list_tags,
)

_ID = 1
"""An id for both, since ids depend on the bytes and on the text that identifies the game."""


def has_equal_rows(clean: CleanRecord, read: SourceRecord) -> bool:
    """Return whether a record has equal rows in all tables, read in either way.

    Columns that sum up a game's course, and the rows of plies and positions, are compared as the replays that the same functions convert.
    """
    checked = read.checked
    if not checked.is_game or clean.key != build_game_key(checked):
        return False
    columns, replayed = collect_clean([CleanGame(clean, _ID, _ID)])
    game = build_game_row(checked, _ID, _ID)
    return (
        build_clean_row(clean, _ID, _ID) == build_record_row(read, _ID, compute_weight(checked), _ID)
        and build_clean_tags(clean.tags) == list_tags(checked.record.tags)
        and build_clean_finding_rows(clean, _ID) == build_finding_rows(checked, _ID)
        and {name: _to_list(values)[0] for name, values in columns.items()} == {name: game[name] for name in columns}
        and all(value is None for name, value in game.items() if name not in columns)
        and [_to_list(values) for values in replayed]
        == [_to_list(values) for values in collect_checked([(_ID, checked)])]
    )


def _to_list(values: Any) -> list[Any]:
    return values if isinstance(values, list) else values.tolist()
