"""What clients send: taken as it comes, and no more of it than is allowed, for no longer than is allowed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Request
from starlette.requests import ClientDisconnect

from zertz_db.api.problems import Problem, build_size_problem


async def read_body(request: Request, most: int) -> AsyncIterator[bytes]:
    """The body in pieces; Problem where it has more bytes than that."""
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise Problem(415, "send the bytes themselves, not a form with them: curl --data-binary @FILE")
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > most:
        raise build_size_problem(most)
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            raise build_size_problem(most)
        yield piece


@asynccontextmanager
async def limit_body_time(seconds: float) -> AsyncIterator[None]:
    """Read a body within so many seconds; Problem for a client that is slower, or gone."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise Problem(408, f"the body did not arrive within {seconds:g} s", {"Connection": "close"}) from error
    except ClientDisconnect as error:
        raise Problem(400, "the connection ended before the body did") from error
