"""Add attempts at puzzles, in `attempts.jsonl`."""

from __future__ import annotations

from pathlib import Path

from zertz_db.store.annotations import attempts
from zertz_db.store.annotations.attempts import Attempt
from zertz_db.store.backend import annotate
from zertz_db.store.open_database import open_database
from zertz_db.store.partial_dates import utc_now


def add_attempt(folder: str | Path, puzzle: str, author: str, *, solved: bool) -> Attempt:
    """Store an attempt at a puzzle (its id), and whether it was solved at once. Return the attempt.

    Raise NoDatabase or LockHeld.
    """
    open_database(folder).close()  # so that nothing is written without a database
    made = Attempt(puzzle, solved, author, utc_now())
    annotate(folder, lambda annotations_dir: attempts.add(annotations_dir, [made]))
    return made
