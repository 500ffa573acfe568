from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.analyses import JudgedClub
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database


@pytest.fixture
def folder(sample: Path) -> Path:
    """The database that is asked."""
    return sample


@pytest.fixture
def database(folder: Path) -> Iterator[Database]:
    with open_database(folder) as opened:
        yield opened


@pytest.fixture
def ids(database: Database) -> dict[str, str]:
    """The games' ids by their events."""
    return dict(database.connection().execute("SELECT event, id FROM games").fetchall())


@pytest.fixture(scope="session")
def judged(judged_club: JudgedClub) -> Iterator[Database]:
    """The database with analyses of forced wins."""
    with open_database(judged_club.folder) as opened:
        yield opened
