"""Imports started on a page: a process of their own, which ends at its limits, with its visitor and with the server."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from tests.queries.sample import ILLEGAL, RECORDS
from zertz_db.dashboards.state import import_job
from zertz_db.dashboards.state.import_job import ImportJob
from zertz_db.store.open_database import open_database

FILES = [("club.txt", (RECORDS[0] + ILLEGAL).encode())]
SECONDS = 300
"""Seconds after which a test fails."""


def wait(*_: object) -> None:
    """Stand for an import that does not end."""
    time.sleep(10_000)


def die(*_: object) -> None:
    """Stand for an import that needs too much memory."""
    os._exit(9)


@pytest.fixture(autouse=True)
def uploads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of uploaded files; nothing is left in it, nor of the processes."""
    folder = tmp_path / "uploads"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = {*active_children()}
    yield folder
    assert list(folder.iterdir()) == []
    assert {*active_children()} <= before


def test_an_import_reports_its_tally_and_stores_the_names_of_the_files(tmp_path: Path) -> None:
    job = ImportJob(FILES, tmp_path / "db")
    assert job.wait(SECONDS)
    assert job.failure == ""
    assert job.tally
    assert (job.tally.read, job.tally.stored, job.tally.rejected, job.tally.run) == (2, 1, 1, 1)
    with open_database(tmp_path / "db") as database:
        assert database.connection().execute("SELECT path FROM _source").fetchall() == [("club.txt",)]


@pytest.mark.parametrize(
    ("seen", "records", "share"), [(None, 4, 0.0), (0, 0, 0.0), (1, 1, 1.0), (1, 4, 0.25), (3, 2, 1.0)]
)
def test_the_share_of_a_recheck_is_that_of_its_records(seen: int | None, records: int, share: float) -> None:
    job = object.__new__(import_job.RecheckJob)
    job.seen, job._records = seen, records
    assert job.progress == (share, f"{seen or 0} of {records} records read again")


def test_a_recheck_tells_how_many_records_are_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def recheck(_folder: Path, tick: Callable[[int], None], _wait: object) -> list[object]:
        tick(2)
        tick(3)
        return []

    monkeypatch.setattr("zertz_db.maintain.recheck.recheck_database", recheck)
    done: list[object] = []
    assert import_job._recheck(tmp_path, done.append) == import_job.RecheckTally(0, 0, 0, 0)
    assert done == [2, 5]


def test_the_message_of_a_failed_import_is_that_of_the_command(tmp_path: Path) -> None:
    job = ImportJob([("empty.zip", b"")], tmp_path / "db")
    assert job.wait(SECONDS)
    assert (job.tally is None, job.failure) == (False, "")
    (tmp_path / "file").write_text("x")
    job = ImportJob(FILES, tmp_path / "file")
    assert job.wait(SECONDS)
    assert job.tally is None
    assert "a database is a folder" in job.failure


@pytest.mark.parametrize("reason", ["time", "visitor", "server"])
def test_an_import_is_ended(reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_job, "GRACE_SECONDS", 0)
    monkeypatch.setattr(import_job, "_import_files", wait)
    job = ImportJob(
        FILES,
        tmp_path / "db",
        is_disconnected=lambda: reason == "visitor",
        seconds=0.1 if reason == "time" else SECONDS,
    )
    if reason == "server":
        import_job._stop_all()
    assert job.wait(SECONDS)
    assert job.tally is None
    assert ("longer than the limit" if reason == "time" else "was stopped") in job.failure
    assert "The database is unchanged" in job.failure
    assert not (tmp_path / "db").exists()


def test_an_import_ends_with_a_server_that_is_ended(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from zertz_db.dashboards.state import import_job
from tests.dashboards.state.test_import_job import FILES, wait
import_job._import_files = wait
job = import_job.ImportJob(FILES, Path(sys.argv[1]))
print("running")
"""
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "db")],
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "running\n", "")


def test_a_process_that_dies_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_job, "_import_files", die)
    job = ImportJob(FILES, tmp_path / "db")
    assert job.wait(SECONDS)
    assert "The process of the import has ended" in job.failure
