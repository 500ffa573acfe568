"""The server: HTTP/1.1 by uvicorn, without clients that are slow on purpose."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from zertz_db.api.guards.limits import MAX_CONNECTIONS, Limits

if TYPE_CHECKING:
    from fastapi import FastAPI

_KEEP_ALIVE_SECONDS = 10


class BoundedProtocol(H11Protocol):
    """Connection that closes if its client neither sends a request nor receives the response: idle clients are cheap, and would pile up."""

    limits = Limits()
    _request_timer: asyncio.TimerHandle | None = None
    _response_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._request_timer = self._schedule_close(self.limits.head_seconds)

    def data_received(self, data: bytes) -> None:
        """Continue to wait until the request is complete."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            _cancel(self._request_timer)
            self._request_timer = None
        elif self._request_timer is None:
            self._request_timer = self._schedule_close(self.limits.head_seconds)

    def on_response_complete(self) -> None:
        """Continue with a pipelined request, or wait for the next one."""
        _cancel(self._request_timer)
        self._request_timer = None
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start the timer: the client does not receive the response."""
        super().pause_writing()
        self._response_timer = self._response_timer or self._schedule_close(self.limits.stalled_seconds)

    def resume_writing(self) -> None:
        """Stop the timer: the client receives the response."""
        super().resume_writing()
        _cancel(self._response_timer)
        self._response_timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers at the end of the connection."""
        super().connection_lost(exc)
        _cancel(self._request_timer)
        _cancel(self._response_timer)

    def _schedule_close(self, seconds: float) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, self.transport.abort)


def make_protocol(limits: Limits) -> type[BoundedProtocol]:
    """Return the protocol with these limits; uvicorn makes one for each connection by itself."""
    return type("Bounded", (BoundedProtocol,), {"limits": limits})


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()


def serve(app: FastAPI, listener: socket.socket, limits: Limits, running: Callable[[Server], Awaitable[None]]) -> None:
    """Serve until `should_exit` of the server is set, finish open requests within the limits, and end the process.

    running: is started when answers are given, and cancelled at the end. Signals are not listened to.
    """
    config = uvicorn.Config(
        app,
        http=make_protocol(limits),
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=limits.drain_seconds,
    )
    Server(config, running).run(sockets=[listener])


class Server(uvicorn.Server):
    """Server in a separate process, which another process starts and ends."""

    def __init__(self, config: uvicorn.Config, running: Callable[[Server], Awaitable[None]]) -> None:
        super().__init__(config)
        self._running = running

    async def main_loop(self) -> None:
        """Serve, with the background tasks."""
        beside = asyncio.ensure_future(self._running(self))
        await super().main_loop()
        beside.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish the responses, and end the process: Python would wait for endless threads, and DuckDB for their queries."""
        await super().shutdown(sockets)
        logging.shutdown()
        os._exit(0)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the parent process."""
        yield
