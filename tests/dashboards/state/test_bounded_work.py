"""Work in processes of their own: what it returns and raises, and what ends it. The work is Python's own functions."""

from __future__ import annotations

import io
import os
import sys
import time
import zipfile
from multiprocessing import active_children
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from tests.dashboards.opened_pages import opened
from tests.queries.sample import RECORDS
from zertz_db.check.findings import TOO_LARGE
from zertz_db.dashboards.state import bounded_work, session_work
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded, run_bounded
from zertz_db.dashboards.state.check_uploads import Upload, read_uploads
from zertz_db.dashboards.state.uploads import read_records

LONG = 10_000
"""Seconds that no test waits for."""


class Left(Exception):
    """Error for a visitor who left."""


def test_a_process_is_used_again() -> None:
    assert run_bounded(os.getpid) == run_bounded(os.getpid) != os.getpid()


def test_what_the_work_raises_is_raised_here() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        run_bounded(int, "x")


@pytest.mark.parametrize(
    ("work", "value", "said"),
    [
        (time.sleep, LONG, "longer than the limit of 0.1 s"),
        (bytearray, 2 * bounded_work.MAX_MEMORY, "more memory than the limit of 2 GB"),
        (os._exit, 3, "has ended"),
    ],
)
def test_work_that_needs_too_much_is_ended(work: object, value: int, said: str) -> None:
    seconds = 0.1 if work is time.sleep else LONG
    with pytest.raises(WorkLimitExceeded, match=said) as ended:
        run_bounded(work, value, seconds=seconds)  # type: ignore[arg-type]
    assert "zertz check" in str(ended.value)
    assert run_bounded(abs, -1) == 1


def test_work_ends_with_its_visitor() -> None:
    def look() -> None:
        raise Left

    before = {*active_children()}
    with pytest.raises(Left):
        run_bounded(time.sleep, LONG, poll=look)
    assert {*active_children()} <= before


def test_work_ends_with_the_server() -> None:
    work = "import time; print('begun', flush=True); time.sleep(10); print('done', flush=True)"
    server = f"from zertz_db.dashboards.state.bounded_work import run_bounded; run_bounded(exec, {work!r})"
    with Popen([sys.executable, "-c", server], stdout=PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "begun\n"
        process.kill()
        assert process.stdout.read() == ""  # at the end of the last process that could print


def bomb() -> bytes:
    """Return a zip of zips of spaces: small, but large when unpacked."""
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("blank.txt", b" " * 40_000_000)
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(200):
            archive.writestr(f"{number}.zip", inner.getvalue())
    return outer.getvalue()


def test_work_past_its_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_work, "MAX_SECONDS", -1)
    monkeypatch.setattr(bounded_work, "POLL_SECONDS", 0)
    with pytest.raises(WorkLimitExceeded):
        read_uploads([Upload("games.txt", RECORDS[0].encode())])


def test_a_bomb_is_refused_by_the_bounds_of_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_work, "MAX_SECONDS", LONG)
    found = read_uploads([Upload("bomb.zip", bomb())])
    codes = [finding.code for record in found.records for finding in record.checked.findings]
    assert TOO_LARGE.code in codes
    assert len(found.records) <= 3


@pytest.mark.usefixtures("read_only")
def test_the_page_says_what_was_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_work, "MAX_SECONDS", -1)
    monkeypatch.setattr(bounded_work, "POLL_SECONDS", 0)
    app = opened("check.py", text=RECORDS[0])
    assert "This takes longer than" in app.error[0].value


def test_who_left_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Server:
        def is_active_session(self, _session: str) -> bool:
            return False

    monkeypatch.setattr(session_work, "get_script_run_ctx", lambda **_: type("Context", (), {"session_id": "1"}))
    monkeypatch.setattr(session_work.runtime, "exists", lambda: True)
    monkeypatch.setattr(session_work.runtime, "get_instance", Server)
    assert session_work.is_disconnected()


def test_a_record_that_failed_for_want_of_memory_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    (tmp_path / "game.txt").write_text(RECORDS[0], "utf-8")
    monkeypatch.setattr("zertz_db.ingest.records.read_records.read", fail)
    with pytest.raises(MemoryError):
        read_records([str(tmp_path / "game.txt")], 10)
