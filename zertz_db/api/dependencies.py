"""What the endpoints share: the database, its limits, and who may use them now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

from fastapi import Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from zertz_db.api.etags import compute_etag, has_current_etag
from zertz_db.api.guards.limits import MAX_FILTER_LENGTH, Limits
from zertz_db.api.guards.overdue import abandon_request
from zertz_db.api.import_jobs import Jobs
from zertz_db.api.problems import build_busy_problem, build_timeout_problem
from zertz_db.api.processes.check_process import Checker
from zertz_db.api.snapshot import Snapshot
from zertz_db.queries.filters.compile import condition

if TYPE_CHECKING:
    from zertz_db.store.folder.database import Database


class Slot:
    """A place that is taken until it is released, which may be done twice."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release: Callable[[], None] | None = release

    def release(self) -> None:
        """Give the place to the next one."""
        release, self._release = self._release, None
        if release:
            release()


class SlotPool:
    """So many at once, and so many who wait for a place, each for so many seconds; the others are sent away."""

    def __init__(self, at_once: int, waiting: int, patience: float) -> None:
        self._free = asyncio.Semaphore(at_once)
        self.free = at_once
        self._places = waiting
        self._patience = patience

    @property
    def is_full(self) -> bool:
        """Whether the next one would be sent away."""
        return self._free.locked() and self._places <= 0

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[Slot]:
        """Have a place for a while; Problem where there is none."""
        if self.is_full:
            raise build_busy_problem("no other request can wait")
        self._places -= 1
        try:
            async with asyncio.timeout(self._patience):
                await self._free.acquire()
        except TimeoutError as error:
            raise build_busy_problem(f"it was not your turn within {self._patience:g} s") from error
        finally:
            self._places += 1
        self.free -= 1
        place = Slot(self._release)
        try:
            yield place
        finally:
            place.release()

    def _release(self) -> None:
        self.free += 1
        self._free.release()


class Service(NamedTuple):
    """What the endpoints share.

    token: what a client has to know to write; None where nobody may. replace: asks for another process in place of this one, in which a
    question does not end.
    """

    database: Database
    limits: Limits
    token: str | None
    checker: Checker
    jobs: Jobs
    questions: SlotPool
    streams: SlotPool
    checks: SlotPool
    replace: Callable[[], None]

    @classmethod
    def of(
        cls, database: Database, limits: Limits, token: str | None, jobs: Jobs, replace: Callable[[], None]
    ) -> Service:
        """A service for a database."""
        return cls(
            database,
            limits,
            token,
            Checker(limits.check_seconds),
            jobs,
            SlotPool(limits.at_once, limits.waiting, limits.patience),
            SlotPool(limits.streams, 0, limits.patience),
            SlotPool(1, limits.checks, limits.check_seconds),
            replace,
        )


class NotModified(Exception):
    """The client has the answer with this tag already."""


async def get_service(request: Request) -> Service:
    """The service that a request is for."""
    found: Service = request.app.state.service
    return found


ServiceDependency = Annotated[Service, Depends(get_service)]


async def open_query(request: Request, response: Response, service: ServiceDependency) -> AsyncIterator[Snapshot]:
    """The database for one answer, which has to be there within the time; Unchanged where the client has it already."""
    seconds = service.limits.seconds
    async with (
        service.questions.taken() as place,
        _open_snapshot(request, response, service, place, seconds) as snapshot,
    ):
        yield snapshot


async def open_stream(request: Request, response: Response, service: ServiceDependency) -> AsyncIterator[Snapshot]:
    """The database for an answer that is sent as it is read, for as long as that may take."""
    seconds = service.limits.stream_seconds
    async with service.streams.taken() as place, _open_snapshot(request, response, service, place, seconds) as snapshot:
        yield snapshot


@asynccontextmanager
async def _open_snapshot(
    request: Request, response: Response, service: Service, place: Slot, seconds: float
) -> AsyncIterator[Snapshot]:
    def give_up() -> None:
        abandon_request(request.scope, build_timeout_problem(seconds))
        place.release()
        service.replace()

    loop = asyncio.get_running_loop()
    clocks = [loop.call_later(seconds + service.limits.grace_seconds, give_up)]
    try:
        snapshot = await run_in_threadpool(Snapshot, service.database)
    except BaseException:
        clocks[0].cancel()
        raise
    clocks.append(loop.call_later(seconds, snapshot.stop))
    try:
        tag = compute_etag(
            snapshot
        )  # before anything is read: what is said meanwhile may be in the answer, under the earlier tag
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "no-cache"  # may be kept, and has to be asked about
        if has_current_etag(request.headers.get("If-None-Match", ""), tag):
            raise NotModified(tag)
        yield snapshot
    except Exception as error:
        if snapshot.is_stopped:
            raise build_timeout_problem(seconds) from error
        raise
    finally:
        for clock in clocks:
            clock.cancel()
        snapshot.close()


def _get_filter(
    q: Annotated[
        str,
        Query(
            max_length=MAX_FILTER_LENGTH,
            description="Filter of games, in the filter language; empty: all games.",
            examples=["board:48 plies:<30"],
        ),
    ] = "",
) -> str:
    condition(q)
    return q


QuerySnapshot = Annotated[Snapshot, Depends(open_query)]
StreamSnapshot = Annotated[Snapshot, Depends(open_stream)]
FilterText = Annotated[str, Depends(_get_filter)]
