"""The server: HTTP/1.1 by uvicorn, with clients that are slow on purpose shown out."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from fastapi import FastAPI

CONNECTIONS = 500
"""So many at once; on more, every question is answered with 503."""
HEAD_SECONDS = 10
"""In which a client must have said what it wants."""
STALLED_SECONDS = 30
"""In which a client must take what waits for it: some tens of kilobytes."""
_KEEP_ALIVE = 10


class AddressTaken(Exception):
    """Another program listens there already."""


class BoundedProtocol(H11Protocol):
    """A connection that ends when its client neither asks nor takes the answer: such clients cost nothing to start, and would add up."""

    _asking: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first question."""
        super().connection_made(transport)
        self._asking = self._soon(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Go on waiting until the question is complete."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            _cancel(self._asking)
            self._asking = None
        elif self._asking is None:
            self._asking = self._soon(HEAD_SECONDS)

    def on_response_complete(self) -> None:
        """The next question may have come with the last one."""
        _cancel(self._asking)
        self._asking = None
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Nobody takes the answer."""
        super().pause_writing()
        self._taking = self._taking or self._soon(STALLED_SECONDS)

    def resume_writing(self) -> None:
        """Somebody does."""
        super().resume_writing()
        _cancel(self._taking)
        self._taking = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        super().connection_lost(exc)
        _cancel(self._asking)
        _cancel(self._taking)

    def _soon(self, seconds: float) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, self.transport.abort)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there. AddressTaken; OSError for an address that is not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=CONNECTIONS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise AddressTaken(f"port {port} of {host} is taken") from error
        raise


def serve(app: FastAPI, listener: socket.socket, started: Callable[[], object] = lambda: None) -> None:
    """Serve until Ctrl-C or SIGTERM. `started` is called when answers are given."""
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=STALLED_SECONDS,
    )
    _Server(config, started).run(sockets=[listener])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[], object]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, *arguments: Any, **keywords: Any) -> None:
        await super().startup(*arguments, **keywords)
        self._tell()
