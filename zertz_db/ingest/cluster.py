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
from zertz_db.ingest.contents import read
from zertz_db.ingest.lots import TABLES, Lot, lay_out, light
from zertz_db.ingest.pipeline import WorkerDied, uncollected
from zertz_db.ingest.readers import READER_VERSION
from zertz_db.ingest.sources import LARGE, STANDARD_INPUT, Content, Damage, Found, chunks
from zertz_db.rules.compiled import sources_hash
from zertz_db.store.schema import arrow_schemas

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local:"
_PATIENCE = 30
"""Seconds until a cluster without workers is given up."""
_AHEAD = 2
"""Lots in hand for each worker's thread."""


class NoCluster(WorkerDied):
    """There are no workers to be had, or none of use; the message names the cause and the remedy."""


class Versions(NamedTuple):
    """What decides what a record is taken for: of the readers, and of the rules."""

    readers: str
    rules: str


def run(
    address: str, found: Iterable[Found], letters: str | None = None
) -> Generator[tuple[list[Found], Lot], None, None]:
    """`lots.import_lot` on every lot of places, by the workers of a cluster; each lot with its result, in order, as `pipeline.run` has it.

    address: of a scheduler (`tcp://host:8786`), or `local:N` for N workers on this machine, which end with it. letters: the language of
    the colour letters. NoCluster if nobody is there or workers read otherwise than this process would; WorkerDied if the cluster is
    lost, or a lot has cost several workers.
    """
    with _connected(address) as client:
        try:
            yield from _in_order(client, chunks(found), letters)
        except CancelledError as error:
            raise WorkerDied(f"The scheduler at {address} is gone.") from error


def _in_order(client: Client, lots: Iterator[list[Found]], letters: str | None) -> Iterator[tuple[list[Found], Lot]]:
    from distributed import KilledWorker

    waiting: deque[tuple[list[Found], Lot | Future[Lot]]] = deque()
    most = _AHEAD * sum(client.nthreads().values())
    try:
        for lot in lots:
            waiting.append((lot, _handed_out(client, lot, letters)))
            while len(waiting) >= most or (waiting and _is_done(waiting[0][1])):
                yield _taken(waiting)
        while waiting:
            yield _taken(waiting)
    except KilledWorker as error:
        raise WorkerDied(f"A lot has cost several workers: {error}. They may have too little memory.") from error


def _handed_out(client: Client, lot: list[Found], letters: str | None) -> Lot | Future[Lot]:
    """The lot on its way, or done here: what only this process can read, and what is too large to travel."""
    contents = [*read(lot)]
    if any(place.path == STANDARD_INPUT for place in lot) or any(map(_is_large, contents)):
        return light(uncollected(partial(lay_out, arrow_schemas(*TABLES), letters), contents))
    return client.submit(on_worker, contents, letters, _versions())


def _is_large(content: Content | Damage) -> bool:
    return len(content.data) > LARGE


def _is_done(result: Lot | Future[Lot]) -> bool:
    return isinstance(result, Lot) or result.done()


def _taken(waiting: deque[tuple[list[Found], Lot | Future[Lot]]]) -> tuple[list[Found], Lot]:
    lot, result = waiting.popleft()
    return lot, result if isinstance(result, Lot) else result.result()


def on_worker(contents: list[Content | Damage], letters: str | None, wanted: Versions) -> Lot:
    """A lot read and checked; NoCluster if this machine's readers or rules are others than those of who asks."""
    logs.follow()
    own = _versions()
    if own != wanted:
        raise NoCluster(
            f"A worker has readers {own.readers} and rules {own.rules}, this machine {wanted.readers} and {wanted.rules}: "
            "install the same version of zertz-db on all of them."
        )
    return light(uncollected(partial(lay_out, arrow_schemas(*TABLES), letters), contents))


def _versions() -> Versions:
    return Versions(READER_VERSION, sources_hash())


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise NoCluster("A cluster needs Dask: pip install 'zertz-db[cluster]'") from error
    if address.startswith(LOCAL):
        workers = _number(address)
        local = LocalCluster(workers, threads_per_worker=1, dashboard_address=None, silence_logs="ERROR")
        with local, Client(local) as client:
            yield client
        return
    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise NoCluster(f"No scheduler answers at {address} ({error}). Start one: dask scheduler") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError as error:
            raise NoCluster(f"{address} has no workers. Start some: dask worker {address} --nthreads 1") from error
        yield client


def _number(address: str) -> int:
    number = address.removeprefix(LOCAL)
    if not number.isdigit() or not int(number):
        raise NoCluster(f"{address!r} is no cluster: tcp://HOST:PORT of a scheduler, or local:N for N workers here")
    return int(number)
