"""Cache responses until the database changes.

A repeated question about a small database takes 1 ms of processor time instead of 15 to 35.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zertz_db.api.etags import compute_etag, has_current_etag
from zertz_db.store.errors import StoreError
from zertz_db.store.folder.database import Database

_MAX_MEMORY_SHARE = 1 / 64
"""Maximum share of the memory for one response."""

CacheKey = tuple[str, bytes, str]
"""Path, parameters, and accepted compression of a request."""


class _CachedResponse(NamedTuple):
    """Response as sent. tag: of the generation of the database."""

    tag: str
    start: Message
    body: bytes
    size: int


class ResponseCache:
    """Cache of the latest responses with an ETag of the database, up to a number of bytes.

    It wraps the app that computes and compresses responses, and responds without taking a place.
    """

    def __init__(self, app: ASGIApp, database: Database, most: int) -> None:
        self._app = app
        self._database = database
        self._most = most
        self._answers: OrderedDict[CacheKey, _CachedResponse] = OrderedDict()
        self._size = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        question = scope["path"], scope["query_string"], headers.get("accept-encoding", "")
        answer = await self._find(question)
        if answer is None:
            noting = _ResponseRecorder(send, int(self._most * _MAX_MEMORY_SHARE))
            await self._app(scope, receive, noting)
            self._keep(question, noting)
        elif has_current_etag(headers.get("if-none-match", ""), answer.tag):
            await send({"type": "http.response.start", "status": 304, "headers": [(b"etag", answer.tag.encode())]})
            await send({"type": "http.response.body"})
        else:
            await send({**answer.start, "headers": list(answer.start["headers"])})
            await send({"type": "http.response.body", "body": answer.body})

    async def _find(self, question: CacheKey) -> _CachedResponse | None:
        """Return the cached response, if it is still valid."""
        answer = self._answers.get(question)
        if answer is None:
            return None
        is_quick = self._database.is_current()  # else it moves on by the connection, which takes a while
        tag = compute_etag(self._database) if is_quick else await run_in_threadpool(self._state)
        if answer.tag != tag:
            return None
        if question in self._answers:  # by now it may have had to make room
            self._answers.move_to_end(question)
        return answer

    def _state(self) -> str | None:
        try:
            self._database.connection().close()  # it moves on by that
        except StoreError:
            return None
        return compute_etag(self._database)

    def _keep(self, question: CacheKey, noted: _ResponseRecorder) -> None:
        if noted.start is None or noted.body is None:
            return
        tag = Headers(raw=noted.start["headers"]).get("etag")
        if tag is None or noted.start["status"] != 200:
            return
        path, parameters, _ = question
        self._forget(question)
        answer = _CachedResponse(
            tag, noted.start, bytes(noted.body), len(noted.body) + len(path) + len(parameters) + _OVERHEAD_BYTES
        )
        self._answers[question] = answer
        self._size += answer.size
        while self._size > self._most:
            self._forget(next(iter(self._answers)))

    def _forget(self, question: CacheKey) -> None:
        answer = self._answers.pop(question, None)
        self._size -= answer.size if answer else 0


_OVERHEAD_BYTES = 2000
"""Number of bytes of a response besides its body: headers and Python objects."""


class _ResponseRecorder:
    """Sender that forwards and records a response; the body is None if it is too long, or not complete."""

    def __init__(self, send: Send, most: int) -> None:
        self._send = send
        self._most = most
        self._parts: bytearray | None = bytearray()
        self.start: Message | None = None
        self.body: bytearray | None = None

    async def __call__(self, message: Message) -> None:
        """Send a message of the response."""
        if message["type"] == "http.response.start":
            self.start = {**message, "headers": list(message["headers"])}
        elif message["type"] == "http.response.body" and self._parts is not None:
            self._parts += message.get("body", b"")
            if len(self._parts) > self._most:
                self._parts = None
            elif not message.get("more_body"):
                self.body = self._parts
        await self._send(message)
