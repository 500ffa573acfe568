"""Marks on games, positions and filters: made and taken back, in `marks.jsonl`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from zertz_db.errors import UserMistake
from zertz_db.store.annotations import marks
from zertz_db.store.annotations.marks import Mark
from zertz_db.store.backend import annotate
from zertz_db.store.open_database import open_database


class NoSuchMark(UserMistake):
    """No mark has this id, or several begin so."""


def add_mark(
    folder: str | Path,
    author: str,
    *,
    label: str = "",
    text: str = "",
    game: str | None = None,
    ply: int | None = None,
    position: str | None = None,
    words: str | None = None,
) -> Mark:
    """Mark a game (its id in letters), a position (its string; `game` and `ply` say where it was met), or name a filter (`words`).

    It counts at once for whoever reads the database. Raises NoDatabase, LockHeld.
    """
    open_database(folder).close()  # so that nothing is written where there is no database
    made = Mark(label, text, author, _now(), game, ply, position, words)
    annotate(folder, lambda words: marks.add(words, made))
    return made


def remove_mark(folder: str | Path, mark_id: str, author: str) -> Mark:
    """Take a mark back: the only one whose id begins so. Raises NoSuchMark, NoDatabase, LockHeld."""
    open_database(folder).close()

    def say(words: Path) -> Mark:
        found = [one for one in marks.read(words) if one.id.startswith(mark_id.strip().upper())]
        if len(found) != 1:
            what = "No mark has" if not found else f"{len(found)} marks have"
            raise NoSuchMark(f"{what} an id that begins with {mark_id}; all marks: zertz marks")
        marks.remove(words, found[0], author, _now())
        return found[0]

    return annotate(folder, say)


def _now() -> datetime:
    """UTC without saying so, as the database keeps it."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
