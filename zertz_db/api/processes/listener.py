"""The listening socket that several processes share: the process with the fewest connections takes the next one.

Clients keep their connections. Without this the process that wakes first takes most of them, and its clients wait longer.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Protocol


class Counts(Protocol):
    """Number of something for each process: a list, or an array in shared memory."""

    def __getitem__(self, number: int, /) -> int: ...
    def __setitem__(self, number: int, count: int, /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...


_TURN_SECONDS = 0.02
"""Seconds that a process with more connections than another leaves a new connection to that one."""
_RETRY_SECONDS = 1
"""Seconds before a retry, if there are no more file descriptors."""


class Listener:
    """Shared listening socket, as process `number` sees it. counts: the number of connections of each process, in shared memory."""

    def __init__(self, listening: socket.socket, counts: Counts, number: int) -> None:
        self._listening = listening
        self._listening.setblocking(False)
        self._counts = counts
        self._number = number
        self.count(0)

    def count(self, connections: int) -> None:
        """Publish the number of connections of this process."""
        self._counts[self._number] = connections

    async def accept(self, make_protocol: Callable[[], asyncio.Protocol]) -> None:
        """Accept connections until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                if sys.platform == "win32":  # its event loop can't wait for a socket without accepting
                    connection, _ = await loop.sock_accept(self._listening)
                else:
                    connection = await self._accept_in_turn()
                await loop.connect_accepted_socket(make_protocol, connection)
            except (BlockingIOError, InterruptedError, ConnectionError):
                continue  # another process has accepted it, or the client has left
            except OSError:
                await asyncio.sleep(_RETRY_SECONDS)

    async def _accept_in_turn(self) -> socket.socket:
        """Accept a connection, after a moment if another process has fewer. Raise BlockingIOError if another has accepted it."""
        await self._wait_until_readable()
        if self._counts[self._number] > min(self._counts):
            await asyncio.sleep(_TURN_SECONDS)
        connection, _ = self._listening.accept()
        connection.setblocking(False)
        return connection

    async def _wait_until_readable(self) -> None:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        loop.add_reader(self._listening, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self._listening)
