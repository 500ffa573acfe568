"""Abandon requests that don't end: the client gets a problem, even if the thread of the request continues."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zertz_db.api.problems import Problem

_ABANDON_KEY = "zertz.overdue"
"""Name of the future of a request that `abandon_request` completes."""


def abandon_request(scope: Scope, problem: Problem) -> None:
    """Respond to a request with a problem, and stop waiting for its own response."""
    overdue: asyncio.Future[Problem] = scope[_ABANDON_KEY]
    if not overdue.done():
        overdue.set_result(problem)


class AbandonMiddleware:
    """Middleware that serves each request in a task, which continues alone if the request is abandoned.

    A thread can't be ended. What it sends later is dropped. An answer that had begun already ends without its end.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._left: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        overdue: asyncio.Future[Problem] = asyncio.get_running_loop().create_future()
        sender = _Sender(send)
        task = asyncio.create_task(self._serve({**scope, _ABANDON_KEY: overdue}, receive, sender))
        try:
            waited: set[asyncio.Future[Any]] = {task, overdue}
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.done():
            task.result()
            return
        sender.is_open = False
        self._left.add(task)
        task.add_done_callback(self._forget)
        if not sender.has_begun:
            await overdue.result().response()(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._left.discard(task)
        if not task.cancelled():
            task.exception()  # nobody waits for it any more


class _Sender:
    """Sender that forwards a response until it is closed."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_open = True
        self.has_begun = False

    async def __call__(self, message: Message) -> None:
        """Send a message of the response."""
        if self.is_open:
            self.has_begun = True
            await self._send(message)
