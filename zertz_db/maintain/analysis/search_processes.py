"""Run the search of games on several processes, or on the workers of a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Protocol

from zertz_db.ingest.dask_workers import ClusterUnavailable, connect_cluster
from zertz_db.ingest.worker_processes import open_pool
from zertz_db.maintain.analysis.game_search import Findings, Limits, search_games
from zertz_db.maintain.analysis.game_states import GameStates
from zertz_db.rules.compiled import sources_hash
from zertz_db.tactics.search_kernel import SOLVER_VERSION

if TYPE_CHECKING:
    from distributed import Client

Search = Callable[[Iterable[GameStates]], Iterator[Findings]]
"""A function that searches batches of games and yields the findings of each, in order."""

_BATCHES_PER_WORKER = 3
"""Maximum number of pending batches for each worker: enough that none waits for the next."""


class _Pending(Protocol):
    """A result that will come: of a process pool, or of a cluster."""

    def result(self) -> Findings:
        """Wait for the result, and return it."""


@contextmanager
def open_search(limits: Limits, jobs: int, cluster: str | None = None) -> Iterator[Search]:
    """Yield a function that searches with `jobs` processes, or with the workers of a cluster at this address.

    Leaving the block ends the processes. Raise WorkerDied, or ClusterUnavailable.
    """
    if cluster is not None:
        with connect_cluster(cluster) as client:
            workers = sum(client.nthreads().values())
            yield partial(_in_order, partial(_submit, client, limits), _BATCHES_PER_WORKER * workers)
    elif jobs == 1:
        yield partial(map, partial(search_games, limits=limits))
    else:
        with open_pool(jobs) as pool:
            work = partial(search_games, limits=limits)
            yield partial(_in_order, partial(pool.submit, work), _BATCHES_PER_WORKER * jobs)


def _in_order(submit: Callable[[GameStates], _Pending], most: int, batches: Iterable[GameStates]) -> Iterator[Findings]:
    pending: deque[_Pending] = deque()
    for batch in batches:
        pending.append(submit(batch))
        if len(pending) >= most:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


def _submit(client: Client, limits: Limits, batch: GameStates) -> _Pending:
    return client.submit(search_on_worker, batch, limits, _versions(), pure=False)


def search_on_worker(batch: GameStates, limits: Limits, wanted: tuple[int, str]) -> Findings:
    """Search a batch. Raise ClusterUnavailable if this worker's solver or rules differ from the client's."""
    own = _versions()
    if own != wanted:
        raise ClusterUnavailable(
            f"A worker has solver {own[0]} and rules {own[1]}, this machine {wanted[0]} and {wanted[1]}: "
            "install the same version of zertz-db on all of them."
        )
    return search_games(batch, limits)


def _versions() -> tuple[int, str]:
    return SOLVER_VERSION, sources_hash()
