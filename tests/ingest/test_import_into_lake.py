"""The folder in which an import into a lake is prepared."""

import sys
from pathlib import Path

import pytest

from zertz_db.ingest import import_into_lake
from zertz_db.ingest.sources.place import ReadRequest


@pytest.mark.skipif(sys.platform == "win32", reason="permissions")
def test_only_the_user_can_read_the_staging_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_into_lake.tempfile, "tempdir", str(tmp_path))
    for _ in range(2):  # the import, and the same one again
        import_into_lake._get_staging_folder(Path("lake"), ReadRequest(["games.txt"]))
    [folder] = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
