"""A server with endpoints that never end: the process that serves, started in the place of the usual one."""

from __future__ import annotations

import os
import re
import time
from multiprocessing.connection import Connection
from socket import socket

from fastapi import Request

from tests.queries.sample import BACKTRACKING
from zertz_db.api.dependencies import QuerySnapshot, ServiceDependency, StreamSnapshot, run_work
from zertz_db.api.processes.worker import run_worker as serve
from zertz_db.api.processes.worker_contract import Settings
from zertz_db.api.routes import health


def work(settings: Settings, listener: socket, pipe: Connection) -> None:
    """Serve, with /hang (DuckDB does not end), /freeze (Python does not, and stops the event loop), /sleep (in the process that solves),
    /end and /pid.
    """

    @health.router.get("/hang")
    def hang(asked: QuerySnapshot) -> str:
        return str(asked.connection().execute(BACKTRACKING).fetchall())

    @health.router.get("/hang/stream")
    def hang_streamed(asked: StreamSnapshot) -> str:
        return str(asked.connection().execute(BACKTRACKING).fetchall())

    @health.router.get("/freeze")
    def freeze() -> str:
        return str(re.match("(a|a)*b", "a" * 100))

    @health.router.get("/sleep")
    async def sleep(request: Request, service: ServiceDependency) -> None:
        await run_work(request, service.solver, service.solves, time.sleep, 600)

    @health.router.get("/end")
    def end() -> None:
        os._exit(7)

    @health.router.get("/pid")
    async def pid() -> int:
        return os.getpid()

    serve(settings, listener, pipe)
