"""What surrounds every request."""

from __future__ import annotations

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zertz_db.api.problems import Problem


class Guard:
    """Answers to its own names only, and to HEAD as to GET (the server leaves the body out); browsers take answers for what they are.

    hosts: the names; none means any. A page from elsewhere whose name is made to mean this machine would otherwise be let in by the
    browser.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = ()) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers.setdefault("Cache-Control", "no-store" if message["status"] >= 400 else "no-cache")
            await send(message)

        if self._hosts and _name(Headers(scope=scope).get("host", "")) not in self._hosts:
            answer = Problem(421, f"this server is called {' or '.join(self._hosts)}").response()
            await answer(scope, receive, guarded)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, guarded)


def _name(host: str) -> str:
    """A Host header without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and (port.isdigit() or not port) else host).lower()
