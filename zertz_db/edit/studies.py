"""Save, rename, remove and restore studies, in `studies.jsonl`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from zertz_db.errors import UserMistake
from zertz_db.store.annotations import studies
from zertz_db.store.annotations.studies import Study
from zertz_db.store.backend import annotate
from zertz_db.store.ids import id_of, to_text
from zertz_db.store.open_database import open_database
from zertz_db.store.partial_dates import utc_now
from zertz_db.variations.move_tree import MoveTree
from zertz_db.variations.notation import read_tree, write_tree

MAX_NAME = 100
"""Maximum number of characters of a name."""
MAX_RECORD = 100_000
"""Maximum number of characters of a study in official notation."""


class StudyError(UserMistake):
    """A study can't be saved or found; the message names the cause and the remedy."""


def save_study(
    folder: str | Path,
    name: str,
    tree: MoveTree,
    author: str,
    *,
    facts: dict[str, str] | None = None,
    study: str | None = None,
) -> Study:
    """Save a tree under a name, as a new study or (`study`: its id) in place of the tree of an old one; return the study.

    facts: of the game that it began with, see `variations.notation.FACTS`. Raise StudyError, TreeError, NoDatabase or LockHeld.
    """
    record = write_tree(tree, facts)
    if len(record) > MAX_RECORD:
        raise StudyError(
            f"the study has {len(record):,} characters; at most {MAX_RECORD:,} are saved. Shorten comments or split it."
        )
    if read_tree(record, "gipf").tree != tree:
        raise StudyError("the official notation can't hold this study: its text reads as another one")
    return _change(folder, lambda into: _write(into, name, record, author, study))


def rename_study(folder: str | Path, study: str, name: str, author: str) -> Study:
    """Give a study (its id) another name; return it. Raise StudyError, NoDatabase or LockHeld."""
    return _change(folder, lambda into: _write(into, name, _find(into, study).record, author, study))


def remove_study(folder: str | Path, study: str, author: str) -> Study:
    """Remove a study (its id) and return it; `restore_study` undoes that. Raise StudyError, NoDatabase or LockHeld."""

    def write(into: Path) -> Study:
        found = _find(into, study)
        studies.remove(into, found, author, utc_now())
        return found

    return _change(folder, write)


def restore_study(folder: str | Path, study: str, author: str) -> Study:
    """Restore a removed study (its id) and return it. Raise StudyError, NoDatabase or LockHeld."""

    def write(into: Path) -> Study:
        gone = next((one for one in studies.read_removed(into) if one.id == study), None)
        if gone is None:
            raise StudyError(f"no removed study has the id {study}")
        return _write(into, gone.name, gone.record, author, gone.id)

    return _change(folder, write)


def _change(folder: str | Path, write: Callable[[Path], Study]) -> Study:
    open_database(folder).close()  # so that nothing is written without a database
    return annotate(folder, write)


def _write(into: Path, name: str, record: str, author: str, study: str | None) -> Study:
    """Append the state of a study. Raise StudyError if the name is empty, too long or another study's."""
    wanted, now = " ".join(name.split()), utc_now()
    if not wanted or len(wanted) > MAX_NAME:
        raise StudyError(f"a study needs a name of at most {MAX_NAME} characters")
    known = studies.read(into)
    if any(one.name.casefold() == wanted.casefold() and one.id != study for one in known):
        raise StudyError(f"another study is called {wanted}; choose another name, or open that one")
    number = study or _new_id(wanted, author, now, {one.id for one in (*known, *studies.read_removed(into))})
    made = Study(number, wanted, record, author, now)
    studies.write(into, made)
    return made


def _new_id(name: str, author: str, now: datetime, taken: set[str]) -> str:
    """Return an id that no study has."""
    count = 0
    while (number := to_text(id_of(f"{name} {author} {now} {count}".encode()))) in taken:
        count += 1
    return number


def _find(into: Path, study: str) -> Study:
    found = next((one for one in studies.read(into) if one.id == study), None)
    if found is None:
        raise StudyError(f"no study has the id {study}; it may have been removed. All studies: zertz studies")
    return found
