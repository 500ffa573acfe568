"""The importers' lock, held by real processes."""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from zertz_db.store.backend import annotate
from zertz_db.store.errors import LockHeld, NoFolder, UnreadableDatabase
from zertz_db.store.folder.lock import FILE, Wait, annotations_lock, importers_lock
from zertz_db.store.folder.lock import holder as holder_of

HOLD = """
import sys, time
from pathlib import Path
from zertz_db.store.folder.lock import importers_lock
with importers_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def start_holder(folder: Path) -> subprocess.Popen[str]:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    return holder


def test_a_second_importer_gets_the_holder_of_the_lock_and_a_remedy(tmp_path: Path) -> None:
    holder = start_holder(tmp_path)
    try:
        with pytest.raises(LockHeld, match="Wait until it is done") as caught, importers_lock(tmp_path):
            pass
        assert f"process {holder.pid} on " in str(caught.value)
        assert caught.value.pid == holder.pid
    finally:
        holder.kill()
        holder.communicate()


def test_a_waiting_importer_gets_one_report_and_then_the_lock(tmp_path: Path) -> None:
    holder = start_holder(tmp_path)
    reported: list[int | None] = []

    def tell(held: LockHeld) -> None:
        reported.append(held.pid)
        holder.kill()

    with importers_lock(tmp_path, Wait(60, tell)):
        assert reported == [holder.pid]
    holder.communicate()


def test_waiting_has_an_end(tmp_path: Path) -> None:
    reported: list[LockHeld] = []
    with importers_lock(tmp_path):
        with (
            pytest.raises(LockHeld, match=f"process {os.getpid()} on "),
            importers_lock(tmp_path, Wait(0.2, reported.append)),
        ):
            pass
        assert len(reported) == 1


def test_a_folder_that_vanishes_while_its_lock_is_waited_for_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "games.zertz"
    with importers_lock(folder):
        pass
    folder.rmdir()
    with importers_lock(folder):
        assert (folder / FILE).exists()


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    holder = start_holder(tmp_path)
    holder.kill()
    holder.communicate()
    assert (tmp_path / FILE).exists()
    with importers_lock(tmp_path):
        assert str(os.getpid()) in (tmp_path / FILE).read_text()


def test_the_lock_leaves_no_file_and_can_be_taken_again(tmp_path: Path) -> None:
    for _ in range(2):
        with importers_lock(tmp_path):
            assert (tmp_path / FILE).exists()
        assert list(tmp_path.iterdir()) == []


def test_two_importers_in_one_process_exclude_each_other(tmp_path: Path) -> None:
    with importers_lock(tmp_path), pytest.raises(LockHeld), importers_lock(tmp_path):
        pass


def test_a_lock_whose_note_is_garbage_is_still_a_lock(tmp_path: Path) -> None:
    with importers_lock(tmp_path):
        (tmp_path / FILE).write_text("{")
        with pytest.raises(LockHeld, match="another process"), importers_lock(tmp_path):
            pass


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not fork")
def test_a_forked_worker_does_not_hold_the_lock(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    stop = context.Event()
    with importers_lock(tmp_path):
        worker = context.Process(target=stop.wait)
        worker.start()
    with importers_lock(tmp_path):
        assert worker.is_alive()
    stop.set()
    worker.join()


def test_the_holder_of_the_lock_is_read_without_touching_it(tmp_path: Path) -> None:
    assert holder_of(tmp_path) is None
    holder = start_holder(tmp_path)
    try:
        held = holder_of(tmp_path)
        assert held is not None
        assert held.pid == holder.pid
    finally:
        holder.kill()
        holder.communicate()
    assert (tmp_path / FILE).exists()  # the note of a killed importer
    assert holder_of(tmp_path) is None
    with importers_lock(tmp_path):
        assert holder_of(tmp_path) is not None
    assert holder_of(tmp_path) is None


@pytest.mark.parametrize("note", ["", "{", "[]", '{"pid": "x"}', '{"pid": 1}'])
def test_an_invalid_note_has_no_holder(tmp_path: Path, note: str) -> None:
    (tmp_path / FILE).write_text(note, "utf-8")
    assert holder_of(tmp_path) is None


@pytest.mark.parametrize("below", ["", "games.zertz"])
def test_a_file_is_not_a_folder_for_a_database(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("my notes")
    with (
        pytest.raises(NoFolder, match="Name another one"),
        importers_lock(tmp_path / "file" / below),
    ):
        pass
    assert (tmp_path / "file").read_text() == "my notes"


def test_annotations_are_written_while_an_import_runs(tmp_path: Path) -> None:
    with importers_lock(tmp_path):
        assert annotate(tmp_path, lambda words: words) == tmp_path
        with annotations_lock(tmp_path):
            pass
    assert [*tmp_path.iterdir()] == []


def test_annotations_are_written_by_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_text("0")

    def count(words: Path) -> None:
        (words / "count").write_text(str(int((words / "count").read_text()) + 1))

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(annotate, tmp_path, count) for _ in range(40)]:
            done.result()
    assert path.read_text() == "40"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a name in a folder")
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_an_obstacle_in_place_of_the_lock_is_named(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / FILE)
    with (
        pytest.raises(UnreadableDatabase, match=r"importer\.lock, which serialises changes, can't be locked"),
        importers_lock(tmp_path),
    ):
        pass
    assert holder_of(tmp_path) is None
