"""A PostgreSQL, lakes in it, and databases in folders to compare them with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.lakes import FEW, Lakes
from tests.cluster.postgres import Server, programs, running
from zertz_db import import_paths, samples
from zertz_db.store.lake import catalog
from zertz_db.store.lake.catalog import NoExtension

HALVES = FEW[::2], FEW[1::2]


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of the samples in a folder."""
    folder = tmp_path_factory.mktemp("embedded") / "games.zertz"
    import_paths([samples.folder()], folder)
    return folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Yield a PostgreSQL."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    with running(found) as server:
        yield server


@pytest.fixture(scope="session")
def lakes(postgres: Server) -> Lakes:
    """Return the place for new lakes."""
    try:
        catalog.loading(Path("ducklake:postgres:"))
    except NoExtension as error:
        pytest.skip(str(error))
    folder = postgres.folder / "lakes"
    folder.mkdir()
    return Lakes(postgres, folder)


@pytest.fixture(scope="session")
def shared(lakes: Lakes) -> Path:
    """Return a lake of the samples, for tests that only read."""
    there = lakes.new("shared")
    import_paths([samples.folder()], there)
    return there


@pytest.fixture(scope="session")
def in_parts(lakes: Lakes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Import few samples into a folder, twice, and into the lake `in_parts`, for copies."""
    folder = tmp_path_factory.mktemp("in_parts") / "games.zertz"
    there = lakes.new("in_parts")
    for half in HALVES:
        import_paths(half, folder)
        import_paths(half, there)
    return folder
