"""A server for the sample database, without a network between."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.api.waiting import PATIENT
from zertz_db.api.app import create_app
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database


@pytest.fixture(scope="session")
def database(sample: Path) -> Iterator[Database]:
    with open_database(sample) as opened:
        yield opened


@pytest.fixture(scope="session")
def api(database: Database) -> Iterator[TestClient]:
    """A server that only reads."""
    with TestClient(create_app(database, limits=PATIENT), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def own(sample: Path, tmp_path: Path) -> Iterator[Database]:
    """A database to change."""
    folder = tmp_path / "own.zertz"
    shutil.copytree(sample, folder)
    with open_database(folder) as opened:
        yield opened
