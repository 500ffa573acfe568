"""The worker process: the supervisor starts, watches and ends it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Thread

from starlette.concurrency import run_in_threadpool

from zertz_db.api.app import create_app
from zertz_db.api.dependencies import SharedParts
from zertz_db.api.processes.listener import Listener
from zertz_db.api.processes.shared_work import connect
from zertz_db.api.processes.worker_contract import ALIVE, HEARTBEAT_SECONDS, STUCK, Settings
from zertz_db.api.server import Server, serve
from zertz_db.store.errors import StoreError
from zertz_db.store.open_database import open_database


def run_worker(settings: Settings, listener: socket.socket, pipe: Connection) -> None:
    """Serve until the supervisor writes to the pipe or closes it, and end this process.

    Writes ALIVE to the pipe again and again while the event loop and the threads serve, and STUCK if a question does not end.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # they are for the supervisor, which ends this process
    try:
        database = open_database(settings.folder)
    except StoreError as error:
        _log.error("%s", error)
        sys.exit(1)
    app = create_app(
        database,
        token=settings.token,
        limits=settings.limits,
        hosts=settings.hosts,
        shared=SharedParts(*connect(settings.shared), settings.free, settings.number),
        replace=lambda: pipe.send(STUCK),
    )
    drain_seconds = settings.limits.drain_seconds
    shared_listener = Listener(listener, settings.connections, settings.number)
    publish = app.state.service.questions.publish
    serve(app, shared_listener, settings.limits, lambda server: _report_alive(server, pipe, drain_seconds, publish))


async def _report_alive(server: Server, pipe: Connection, drain_seconds: int, publish: Callable[[], None]) -> None:
    """Send heartbeats while this process serves, and publish the number of its free places."""
    Thread(target=_await_end, args=(server, pipe, drain_seconds), daemon=True).start()
    while True:
        await run_in_threadpool(lambda: None)
        pipe.send(ALIVE)
        publish()
        await asyncio.sleep(HEARTBEAT_SECONDS)


def _await_end(server: Server, pipe: Connection, drain_seconds: int) -> None:
    """Wait for the supervisor's message, and let the server finish; end the process if it takes too long, even without a supervisor."""
    with suppress(EOFError, OSError):
        pipe.recv()
    server.should_exit = True
    time.sleep(drain_seconds + 1)
    os._exit(1)


_log = logging.getLogger(__name__)
