"""The server: HTTP/1.1 by uvicorn, without clients that are slow on purpose."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from zertz_db.api.guards.limits import Limits

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

    from zertz_db.api.processes.listener import Listener

_KEEP_ALIVE_SECONDS = 10


class BoundedProtocol(H11Protocol):
    """Connection that closes if its client neither sends a request nor receives the response: idle clients are cheap, and would pile up."""

    limits = Limits()
    listener: Listener
    _request_timer: asyncio.TimerHandle | None = None
    _response_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self.listener.count(len(self.connections))
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
        self.listener.count(len(self.connections))
        _cancel(self._request_timer)
        _cancel(self._response_timer)

    def _schedule_close(self, seconds: float) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, self.transport.abort)


def make_protocol(limits: Limits, listener: Listener) -> type[BoundedProtocol]:
    """Return the protocol with these limits; the server makes one for each connection. listener: learns the number of connections."""
    return type("Bounded", (BoundedProtocol,), {"limits": limits, "listener": listener})


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()


def serve(app: FastAPI, listener: Listener, limits: Limits, running: Callable[[Server], Awaitable[None]]) -> None:
    """Serve until `should_exit` of the server is set, finish open requests within the limits, and end the process.

    running: is started when answers are given, and cancelled at the end. Signals are not listened to.
    """
    config = uvicorn.Config(
        app,
        http=make_protocol(limits, listener),
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=limits.drain_seconds,
    )
    Server(config, running, listener).run(sockets=[])


class Server(uvicorn.Server):
    """Server in a separate process, which another process starts and ends."""

    def __init__(
        self, config: uvicorn.Config, running: Callable[[Server], Awaitable[None]], listener: Listener
    ) -> None:
        super().__init__(config)
        self._running = running
        self._listener = listener

    async def main_loop(self) -> None:
        """Serve, with the background tasks."""
        beside = [asyncio.ensure_future(one) for one in (self._running(self), self._listener.accept(self._connect))]
        await super().main_loop()
        for task in beside:
            task.cancel()

    def _connect(self) -> asyncio.Protocol:
        """Return the protocol of a new connection."""
        make_protocol: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return make_protocol(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish the responses, and end the process: Python would wait for endless threads, and DuckDB for their queries."""
        await super().shutdown(sockets)
        logging.shutdown()
        os._exit(0)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the parent process."""
        yield
