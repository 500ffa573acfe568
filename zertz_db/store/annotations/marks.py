"""`marks.jsonl` beside a database's generations: bookmarks, labels and notes on games and positions, and saved filters.

An object a line, written to at its end only, so that it is fit for version control:

    {"label": "study", "text": "why not b4?", "game": "3T7K0V9QZ4M1A", "author": "ada", "made_at": "2026-05-01T12:30:00"}
    {"label": "trap", "position": "37 standard …", "game": "3T7K0V9QZ4M1A", "ply": 12, "author": "ada", "made_at": "…"}
    {"label": "ada at large", "filter": "player:ada board:48", "author": "ada", "made_at": "…"}
    {"removed": "A05S0N8XJ2Q7C", "author": "ada", "made_at": "…"}

A mark is about a game (its id), or about a position (its string, and perhaps a game that reached it after so many plies), or it names
a filter. Times are UTC. A mark's own id follows from what it says; a line with `removed` takes it back.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import duckdb

from zertz_db.store.annotations import jsonl
from zertz_db.store.annotations.faults import report, require_text
from zertz_db.store.annotations.jsonl import Entry
from zertz_db.store.ids import from_text, id_of, to_text
from zertz_db.store.partial_dates import utc_time

FILE = "marks.jsonl"

_MAX_PLIES = 1 << 31


class Mark(NamedTuple):
    """A mark: label and text say something (one of them may be empty) about a game, about a position (perhaps that of the game after
    `ply` plies), or about a filter.
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
        """The mark's id in letters."""
        return to_text(id_of(json.dumps(_object(self), sort_keys=True).encode()))


def read(folder: Path) -> list[Mark]:
    """Return the marks that were not removed, in the order in which they were made. Faulty lines are skipped and reported."""
    marks: dict[str, Mark] = {}

    def take(said: Entry) -> None:
        mark = _take(said)
        if mark is None:
            marks.pop(said["removed"], None)
        else:
            marks[mark.id] = mark

    jsonl.read(folder / FILE, "mark", take)
    return list(marks.values())


def faults(folder: Path) -> list[str]:
    """Return what is wrong with lines of the file."""
    return jsonl.read(folder / FILE, "mark", _take)


def add(folder: Path, mark: Mark) -> None:
    """Append a mark. Only under the annotations' lock."""
    jsonl.append_entries(folder / FILE, [_object(mark)])


def remove(folder: Path, mark: Mark, author: str, now: dt.datetime) -> None:
    """Append that a mark is taken back. Only under the annotations' lock."""
    jsonl.append_entries(folder / FILE, [{"removed": mark.id, "author": author, "made_at": now.isoformat()}])


def rewrite(folder: Path, veil: Callable[[str], str]) -> None:
    """Veil names in everything that the marks say. Only under the annotations' lock."""

    def veiled(said: list[Entry]) -> Iterable[Entry]:
        return _with_new_ids(said, (jsonl.redact(one, _REDACTED, veil) for one in said))

    jsonl.rewrite(folder / FILE, _take, veiled, veil)


def rows(connection: duckdb.DuckDBPyConnection, marks: Iterable[Mark]) -> list[tuple[object, ...]]:
    """The rows of the table of marks: those about positions, and about games that the database has."""
    found = [(mark.game and from_text(mark.game), mark) for mark in marks if mark.filter is None and _is_possible(mark)]
    numbers = ", ".join(str(game) for game, _ in found if game is not None)
    there = f"SELECT id FROM _game WHERE id IN ({numbers})"
    known = {game for (game,) in connection.execute(there).fetchall()} if numbers else set()
    return [
        (game, _key(mark.position), mark.label, mark.text or None, mark.author, mark.made_at)
        for game, mark in found
        if game is None or game in known
    ]


def _is_possible(mark: Mark) -> bool:
    """Whether a mark is on no position, or on one that there can be; else that is reported."""
    try:
        _key(mark.position)
    except ValueError as error:
        report(Path(FILE), [f"{FILE}: mark {mark.id} is on {mark.position!r}, which is not a position ({error})."])
        return False
    return True


@cache
def _key(position: str | None) -> int | None:
    """The key of a position by its string; ValueError if it is not one."""
    if position is None:
        return None
    from zertz_db.rules.canonical import canonical
    from zertz_db.rules.position import Position

    return canonical(Position.parse(position)).key


_REDACTED = ("label", "text", "author", "filter")


def _with_new_ids(old: list[Entry], new: Iterable[Entry]) -> Iterable[Entry]:
    """Lines that take marks back, let to name them by the ids that they have now."""
    ids: dict[str, str] = {}
    for before, now in zip(old, new, strict=True):
        if "removed" in now:
            yield {**now, "removed": ids.get(now["removed"], now["removed"])}
        else:
            ids[_mark(before).id] = _mark(now).id
            yield now


def _take(said: Entry) -> Mark | None:
    """The mark of a line; None if the line takes one back. Raises an error if it is neither."""
    if "removed" not in said:
        return _mark(said)
    require_text(said["removed"], "removed")
    return None


def _mark(said: Entry) -> Mark:
    label, text, game, position, words = map(partial(_text, said), ("label", "text", "game", "position", "filter"))
    author, ply = require_text(said["author"], "author"), said.get("ply")
    if ply is not None and (not isinstance(ply, int) or not 0 <= ply < _MAX_PLIES):
        raise TypeError("'ply' is not a number of plies")
    if game is not None:
        from_text(game)
    elif words is None and position is None:
        raise ValueError("it names no game, position or filter")
    return Mark(label or "", text or "", author, utc_time(said["made_at"]), game, ply, position, words)


def _text(said: Entry, name: str) -> str | None:
    return None if said.get(name) is None else require_text(said[name], name)


def _object(mark: Mark) -> Entry:
    said = {name: value for name, value in mark._asdict().items() if value not in (None, "")}
    return {**said, "made_at": mark.made_at.isoformat()}
