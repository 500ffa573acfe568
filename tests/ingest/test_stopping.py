"""Imports that are stopped in every way: the database stays unchanged, and the same import resumes."""

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
from zertz_db.store.errors import DiskFull, NoDatabase
from zertz_db.store.folder import build, generations
from zertz_db.store.loading import compaction, opening_nodes
from zertz_db.store.open_database import open_database

GAMES = 40


class Stopped(Exception):
    """An interruption of an import."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_archive(tmp_path_factory.mktemp("archive") / "games", GAMES)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, archive: Path) -> tuple[Tally, dict[str, tuple[int, int]]]:
    """Return the tally and the contents of an uninterrupted import."""
    db = tmp_path_factory.mktemp("whole") / "games.zertz"
    return import_paths([archive], db), contents(db)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "games.zertz"


@pytest.fixture
def batches_read(monkeypatch: pytest.MonkeyPatch) -> list[list[Place]]:
    """Read imports in small batches in this process; return the list of batches that are read."""
    read: list[list[Place]] = []
    import_lot = importer.import_batch

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
    names = ("read", "stored", "duplicate", "rejected", "reasons", "verdicts", "skipped", "run", "places", "done")
    assert {name: getattr(balance, name) for name in names} == {name: getattr(whole, name) for name in names}


@pytest.mark.parametrize("done", [1, 15, GAMES + 1])
def test_a_stopped_import_is_resumed(
    archive: Path,
    db: Path,
    done: int,
    batches_read: list[list[Place]],
    whole: tuple[Tally, dict[str, tuple[int, int]]],
) -> None:
    with pytest.raises(Stopped):
        import_paths([archive], db, stop_after(done))
    assert "CURRENT" not in files(db)
    first = places_read(batches_read)
    batches_read.clear()
    shown: list[int] = []
    with pytest.raises(
        NoDatabase, match=r"its first import was stopped. working-\w+\.duckdb has .*import the same files"
    ):
        open_database(db)
    balance = import_paths([archive], db, lambda balance: shown.append(balance.done))
    assert done <= first
    assert 0 < balance.resumed <= balance.read
    assert shown[0] >= min(first, GAMES)  # the file without records is read again
    assert places_read(batches_read) == GAMES + 1 - shown[0]
    assert_same(balance, whole[0])
    assert contents(db) == whole[1]
    assert files(db) == ["CURRENT", "generation"]


@pytest.mark.parametrize(
    ("module", "step"),
    [
        (materialise, "materialise_annotations"),
        (opening_nodes, "refresh"),
        (compaction, "compact"),
        (generations, "publish"),
        (generations, "flush"),
    ],
)
def test_an_import_that_stopped_at_its_end_reads_nothing_again(
    archive: Path,
    db: Path,
    module: object,
    step: str,
    batches_read: list[list[Place]],
    whole: tuple[Tally, dict[str, tuple[int, int]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*_: object) -> None:
        raise Stopped

    with monkeypatch.context() as patch, pytest.raises(Stopped):
        patch.setattr(module, step, stop)
        import_paths([archive], db)
    batches_read.clear()
    balance = import_paths([archive], db)
    assert places_read(batches_read) == 1  # the file without records
    assert_same(balance, whole[0])
    assert contents(db) == whole[1]


@pytest.mark.usefixtures("batches_read")
def test_until_it_is_done_readers_see_the_state_before(tmp_path: Path, archive: Path, db: Path) -> None:
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


def test_a_resumed_import_may_have_more_paths(
    tmp_path: Path, archive: Path, db: Path, batches_read: list[list[Place]]
) -> None:
    with pytest.raises(Stopped):
        import_paths([archive], db, stop_after(20))
    more = make_archive(tmp_path / "more", 5, seed=2)
    batches_read.clear()
    balance = import_paths([archive, more], db)
    assert (balance.stored, balance.run) == (GAMES + 5, 1)
    assert places_read(batches_read) < GAMES


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
    with (archive / "games.zip").open("ab") as file:  # after its directory, where archives may have a comment
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
def test_work_that_is_not_part_of_the_import_is_repeated(
    tmp_path: Path,
    db: Path,
    change: Callable[[Path, Path, pytest.MonkeyPatch], None],
    batches_read: list[list[Place]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    archive = make_archive(tmp_path / "games", 20)
    with pytest.raises(Stopped):
        import_paths([archive], db, stop_after(10))
    change(archive, db, monkeypatch)
    batches_read.clear()
    balance = import_paths([archive], db)
    assert balance.stored == 20
    assert places_read(batches_read) == 21
    assert "working" not in files(db)


@pytest.mark.usefixtures("batches_read")
def test_space_for_a_stopped_import_is_used_once(archive: Path, db: Path) -> None:
    for done in (5, 15, 25):
        with pytest.raises(Stopped):
            import_paths([archive], db, stop_after(done))
        assert files(db).count("working") <= 2  # the file and its log


def test_a_full_disk_is_named_and_the_import_is_resumed_later(
    archive: Path, db: Path, batches_read: list[list[Place]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with (
        monkeypatch.context() as patch,
        pytest.raises(DiskFull, match=r"No space left on the disk .* nothing was changed"),
    ):
        patch.setattr(generations, "flush", full)
        import_paths([archive], db)
    assert "CURRENT" not in files(db)
    batches_read.clear()
    assert import_paths([archive], db).stored == GAMES
    assert places_read(batches_read) == 1


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), -1))
from zertz_db.cli.main import main
sys.argv = ["zertz", "import", sys.argv[1], "--db", sys.argv[2]]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
@pytest.mark.parametrize("room", [pytest.param(100_000, marks=pytest.mark.long), 600_000])
def test_duckdb_without_space_is_a_sentence_and_exit_status_2(
    archive: Path, db: Path, room: int, whole: tuple[Tally, dict[str, tuple[int, int]]]
) -> None:
    command = [sys.executable, "-c", LIMITED, str(archive), str(db), str(room)]
    stopped = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert stopped.returncode == 2
    assert "No space left on the disk" in stopped.stderr
    assert f"zertz import {archive} --db {db}" in stopped.stderr
    import_paths([archive], db)
    assert contents(db) == whole[1]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("lots", [1, pytest.param(3, marks=pytest.mark.long)])
def test_a_killed_import_is_resumed(
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
@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_workers_end_with_their_import(archive: Path, db: Path, number: signal.Signals) -> None:
    with start_import(archive, db, workers=2) as stopped:
        assert stopped.stdout
        for _ in range(2):
            stopped.stdout.readline()
        stopped.send_signal(number)
        stopped.communicate(
            timeout=300
        )  # the workers have its standard error, too: it is closed when the last one ends
    assert stopped.returncode == -number


CTRL_C = """
import sys
from zertz_db.cli.main import main
from zertz_db.ingest import worker_pool as pipeline
from zertz_db.ingest.sources import discover as sources
from zertz_db.ingest.importer import Importer

pipeline.MIN_PARALLEL_BYTES, sources.BATCH_BYTES = 0, 20_000
take = Importer.take
def telling(importer, lot):
    take(importer, lot)
    print("took", flush=True)
Importer.take = telling
sys.argv = ["zertz", "import", sys.argv[1], "--db", sys.argv[2]]
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGTERM])
@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.long), "2"])
def test_ctrl_c_prints_the_progress_and_how_to_resume(
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
    assert f"To resume, run the same command: zertz import {archive} --db {db}" in words
    assert "Traceback" not in words
    assert run_import(archive, db)[0] > 0
    assert contents(db) == whole[1]
