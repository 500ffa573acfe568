"""Dependencies of endpoints: the database, limits, and places for requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from threading import Event
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from zertz_db.api.etags import compute_etag, has_current_etag
from zertz_db.api.guards.limits import MAX_FILTER_LENGTH, Limits
from zertz_db.api.guards.overdue import abandon_request
from zertz_db.api.import_jobs import Jobs
from zertz_db.api.problems import build_busy_problem, build_timeout_problem
from zertz_db.api.processes.listener import Counts
from zertz_db.api.processes.shared_work import SharedProcess
from zertz_db.api.processes.work_process import POLL_SECONDS, WorkProcess
from zertz_db.api.snapshot import Snapshot
from zertz_db.queries.filters.compile import condition
from zertz_db.store.folder.database import Database
from zertz_db.tactics.warm_up import warm_up_all

Result = TypeVar("Result")


class Slot:
    """Taken place; releasing it twice is harmless."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release: Callable[[], None] | None = release

    def release(self) -> None:
        """Release the place."""
        release, self._release = self._release, None
        if release:
            release()


class SlotPool:
    """Pool of places, with a limited queue and a limited time to wait; other requests are refused.

    counts: the number of free places of each process of the server, this one's at `number`.
    """

    def __init__(
        self,
        at_once: int,
        waiting: int,
        patience: float,
        counts: Counts | None = None,
        number: int = 0,
    ) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._counts = [0] if counts is None else counts
        self._number = number
        self._own_free = at_once
        self.publish()
        self._places = waiting
        self._patience = patience

    @property
    def free(self) -> int:
        """Return the number of free places of all processes."""
        self.publish()
        return sum(self._counts)

    def publish(self) -> None:
        """Publish the number of free places of this process. An earlier process with this number may have overwritten it."""
        self._counts[self._number] = self._own_free

    @property
    def is_full(self) -> bool:
        """Check if the next request would be refused."""
        return self._free.locked() and self._places <= 0

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[Slot]:
        """Hold a place during the block. Raise Problem if none is free in time."""
        if self.is_full:
            raise build_busy_problem("no other request can wait")
        self._places -= 1
        try:
            async with asyncio.timeout(self._patience):
                await self._free.acquire()
        except TimeoutError as error:
            raise build_busy_problem(f"no place was free within {self._patience:g} s") from error
        finally:
            self._places += 1
        self._own_free -= 1
        self.publish()
        place = Slot(self._release)
        try:
            yield place
        finally:
            place.release()

    def _release(self) -> None:
        self._own_free += 1
        self.publish()
        self._free.release()


class SharedParts(NamedTuple):
    """Parts that the processes of a server share, or that a single process has alone.

    free: the number of free places of each process; number: of this process among them.
    """

    jobs: Jobs
    checker: WorkProcess | SharedProcess
    solver: WorkProcess | SharedProcess
    free: Counts
    number: int = 0

    @classmethod
    def alone(cls, database: Database, limits: Limits) -> SharedParts:
        """Return the parts of a single process."""
        checker, solver = WorkProcess(limits.check_seconds), WorkProcess(limits.solve_seconds, warm_up_all)
        return cls(Jobs(database.folder, limits.imports), checker, solver, [0])

    def close(self) -> None:
        """End jobs and processes that belong to this process."""
        for one in (self.jobs, self.checker, self.solver):
            one.close()


class Service(NamedTuple):
    """Resources that endpoints share.

    token: a client needs it to write (None: read-only). replace: requests a new process in place of this one, because a request does not
    end.
    """

    database: Database
    limits: Limits
    token: str | None
    checker: WorkProcess | SharedProcess
    solver: WorkProcess | SharedProcess
    jobs: Jobs
    questions: SlotPool
    streams: SlotPool
    checks: SlotPool
    solves: SlotPool
    replace: Callable[[], None]

    @classmethod
    def of(
        cls, database: Database, limits: Limits, token: str | None, shared: SharedParts, replace: Callable[[], None]
    ) -> Service:
        """Return the service of a database."""
        return cls(
            database,
            limits,
            token,
            shared.checker,
            shared.solver,
            shared.jobs,
            SlotPool(limits.at_once, limits.waiting, limits.patience, shared.free, shared.number),
            SlotPool(limits.streams, 0, limits.patience),
            SlotPool(1, limits.checks, limits.check_seconds),
            SlotPool(1, limits.solves, limits.patience),
            replace,
        )


class NotModified(Exception):
    """The client has the response with this tag."""


async def get_service(request: Request) -> Service:
    """Return the service of a request."""
    found: Service = request.app.state.service
    return found


ServiceDependency = Annotated[Service, Depends(get_service)]


async def run_work(
    request: Request, process: WorkProcess | SharedProcess, places: SlotPool, work: Callable[..., Result], *values: Any
) -> Result:
    """Return the result of work in a process, once a place is free. Raise WorkStopped; also soon after the client leaves.

    The body of the request must have been read. No place is taken while the process warms up: nobody is refused because of that.
    """
    left = Event()

    async def notice_end() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        left.set()

    noticing = asyncio.create_task(notice_end())
    try:
        await run_in_threadpool(process.start)
        while not await run_in_threadpool(process.is_ready) and not left.is_set():
            await asyncio.sleep(POLL_SECONDS)
        async with places.taken():
            return await run_in_threadpool(process.run, work, *values, is_wanted=lambda: not left.is_set())
    finally:
        noticing.cancel()


async def open_query(request: Request, response: Response, service: ServiceDependency) -> AsyncIterator[Snapshot]:
    """Yield the database for a response within the limit of time. Raise Unchanged if the client has the response."""
    seconds = service.limits.seconds
    async with (
        service.questions.taken() as place,
        open_snapshot(request, response, service, place, seconds) as snapshot,
    ):
        yield snapshot


async def open_body_query(request: Request, service: ServiceDependency) -> AsyncIterator[Snapshot]:
    """Yield the database for a response that depends on the body too, so it has no tag. Read the body before."""
    async with (
        service.questions.taken() as place,
        limit_snapshot(request, service, place, service.limits.seconds) as snapshot,
    ):
        yield snapshot


async def open_stream(request: Request, response: Response, service: ServiceDependency) -> AsyncIterator[Snapshot]:
    """Yield the database for a streamed response, within the limit of time of streams."""
    seconds = service.limits.stream_seconds
    async with service.streams.taken() as place, open_snapshot(request, response, service, place, seconds) as snapshot:
        yield snapshot


@asynccontextmanager
async def open_snapshot(
    request: Request, response: Response, service: Service, place: Slot, seconds: float
) -> AsyncIterator[Snapshot]:
    """Yield the database as `limit_snapshot`, with its tag in the response. Raise NotModified if the client has the response."""
    async with limit_snapshot(request, service, place, seconds) as snapshot:
        tag = compute_etag(
            snapshot
        )  # before anything is read: what is said meanwhile may be in the answer, under the earlier tag
        snapshot.headers = {"ETag": tag, "Cache-Control": "no-cache"}  # may be kept, and has to be asked about
        response.headers.update(snapshot.headers)
        if has_current_etag(request.headers.get("If-None-Match", ""), tag):
            raise NotModified(tag)
        yield snapshot


@asynccontextmanager
async def limit_snapshot(request: Request, service: Service, place: Slot, seconds: float) -> AsyncIterator[Snapshot]:
    """Yield the database for a number of seconds; then interrupt its queries, and abandon the request if they don't end."""

    def give_up() -> None:
        abandon_request(request.scope, build_timeout_problem(seconds))
        place.release()
        service.replace()

    loop = asyncio.get_running_loop()
    clocks = [loop.call_later(seconds + service.limits.grace_seconds, give_up)]
    try:
        # A thread takes longer than opening what is there already.
        is_quick = service.database.is_current()
        wanted = service.database, service.limits.memory_parts
        snapshot = Snapshot(*wanted) if is_quick else await run_in_threadpool(Snapshot, *wanted)
    except BaseException:
        clocks[0].cancel()
        raise
    clocks.append(loop.call_later(seconds, snapshot.stop))
    try:
        yield snapshot
    except Exception as error:
        if snapshot.is_stopped:
            raise build_timeout_problem(seconds) from error
        raise
    finally:
        for clock in clocks:
            clock.cancel()
        snapshot.close()


async def _get_filter(
    q: Annotated[
        str,
        Query(
            max_length=MAX_FILTER_LENGTH,
            description="Filter of games, in the filter language; empty: all games.",
            examples=["board:48 plies:<30"],
        ),
    ] = "",
) -> str:
    if q:
        await run_in_threadpool(condition, q)
    return q


QuerySnapshot = Annotated[Snapshot, Depends(open_query)]
BodySnapshot = Annotated[Snapshot, Depends(open_body_query)]
StreamSnapshot = Annotated[Snapshot, Depends(open_stream)]
SortColumn = Annotated[
    str,
    Query(
        max_length=60,
        description="Sort column; -COLUMN: descending; empty: the order of the list.",
        examples=["-games"],
    ),
]
FilterText = Annotated[str, Depends(_get_filter)]
