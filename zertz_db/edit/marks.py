"""Add and remove marks on games, positions and filters, in `marks.jsonl`."""

from __future__ import annotations

from pathlib import Path

from zertz_db.errors import UserMistake
from zertz_db.store.annotations import marks
from zertz_db.store.annotations.marks import Mark
from zertz_db.store.backend import annotate
from zertz_db.store.open_database import open_database
from zertz_db.store.partial_dates import utc_now


class NoSuchMark(UserMistake):
    """No mark, or more than one, has this id or prefix."""


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
    """Mark a game (its id in letters), a position (its string, optionally with a `game` and `ply` that reached it), or a filter (`words`).

    Return the mark. Readers see it at once. Raise NoDatabase or LockHeld.
    """
    open_database(folder).close()  # so that nothing is written without a database
    made = Mark(label, text, author, utc_now(), game, ply, position, words)
    annotate(folder, lambda annotations_dir: marks.add(annotations_dir, made))
    return made


def remove_mark(folder: str | Path, mark_id: str, author: str) -> Mark:
    """Remove and return the only mark whose id has this prefix. Raise NoSuchMark, NoDatabase or LockHeld."""
    open_database(folder).close()

    def write(annotations_dir: Path) -> Mark:
        matches = [one for one in marks.read(annotations_dir) if one.id.startswith(mark_id.strip().upper())]
        if len(matches) != 1:
            subject = "No mark has" if not matches else f"{len(matches)} marks have"
            raise NoSuchMark(f"{subject} an id that begins with {mark_id}; all marks: zertz marks")
        marks.remove(annotations_dir, matches[0], author, utc_now())
        return matches[0]

    return annotate(folder, write)
