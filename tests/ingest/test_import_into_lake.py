"""The folder in which an import into a lake is prepared."""

import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from zertz_db.ingest import import_into_lake
from zertz_db.ingest.records.read_records import Skipped
from zertz_db.ingest.sources.place import Place, ReadRequest, SourceError
from zertz_db.ingest.stored.known_sources import ImportRequest, KnownFiles
from zertz_db.ingest.tally import Tally


@pytest.mark.skipif(sys.platform == "win32", reason="permissions")
def test_only_the_user_can_read_the_staging_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_into_lake.tempfile, "tempdir", str(tmp_path))
    for _ in range(2):  # the import, and the same one again
        import_into_lake._get_staging_folder(Path("lake"), ReadRequest(["games.txt"]))
    [folder] = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("has_records", [True, False])
def test_nothing_is_left_in_the_temporary_folder(
    has_records: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    skipped = Skipped(Place("notes.md"), "it has no records")

    def stage(_: ImportRequest) -> Tally:
        if not has_records:
            raise SourceError("no records found in games.txt")
        return Tally(skipped=[skipped])

    monkeypatch.setattr(import_into_lake.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(import_into_lake, "_require_same_files", lambda *_: None)
    monkeypatch.setattr(import_into_lake, "import_files", stage)
    monkeypatch.setattr(import_into_lake, "open_database", nullcontext)
    monkeypatch.setattr(import_into_lake, "change_database", lambda *_: Tally(stored=2))
    reading = ReadRequest(["games.txt"])
    request = ImportRequest([], {}, {}, reading, Path("lake"), lambda _: None, lambda _: None, None, replace=False)
    tally = import_into_lake._import_new_files([], KnownFiles({}, {}, set()), request)
    assert tally == (Tally(stored=2, skipped=[skipped]) if has_records else None)
    assert list(tmp_path.iterdir()) == []
