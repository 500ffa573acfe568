"""Import with a Dask cluster: send bytes to its workers, get back checked batches of rows, in order.

Dask schedules: a batch whose worker is lost goes to another one. Therefore the bytes travel within the task; bytes stored at a worker
would be lost with it. A hash of its contents identifies a task, so no batch is done twice. This process reads the files and is the only
one that writes: workers need no access to either.

Dask is imported when a cluster is used: an extra installs it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from zertz_db import logs
from zertz_db.extras import install_hint
from zertz_db.ingest.records.batch import BATCH_TABLES, ImportBatch, pack_batch, read_batch
from zertz_db.ingest.records.reader_version import READER_VERSION
from zertz_db.ingest.sources.discover import LARGE_FILE_BYTES, STANDARD_INPUT, split_batches
from zertz_db.ingest.sources.place import Content, Damage, SourceItem
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.ingest.worker_pool import WorkerDied, run_without_gc
from zertz_db.rules.compiled import sources_hash
from zertz_db.store.schema.table_columns import arrow_schemas

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL_PREFIX = "local:"
_SCHEDULER_TIMEOUT = 5
"""Seconds to wait for a scheduler. It runs or not; Dask would try again for half a minute."""
_WORKER_TIMEOUT = 30
"""Seconds to wait for workers of a cluster, which may be starting."""
_BATCHES_PER_THREAD = 2
"""Maximum number of pending batches for each worker's thread."""


class ClusterUnavailable(WorkerDied):
    """There are no workers, or only incompatible ones; the message names the cause and the remedy."""


class Versions(NamedTuple):
    """The versions of readers and rules, which determine how a record is read."""

    readers: str
    rules: str


def run_on_cluster(
    address: str, items: Iterable[SourceItem], letters: str | None = None
) -> Generator[tuple[list[SourceItem], ImportBatch], None, None]:
    """Run `import_batch` on batches of items with the workers of a cluster; yield each batch with its result, in order.

    address: of a scheduler (`tcp://host:8786`), or `local:N` for N workers on this machine, which end with it. letters: the language of
    the colour letters. Raise ClusterUnavailable if there are no workers or they have other versions; WorkerDied if the cluster is lost, or
    a batch has cost several workers.
    """
    with connect_cluster(address) as client:
        try:
            yield from _import_in_order(client, split_batches(items), letters)
        except CancelledError as error:
            raise WorkerDied(f"The scheduler at {address} is gone.") from error


def _import_in_order(
    client: Client, batches: Iterator[list[SourceItem]], letters: str | None
) -> Iterator[tuple[list[SourceItem], ImportBatch]]:
    from distributed import KilledWorker

    pending: deque[tuple[list[SourceItem], ImportBatch | Future[ImportBatch]]] = deque()
    limit = _BATCHES_PER_THREAD * sum(client.nthreads().values())
    try:
        for batch in batches:
            pending.append((batch, _submit_batch(client, batch, letters)))
            while len(pending) >= limit or (pending and _is_done(pending[0][1])):
                yield _pop_result(pending)
        while pending:
            yield _pop_result(pending)
    except KilledWorker as error:
        raise WorkerDied(f"A batch has cost several workers: {error}. They may have too little memory.") from error


def _submit_batch(client: Client, batch: list[SourceItem], letters: str | None) -> ImportBatch | Future[ImportBatch]:
    """Submit a batch, or import it here if only this process can read it or it is too large to send; return the result or its future."""
    contents = [*read_contents(batch)]
    if any(place.path == STANDARD_INPUT for place in batch) or any(map(_is_large, contents)):
        return pack_batch(run_without_gc(partial(read_batch, arrow_schemas(*BATCH_TABLES), letters), contents))
    return client.submit(import_on_worker, contents, letters, _versions())


def _is_large(content: Content | Damage) -> bool:
    return len(content.data) > LARGE_FILE_BYTES


def _is_done(result: ImportBatch | Future[ImportBatch]) -> bool:
    return isinstance(result, ImportBatch) or result.done()


def _pop_result(
    pending: deque[tuple[list[SourceItem], ImportBatch | Future[ImportBatch]]],
) -> tuple[list[SourceItem], ImportBatch]:
    batch, result = pending.popleft()
    return batch, result if isinstance(result, ImportBatch) else result.result()


def import_on_worker(contents: list[Content | Damage], letters: str | None, wanted: Versions) -> ImportBatch:
    """Read and check a batch. Raise ClusterUnavailable if this worker's readers or rules differ from the client's."""
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
def connect_cluster(address: str) -> Iterator[Client]:
    """Yield a client of a cluster that has workers; see `run_on_cluster` for addresses. Raise ClusterUnavailable."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ClusterUnavailable(f"A cluster needs Dask, which is not installed: {install_hint('cluster')}") from error
    if address.startswith(LOCAL_PREFIX):
        workers = _parse_worker_count(address)
        local = LocalCluster(workers, threads_per_worker=1, dashboard_address=None, silence_logs="ERROR")
        with local, Client(local) as client:
            yield client
        return
    try:
        client = Client(address, timeout=_SCHEDULER_TIMEOUT)
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
            f"{address!r} is not a cluster: use tcp://HOST:PORT of a scheduler, or local:N for N workers here"
        )
    return int(number)
