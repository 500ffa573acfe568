"""Imports by a cluster: the same rows as by this machine alone, even if a worker dies."""

import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from tests.cluster.rows import rows
from zertz_db import import_paths, open_database, samples
from zertz_db.ingest import dask_workers as cluster_module
from zertz_db.ingest.dask_workers import ClusterUnavailable, Versions, import_on_worker
from zertz_db.ingest.records.batch import ImportBatch
from zertz_db.ingest.records.reader_version import format_reader_version
from zertz_db.ingest.sources import discover
from zertz_db.ingest.sources.discover import list_places
from zertz_db.ingest.tally import Tally
from zertz_db.store.folder.generations import live_generation

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

_PATIENCE = 300


@pytest.fixture
def small_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discover, "BATCH_BYTES", 10_000)


class Cluster:
    """A scheduler and two workers in separate processes."""

    def __init__(self, folder: Path) -> None:
        note = folder / "scheduler.json"
        self.processes = [_start("scheduler", "--port=0", "--host=127.0.0.1", "--no-dashboard", note)]
        _wait_until(note.exists)
        options = "--nthreads=1", "--no-nanny", "--no-dashboard"
        self.workers = [_start("worker", f"--name={number}", *options, note) for number in range(2)]
        self.processes += self.workers
        with distributed.Client(scheduler_file=note) as client:
            client.wait_for_workers(2, timeout=_PATIENCE)
            self.address = client.scheduler.address

    def kill_a_worker_at_work(self) -> list[str]:
        """Kill a worker; return the tasks that it could not finish. Without tasks, kill nothing."""
        with distributed.Client(self.address, set_as_default=False) as client:
            for address, worker in client.scheduler_info(n_workers=-1)["workers"].items():
                process = self.workers[int(worker["name"])]
                process.send_signal(signal.SIGSTOP)  # so that it can't finish them between our query and its death
                if tasks := list(client.processing()[address]):
                    process.kill()
                    process.wait()
                    return tasks
                process.send_signal(signal.SIGCONT)
        return []

    def workers_left(self) -> int:
        with distributed.Client(self.address) as client:
            return len(client.scheduler_info(n_workers=-1)["workers"])

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


def _start(what: str, *options: object) -> subprocess.Popen[bytes]:
    *others, note = options
    command = [sys.executable, "-m", "distributed.cli.dask_" + what, "--scheduler-file", str(note), *map(str, others)]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def _wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.end()


def contents(folder: Path) -> object:
    with open_database(folder) as database:
        return rows(database.connection())


@pytest.mark.usefixtures("small_lots")
@pytest.mark.long
def test_a_worker_that_is_killed_costs_nothing(cluster: Cluster, embedded: Path, tmp_path: Path) -> None:
    lost: list[str] = []

    def watch(balance: Tally) -> None:
        if balance.done and not lost:
            lost.extend(cluster.kill_a_worker_at_work())

    import_paths([samples.folder()], tmp_path / "games.zertz", watch, cluster=cluster.address)
    assert lost
    assert cluster.workers_left() == 1
    assert contents(tmp_path / "games.zertz") == contents(embedded)


def test_workers_with_other_readers_are_rejected() -> None:
    with pytest.raises(ClusterUnavailable, match="install the same version"):
        import_on_worker([], None, Versions("0", "none"))


class NobodyAtWork:
    """A client without workers."""

    def submit(self, *_: object) -> None:
        raise AssertionError("it should not travel")


@pytest.mark.parametrize("is_damaged", [False, True])
def test_large_batches_are_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_damaged: bool) -> None:
    monkeypatch.setattr(cluster_module, "LARGE_FILE_BYTES", 100)
    game = b'[Board "37"]\n\n1. Wd4,d1 resigns\n'
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.txt", game + b"\n" * 100)
    if is_damaged:
        (tmp_path / "a.zip").write_bytes((tmp_path / "a.zip").read_bytes()[:-10])
    found = [*list_places([(str(tmp_path / "a.zip"), True)])]
    lot = cluster_module._submit_batch(NobodyAtWork(), found, None)
    assert isinstance(lot, ImportBatch)
    # a zip that was cut off is read up to the cut
    assert lot.records["verdict"] == ["verified", *["unreadable"] * is_damaged]


class OneAtWork:
    """A client with a worker that answers at once."""

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def submit(self, work: Callable[..., ImportBatch], *arguments: object) -> Future[ImportBatch]:
        answer: Future[ImportBatch] = Future()
        answer.set_result(work(*arguments))
        return answer


def test_batches_come_back_in_order_those_that_were_not_sent_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "LARGE_FILE_BYTES", 100)
    for number, length in enumerate([0, 200, 0, 200]):
        (tmp_path / f"{number}.txt").write_text("1. Wd4,d1 resigns" + "\n" * length)
    batches = [[place] for place in list_places((str(path), True) for path in sorted(tmp_path.iterdir()))]
    found = [*cluster_module._import_in_order(OneAtWork(), iter(batches), None)]
    assert [batch for batch, _ in found] == batches
    assert [result.records["verdict"] for _, result in found] == [["verified"]] * 4


@pytest.mark.long
def test_workers_use_the_stated_letters(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("bd4,d1; gd3,a1; d3-d5\n")
    for name, cluster in (("alone", None), ("shared", "local:1")):
        import_paths([tmp_path / "notes.txt"], tmp_path / name, cluster=cluster, letters="it")
    assert contents(tmp_path / "shared") == contents(tmp_path / "alone")
    with open_database(tmp_path / "shared") as database:
        found = database.connection().execute("SELECT movetext, reader_version FROM _game, _record").fetchall()
    assert found == [("Wd4,d1 Gd3,a1 x d3Wd5", format_reader_version("it"))]


@pytest.mark.parametrize("address", ["local:0", "local:many", "nowhere", "tcp://127.0.0.1:1"])
def test_an_invalid_cluster_is_named(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zertz_db.ingest.dask_workers._SCHEDULER_TIMEOUT", 1)
    with pytest.raises(ClusterUnavailable, match=address):
        import_paths([samples.folder()], tmp_path / "games.zertz", cluster=address)
    assert live_generation(tmp_path / "games.zertz") is None
