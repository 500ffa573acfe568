"""Imports that are stopped, in every way: the database stays as it was, and the same import goes on where it stopped."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ingest.archive import ROOT, make_archive, run_import, start_import
from tests.store.contents import contents, files
from zertz_db.ingest import importer
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.records import reader_version
from zertz_db.ingest.records.rows import Schemas
from zertz_db.ingest.sources import discover
from zertz_db.ingest.sources.place import Place
from zertz_db.ingest.tally import Tally
from zertz_db.rules.compiled import sources_hash
from zertz_db.store.annotations import materialise, people_file
from zertz_db.store.errors import DiskFull
from zertz_db.store.folder import build, generations
from zertz_db.store.loading import compaction, opening_nodes

GAMES = 40


class Stopped(Exception):
    """Stands for whatever may stop an import."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_archive(tmp_path_factory.mktemp("archive") / "games", GAMES)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, archive: Path) -> tuple[Tally, dict[str, tuple[int, int]]]:
    """The balance and the contents of an import that nothing stopped."""
    db = tmp_path_factory.mktemp("whole") / "games.zertz"
    return import_paths([archive], db), contents(db)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "games.zertz"


@pytest.fixture
def lots_read(monkeypatch: pytest.MonkeyPatch) -> list[list[Place]]:
    """Imports read in small lots in this process; those that are read."""
    read: list[list[Place]] = []
    import_lot = importer.import_lot

    def noting(schemas: Schemas, letters: str | None, places: list[Place]) -> object:
        read.append(places)
        return import_lot(schemas, letters, places)

    monkeypatch.setattr(importer, "import_batch", noting)
    monkeypatch.setattr(discover, "BATCH_BYTES", 10_000)
    return read


def places_read(lots: list[list[Place]]) -> int:
    return sum(map(len, lots))


def stop_after(done: int) -> Callable[[Tally], None]:
    def watch(balance: Tally) -> None:
        if balance.done >= done:
            raise Stopped

    return watch


def assert_same(balance: Tally, whole: Tally) -> None:
    names = ("read", "stored", "duplicate", "rejected", "reasons", "verdicts", "passed", "run", "places", "done")
    assert {name: getattr(balance, name) for name in names} == {name: getattr(whole, name) for name in names}


@pytest.mark.parametrize("done", [1, 15, GAMES + 1])
def test_an_import_goes_on_where_it_stopped(
    archive: Path,
    db: Path,
    done: int,
    lots_read: list[list[Place]],
    whole: tuple[Tally, dict[str, tuple[int, int]]],
) -> None:
    with pytest.raises(Stopped):
        import_paths([archive], db, stop_after(done))
    assert "CURRENT" not in files(db)
    first = places_read(lots_read)
    lots_read.clear()
    shown: list[int] = []
    balance = import_paths([archive], db, lambda balance: shown.append(balance.done))
    assert done <= first
    assert shown[0] >= min(first, GAMES)  # the file that was no record is looked at again
    assert places_read(lots_read) == GAMES + 1 - shown[0]
    assert_same(balance, whole[0])
    assert contents(db) == whole[1]
    assert files(db) == ["CURRENT", "generation"]


@pytest.mark.parametrize(
    ("module", "step"),
    [
        (materialise, "fold"),
        (opening_nodes, "refresh"),
        (compaction, "settled"),
        (generations, "publish"),
        (generations, "_flush"),
    ],
)
def test_an_import_that_stopped_at_its_end_reads_nothing_again(
    archive: Path,
    db: Path,
    module: object,
    step: str,
    lots_read: list[list[Place]],
    whole: tuple[Tally, dict[str, tuple[int, int]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*_: object) -> None:
        raise Stopped

    with monkeypatch.context() as patch, pytest.raises(Stopped):
        patch.setattr(module, step, stop)
        import_paths([archive], db)
    lots_read.clear()
    balance = import_paths([archive], db)
    assert places_read(lots_read) == 1  # the file that was no record
    assert_same(balance, whole[0])
    assert contents(db) == whole[1]


@pytest.mark.usefixtures("lots_read")
def test_until_it_is_done_readers_see_what_was_there_before(tmp_path: Path, archive: Path, db: Path) -> None:
    import_paths([make_archive(tmp_path / "earlier", 5, seed=2)], db)
    before = contents(db)
    with pytest.raises(Stopped):
        import_paths([archive], db, stop_after(20))
    assert contents(db) == before
    assert "working" in files(db)
    import_paths([archive], db)
    assert contents(db)["game"][0] == GAMES + 5
    assert contents(db)["import"][0] == 2
    assert files(db) == ["CURRENT", "generation", "generation"]


def test_more_may_be_asked_for_when_going_on(
    tmp_path: Path, archive: Path, db: Path, lots_read: list[list[Place]]
) -> None:
    with pytest.raises(Stopped):
        import_paths([archive], db, stop_after(20))
    more = make_archive(tmp_path / "more", 5, seed=2)
    lots_read.clear()
    balance = import_paths([archive, more], db)
    assert (balance.stored, balance.run) == (GAMES + 5, 1)
    assert places_read(lots_read) < GAMES


def other_files(_archive: Path, db: Path, _monkeypatch: pytest.MonkeyPatch) -> None:
    import_paths([make_archive(db.parent / "other", 5, seed=2)], db)


def a_published_generation(_archive: Path, db: Path, _monkeypatch: pytest.MonkeyPatch) -> None:
    with build.next_generation(db):
        pass


def newer_readers(_archive: Path, _db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (importer, reader_version):
        monkeypatch.setattr(module, "READER_VERSION", "newer")


def newer_rules(_archive: Path, _db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newer = f"{sources_hash()}+"
    monkeypatch.setattr(importer, "sources_hash", lambda: newer)


def a_changed_file(archive: Path, _db: Path, _monkeypatch: pytest.MonkeyPatch) -> None:
    with (archive / "games.zip").open("ab") as file:  # behind its directory, where archives may have a comment
        file.write(b"\0")


def a_damaged_file(_archive: Path, db: Path, _monkeypatch: pytest.MonkeyPatch) -> None:
    for path in db.glob("working-*.duckdb"):
        path.write_bytes(b"x" * 20_000)


def a_withheld_name(_archive: Path, db: Path, _monkeypatch: pytest.MonkeyPatch) -> None:
    people_file.adopt(db, [people_file.tombstone("nobody")])


@pytest.mark.parametrize(
    "change",
    [
        other_files,
        a_published_generation,
        newer_readers,
        newer_rules,
        a_changed_file,
        a_damaged_file,
        a_withheld_name,
    ],
)
def test_what_is_no_part_of_the_work_asked_for_is_done_anew(
    tmp_path: Path,
    db: Path,
    change: Callable[[Path, Path, pytest.MonkeyPatch], None],
    lots_read: list[list[Place]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    archive = make_archive(tmp_path / "games", 20)
    with pytest.raises(Stopped):
        import_paths([archive], db, stop_after(10))
    change(archive, db, monkeypatch)
    lots_read.clear()
    balance = import_paths([archive], db)
    assert balance.stored == 20
    assert places_read(lots_read) == 21
    assert "working" not in files(db)


@pytest.mark.usefixtures("lots_read")
def test_room_for_what_was_stopped_is_taken_once(archive: Path, db: Path) -> None:
    for done in (5, 15, 25):
        with pytest.raises(Stopped):
            import_paths([archive], db, stop_after(done))
        assert files(db).count("working") <= 2  # the file and its log


def test_a_full_disk_is_named_and_the_import_goes_on_later(
    archive: Path, db: Path, lots_read: list[list[Place]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch, pytest.raises(DiskFull, match=r"no room left on the disk .* stays as it was"):
        patch.setattr(generations, "_flush", full)
        import_paths([archive], db)
    assert "CURRENT" not in files(db)
    lots_read.clear()
    assert import_paths([archive], db).stored == GAMES
    assert places_read(lots_read) == 1


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), -1))
from zertz_db.cli.main import main
sys.argv = ["zertz", "import", sys.argv[1], "--db", sys.argv[2]]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
@pytest.mark.parametrize("room", [100_000, 600_000])
def test_duckdb_without_room_is_a_sentence_and_exit_status_2(
    archive: Path, db: Path, room: int, whole: tuple[Tally, dict[str, tuple[int, int]]]
) -> None:
    command = [sys.executable, "-c", LIMITED, str(archive), str(db), str(room)]
    stopped = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert stopped.returncode == 2
    assert "no room left on the disk" in stopped.stderr
    assert f"zertz import {archive} --db {db}" in stopped.stderr
    import_paths([archive], db)
    assert contents(db) == whole[1]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("lots", [1, 3])
def test_a_killed_import_goes_on_where_it_was_killed(
    archive: Path, db: Path, lots: int, whole: tuple[Tally, dict[str, tuple[int, int]]]
) -> None:
    with start_import(archive, db) as killed:
        assert killed.stdout
        done = [int(killed.stdout.readline().split()[0]) for _ in range(lots + 1)]
        killed.kill()
    assert "CURRENT" not in files(db)
    assert run_import(archive, db)[0] >= done[-1] > 0
    assert contents(db) == whole[1]
    assert files(db) == ["CURRENT", "generation"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_import(archive: Path, db: Path, number: signal.Signals) -> None:
    with start_import(archive, db, workers=2) as stopped:
        assert stopped.stdout
        for _ in range(2):
            stopped.stdout.readline()
        stopped.send_signal(number)
        stopped.communicate(timeout=60)  # the workers have its standard error, too: it is closed when the last one ends
    assert stopped.returncode == -number


CTRL_C = """
import sys
from zertz_db.cli.main import main
from zertz_db.ingest import worker_pool as pipeline
from zertz_db.ingest.sources import discover as sources
from zertz_db.ingest.importer import Importer

pipeline._WORTH_WORKERS, sources.CHUNK_BYTES = 0, 20_000
take = Importer.take
def telling(importer, lot):
    take(importer, lot)
    print("took", flush=True)
Importer.take = telling
sys.argv = ["zertz", "import", sys.argv[1], "--db", sys.argv[2]]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_says_how_far_it_came_and_how_to_go_on(
    archive: Path, db: Path, number: signal.Signals, workers: str, whole: tuple[Tally, dict[str, tuple[int, int]]]
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CTRL_C, str(archive), str(db)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "ZERTZ_WORKERS": workers},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as stopped:
        assert stopped.stdout
        for _ in range(2):
            assert stopped.stdout.readline() == "took\n"
        os.killpg(stopped.pid, number)  # as a terminal does
        _, words = stopped.communicate()
    assert stopped.returncode == 130
    assert f"of {GAMES + 1} files, " in words
    assert f"give the same command: zertz import {archive} --db {db}" in words
    assert "Traceback" not in words
    assert run_import(archive, db)[0] > 0
    assert contents(db) == whole[1]
