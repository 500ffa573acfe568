"""What surrounds every request."""

from __future__ import annotations

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zertz_db.api.guards.hosts import find_refusal
from zertz_db.api.problems import Problem


class HostGuard:
    """Answers to its own names and to its own origin only, and to HEAD as to GET (the server leaves the body out); browsers take answers
    for what they are.

    hosts: the names, as `hosts.names_of` returns them; none means any.
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

        asked = Headers(scope=scope)
        refused = find_refusal(asked.get("host"), asked.get("origin"), self._hosts)
        if refused:
            await Problem(421, refused).response()(scope, receive, guarded)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, guarded)
