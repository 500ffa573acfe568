"""Many files on many machines: bytes go out to the workers of a Dask cluster, and come back checked and laid out, in order.

Dask schedules: a lot whose worker is lost goes to another one. Therefore the bytes travel within the task; had they been laid down at a
worker before, they would be lost along with it. A task is known by a hash of what is in it, so the same lot is not done twice.
This process reads the files and is the only one that writes: workers need neither.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from zertz_db import logs
from zertz_db.ingest.records.batch import BATCH_TABLES, ImportBatch, pack_batch, read_batch
from zertz_db.ingest.records.reader_version import READER_VERSION
from zertz_db.ingest.sources.discover import LARGE_FILE_BYTES, STANDARD_INPUT, split_batches
from zertz_db.ingest.sources.place import Content, Damage, SourceItem
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.ingest.worker_pool import WorkerDied, run_without_gc
from zertz_db.rules.compiled import sources_hash
from zertz_db.store.schema.ddl import arrow_schemas

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL_PREFIX = "local:"
_WORKER_TIMEOUT = 30
"""Seconds until a cluster without workers is given up."""
_BATCHES_PER_THREAD = 2
"""Lots in hand for each worker's thread."""


class ClusterUnavailable(WorkerDied):
    """There are no workers to be had, or none of use; the message names the cause and the remedy."""


class Versions(NamedTuple):
    """What decides what a record is taken for: of the readers, and of the rules."""

    readers: str
    rules: str


def run_on_cluster(
    address: str, found: Iterable[SourceItem], letters: str | None = None
) -> Generator[tuple[list[SourceItem], ImportBatch], None, None]:
    """`lots.import_lot` on every lot of places, by the workers of a cluster; each lot with its result, in order, as `pipeline.run` has it.

    address: of a scheduler (`tcp://host:8786`), or `local:N` for N workers on this machine, which end with it. letters: the language of
    the colour letters. NoCluster if nobody is there or workers read otherwise than this process would; WorkerDied if the cluster is
    lost, or a lot has cost several workers.
    """
    with _connect(address) as client:
        try:
            yield from _import_in_order(client, split_batches(found), letters)
        except CancelledError as error:
            raise WorkerDied(f"The scheduler at {address} is gone.") from error


def _import_in_order(
    client: Client, lots: Iterator[list[SourceItem]], letters: str | None
) -> Iterator[tuple[list[SourceItem], ImportBatch]]:
    from distributed import KilledWorker

    waiting: deque[tuple[list[SourceItem], ImportBatch | Future[ImportBatch]]] = deque()
    most = _BATCHES_PER_THREAD * sum(client.nthreads().values())
    try:
        for lot in lots:
            waiting.append((lot, _submit_batch(client, lot, letters)))
            while len(waiting) >= most or (waiting and _is_done(waiting[0][1])):
                yield _pop_result(waiting)
        while waiting:
            yield _pop_result(waiting)
    except KilledWorker as error:
        raise WorkerDied(f"A lot has cost several workers: {error}. They may have too little memory.") from error


def _submit_batch(client: Client, lot: list[SourceItem], letters: str | None) -> ImportBatch | Future[ImportBatch]:
    """The lot on its way, or done here: what only this process can read, and what is too large to travel."""
    contents = [*read_contents(lot)]
    if any(place.path == STANDARD_INPUT for place in lot) or any(map(_is_large, contents)):
        return pack_batch(run_without_gc(partial(read_batch, arrow_schemas(*BATCH_TABLES), letters), contents))
    return client.submit(import_on_worker, contents, letters, _versions())


def _is_large(content: Content | Damage) -> bool:
    return len(content.data) > LARGE_FILE_BYTES


def _is_done(result: ImportBatch | Future[ImportBatch]) -> bool:
    return isinstance(result, ImportBatch) or result.done()


def _pop_result(
    waiting: deque[tuple[list[SourceItem], ImportBatch | Future[ImportBatch]]],
) -> tuple[list[SourceItem], ImportBatch]:
    lot, result = waiting.popleft()
    return lot, result if isinstance(result, ImportBatch) else result.result()


def import_on_worker(contents: list[Content | Damage], letters: str | None, wanted: Versions) -> ImportBatch:
    """A lot read and checked; NoCluster if this machine's readers or rules are others than those of who asks."""
    logs.follow_parent()
    own = _versions()
    if own != wanted:
        raise ClusterUnavailable(
            f"A worker has readers {own.readers} and rules {own.rules}, this machine {wanted.readers} and {wanted.rules}: "
            "install the same version of zertz-db on all of them."
        )
    return pack_batch(run_without_gc(partial(read_batch, arrow_schemas(*BATCH_TABLES), letters), contents))


def _versions() -> Versions:
    return Versions(READER_VERSION, sources_hash())


@contextmanager
def _connect(address: str) -> Iterator[Client]:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ClusterUnavailable("A cluster needs Dask: pip install 'zertz-db[cluster]'") from error
    if address.startswith(LOCAL_PREFIX):
        workers = _parse_worker_count(address)
        local = LocalCluster(workers, threads_per_worker=1, dashboard_address=None, silence_logs="ERROR")
        with local, Client(local) as client:
            yield client
        return
    try:
        client = Client(address, timeout=_WORKER_TIMEOUT)
    except (OSError, ValueError) as error:
        raise ClusterUnavailable(f"No scheduler answers at {address} ({error}). Start one: dask scheduler") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_WORKER_TIMEOUT)
        except TimeoutError as error:
            raise ClusterUnavailable(
                f"{address} has no workers. Start some: dask worker {address} --nthreads 1"
            ) from error
        yield client


def _parse_worker_count(address: str) -> int:
    number = address.removeprefix(LOCAL_PREFIX)
    if not number.isdigit() or not int(number):
        raise ClusterUnavailable(
            f"{address!r} is no cluster: tcp://HOST:PORT of a scheduler, or local:N for N workers here"
        )
    return int(number)
