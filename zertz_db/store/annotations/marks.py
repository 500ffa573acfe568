"""`marks.jsonl` next to a database's generations: bookmarks, labels and notes on games and positions, and saved filters.

Each line is one object. Lines are only appended, so the file suits version control:

    {"label": "study", "text": "why not b4?", "game": "3T7K0V9QZ4M1A", "author": "ada", "made_at": "2026-05-01T12:30:00"}
    {"label": "trap", "position": "37 standard …", "game": "3T7K0V9QZ4M1A", "ply": 12, "author": "ada", "made_at": "…"}
    {"label": "ada at large", "filter": "player:ada board:48", "author": "ada", "made_at": "…"}
    {"removed": "A05S0N8XJ2Q7C", "author": "ada", "made_at": "…"}

A mark is about a game (its id), about a position (its string, optionally with a game that reached it and the ply), or about a filter.
Times are UTC. The id of a mark is a hash of its contents; a line with `removed` removes that mark.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import duckdb

from zertz_db.rules.position import Position
from zertz_db.store.annotations import jsonl
from zertz_db.store.annotations.faults import report, require_text
from zertz_db.store.annotations.jsonl import Entry
from zertz_db.store.ids import from_text, id_of, to_text
from zertz_db.store.partial_dates import utc_time

FILE = "marks.jsonl"

_MAX_PLIES = 1 << 31


class Mark(NamedTuple):
    """A label and a text (one of them may be empty) on a game, on a position (optionally the one after `ply` plies of a game), or on a
    filter.
    """

    label: str
    text: str
    author: str
    made_at: dt.datetime
    game: str | None = None
    ply: int | None = None
    position: str | None = None
    filter: str | None = None

    @property
    def id(self) -> str:
        """Return the mark's id in letters."""
        return to_text(id_of(json.dumps(_object(self), sort_keys=True).encode()))


def read(folder: Path) -> list[Mark]:
    """Return the marks that were not removed, oldest first. Skip and report faulty lines."""
    marks: dict[str, Mark] = {}

    def collect(entry: Entry) -> None:
        mark = _parse(entry)
        if mark is None:
            marks.pop(entry["removed"], None)
        else:
            marks[mark.id] = mark

    jsonl.read(folder / FILE, "mark", collect)
    return list(marks.values())


def faults(folder: Path) -> list[str]:
    """Return the faults in the lines of the file."""
    return jsonl.read(folder / FILE, "mark", _parse)


def add(folder: Path, mark: Mark) -> None:
    """Append a mark. The caller holds the annotations' lock."""
    jsonl.append_entries(folder / FILE, [_object(mark)])


def remove(folder: Path, mark: Mark, author: str, now: dt.datetime) -> None:
    """Append the removal of a mark. The caller holds the annotations' lock."""
    jsonl.append_entries(folder / FILE, [{"removed": mark.id, "author": author, "made_at": now.isoformat()}])


def rewrite(folder: Path, redact_text: Callable[[str], str]) -> None:
    """Redact names in all marks. The caller holds the annotations' lock."""

    def redact_entries(entries: list[Entry]) -> Iterable[Entry]:
        return _with_new_ids(entries, (jsonl.redact(one, _REDACTED, redact_text) for one in entries))

    jsonl.rewrite(folder / FILE, _parse, redact_entries, redact_text)


def rows(connection: duckdb.DuckDBPyConnection, marks: Iterable[Mark]) -> list[tuple[object, ...]]:
    """Return the rows of the table of marks: those on positions, and on games in the database."""
    game_marks = [
        (mark.game and from_text(mark.game), mark) for mark in marks if mark.filter is None and _is_possible(mark)
    ]
    numbers = ", ".join(str(game) for game, _ in game_marks if game is not None)
    existing = f"SELECT id FROM _game WHERE id IN ({numbers})"
    known = {game for (game,) in connection.execute(existing).fetchall()} if numbers else set()
    return [
        (game, _key(mark.position), mark.label, mark.text or None, mark.author, mark.made_at)
        for game, mark in game_marks
        if game is None or game in known
    ]


def _is_possible(mark: Mark) -> bool:
    """Return whether a mark has no position, or a valid one; report an invalid one."""
    try:
        _key(mark.position)
    except ValueError as error:
        report(Path(FILE), [f"{FILE}: mark {mark.id} is on {mark.position!r}, which is not a position ({error})."])
        return False
    return True


@cache
def _key(position: str | None) -> int | None:
    """Return the key of a position by its string. Raise ValueError if it is invalid."""
    if position is None:
        return None
    from zertz_db.rules.canonical import (
        canonicalise,  # takes 4 ms, and every command with a database imports this module
    )

    return canonicalise(Position.parse(position)).key


_REDACTED = ("label", "text", "author", "filter")


def _with_new_ids(old: list[Entry], new: Iterable[Entry]) -> Iterable[Entry]:
    """Yield the entries, with the new ids of marks in the lines that remove them."""
    ids: dict[str, str] = {}
    for before, now in zip(old, new, strict=True):
        if "removed" in now:
            yield {**now, "removed": ids.get(now["removed"], now["removed"])}
        else:
            ids[_mark(before).id] = _mark(now).id
            yield now


def _parse(entry: Entry) -> Mark | None:
    """Return the mark of a line, or None if the line removes one. Raise an error if it is neither."""
    if "removed" not in entry:
        return _mark(entry)
    require_text(entry["removed"], "removed")
    return None


def _mark(entry: Entry) -> Mark:
    label, text, game, position, expression = map(
        partial(_text, entry), ("label", "text", "game", "position", "filter")
    )
    author, ply = require_text(entry["author"], "author"), entry.get("ply")
    if ply is not None and (not isinstance(ply, int) or not 0 <= ply < _MAX_PLIES):
        raise TypeError("'ply' is not a number of plies")
    if game is not None:
        from_text(game)
    elif expression is None and position is None:
        raise ValueError("it names no game, position or filter")
    return Mark(label or "", text or "", author, utc_time(entry["made_at"]), game, ply, position, expression)


def _text(entry: Entry, name: str) -> str | None:
    return None if entry.get(name) is None else require_text(entry[name], name)


def _object(mark: Mark) -> Entry:
    entry = {name: value for name, value in mark._asdict().items() if value not in (None, "")}
    return {**entry, "made_at": mark.made_at.isoformat()}
