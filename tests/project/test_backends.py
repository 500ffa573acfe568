"""The backend of a database, a folder or a lake, is chosen in one module."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zertz_db.ingest import import_paths, lake_importer
from zertz_db.store.address import require_folder
from zertz_db.store.backend import find_backend
from zertz_db.store.errors import NotInLakes
from zertz_db.store.folder.backend import FolderBackend
from zertz_db.store.folder.build import Build
from zertz_db.store.lake.backend import LakeBackend

ROOT = Path(__file__).parents[2]
DEFINED = "zertz_db/store/address.py"


def test_is_lake_is_asked_in_the_module_of_backends_alone() -> None:
    files = [file for room in ("zertz_db", "dashboards", "parser") for file in (ROOT / room).rglob("*.py")]
    asking = {file.relative_to(ROOT).as_posix() for file in files if re.search(r"\bis_lake\b", file.read_text("utf-8"))}
    assert asking == {DEFINED, "zertz_db/store/backend.py"}


@pytest.mark.parametrize(
    ("address", "backend"), [("games.zertz", FolderBackend), ("ducklake:games.ducklake", LakeBackend)]
)
def test_the_address_determines_the_backend(address: str, backend: type) -> None:
    assert find_backend(address) == find_backend(Path(address)) == backend(Path(address))


def test_a_folder_is_required_where_a_lake_is_impossible() -> None:
    assert require_folder("games.zertz") == Path("games.zertz")
    with pytest.raises(NotInLakes, match="is a lake; only a folder can do that"):
        require_folder("ducklake:games.ducklake")


def test_every_backend_has_an_importer() -> None:
    assert set(import_paths._IMPORTERS) == {FolderBackend, LakeBackend}
    assert set(lake_importer._IMPORTERS) == {Build, *Build.__subclasses__()}
