"""Marks that people made: bookmarks, labels and notes on games and positions, and filters with a name."""

from __future__ import annotations

from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Column, Result
from zertz_db.store.annotations import marks as kept
from zertz_db.store.annotations.marks import Mark
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text

MARKS = (
    Column("mark", "the mark's id"),
    Column("label", "the label"),
    Column("note", "the note"),
    Column("about", "game, position or filter"),
    Column("game", "the game's id; of a mark on a position the game in which it was met"),
    Column("ply", "the plies before that position"),
    Column("position", "the position's string"),
    Column("filter", "the filter, in its language"),
    Column("author", "who made the mark"),
    Column("made_at", "when (UTC)"),
)


def list_marks(database: Database, label: str | None = None) -> Result:
    """List the marks, latest first. A label selects those that have it in any case. Columns: MARKS."""
    found = [mark for mark in kept.read(database.annotations_dir) if label is None or _is_called(mark, label)]
    rows = [
        (mark.id, mark.label, mark.text, _about(mark), *mark[4:8], mark.author, mark.made_at)
        for mark in sorted(found, key=lambda mark: mark.made_at)[::-1]
    ]
    return Result(MARKS, rows)


def marked_games(database: Database, label: str) -> list[int]:
    """The ids, as numbers, of the games that have this label, or a position with it, in the order in which they got it."""
    found = (mark.game for mark in kept.read(database.annotations_dir) if mark.game and _is_called(mark, label))
    return [from_text(game) for game in dict.fromkeys(found)]


def saved_filter(database: Database, label: str) -> str:
    """Return the latest filter saved under a name. QueryError if there is none."""
    filters = {mark.label.casefold(): mark for mark in kept.read(database.annotations_dir) if mark.filter is not None}
    found = filters.get(label.strip().casefold())
    if found is None or found.filter is None:
        names = ", ".join(mark.label for mark in filters.values()) or "none"
        raise QueryError(f"no filter is saved as {label!r}; saved: {names}")
    return found.filter


def _is_called(mark: Mark, label: str) -> bool:
    return mark.label.casefold() == label.strip().casefold()


def _about(mark: Mark) -> str:
    return "filter" if mark.filter is not None else "position" if mark.position is not None else "game"
