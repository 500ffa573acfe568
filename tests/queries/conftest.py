from collections.abc import Iterator
from pathlib import Path

import pytest

from zertz_db.store.opening import Database, open_database


@pytest.fixture
def database(sample: Path) -> Iterator[Database]:
    with open_database(sample) as opened:
        yield opened


@pytest.fixture
def ids(database: Database) -> dict[str, str]:
    """The games' ids by their events."""
    return dict(database.connection().execute("SELECT event, id FROM games").fetchall())
