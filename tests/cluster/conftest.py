"""Databases that the tests of clusters and lakes compare with, and a PostgreSQL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cluster.postgres import Server, programs, running
from zertz_db import import_paths, samples
from zertz_db.store import lake
from zertz_db.store.lake import NoExtension


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples in a folder."""
    folder = tmp_path_factory.mktemp("embedded") / "games.zertz"
    import_paths([samples.folder()], folder)
    return folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    with running(found) as server:
        yield server


@pytest.fixture
def new_lake(postgres: Server, tmp_path: Path) -> Callable[[str], Path]:
    """Names of lakes that are not there yet."""

    def name(database: str) -> Path:
        there = Path(f"ducklake:postgres:{postgres.new_database(database)} data_path={tmp_path / database}")
        try:
            lake.loading(there)
        except NoExtension as error:
            pytest.skip(str(error))
        return there

    return name
