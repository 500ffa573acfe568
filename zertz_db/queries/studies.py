"""Studies that people saved: move trees with names."""

from __future__ import annotations

from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Column, Result
from zertz_db.store.annotations import studies
from zertz_db.store.annotations.studies import Study
from zertz_db.store.folder.database import Database

STUDIES = (
    Column("study", "the study's id"),
    Column("name", "its name"),
    Column("author", "who saved it last"),
    Column("made_at", "when it was saved last (UTC)"),
)


def list_studies(database: Database) -> Result:
    """Return the studies, the latest saved first. Columns: STUDIES."""
    found = sorted(studies.read(database.annotations_dir), key=lambda one: one.made_at)[::-1]
    return Result(STUDIES, [(one.id, one.name, one.author, one.made_at) for one in found])


def find_study(database: Database, wanted: str) -> Study:
    """Return the study with this name (upper and lower case alike) or id. QueryError if there is none."""
    found = studies.read(database.annotations_dir)
    text = " ".join(wanted.split()).casefold()
    for study in found:
        if text in (study.name.casefold(), study.id.casefold()):
            return study
    raise QueryError(f"no study is called {wanted!r}; all studies: zertz studies")
