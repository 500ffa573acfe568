"""The application: endpoints, errors and middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from starlette.middleware.gzip import GZipMiddleware

from zertz_db import __version__
from zertz_db.api import problems
from zertz_db.api.dependencies import NotModified, Service, SharedParts
from zertz_db.api.guards.host_guard import HostGuard
from zertz_db.api.guards.limits import Limits
from zertz_db.api.guards.overdue import AbandonMiddleware
from zertz_db.api.models import ProblemDetails
from zertz_db.api.response_cache import ResponseCache
from zertz_db.api.routes import (
    check,
    explorer,
    games,
    health,
    moves,
    pictures,
    players,
    puzzles,
    review,
    search,
    solve,
    statistics,
    studies,
    tactics,
)
from zertz_db.api.routes.changes import duplicates, imports
from zertz_db.api.routes.events import tournaments
from zertz_db.store.folder.database import Database

DESCRIPTION = """
Games of ZÈRTZ: lists, positions, openings, statistics, players; records checked and imported.

Responses are JSON by default, and compressed if the client accepts that. Most are from one generation of the database, which their
`ETag` names: with `If-None-Match` an unchanged response costs nothing. Errors are problem details (RFC 9457).
"""
_MIN_COMPRESSED_BYTES = 1000
"""Bytes."""


def create_app(
    database: Database | None,
    *,
    token: str | None = None,
    limits: Limits = Limits(),  # noqa: B008 - it is immutable
    hosts: Collection[str] = (),
    shared: SharedParts | None = None,
    replace: Callable[[], None] = lambda: None,
) -> FastAPI:
    """Return the application for an open database (None: for its description only).

    token: a client with it may write; with None no client may. hosts: the names of the server that are allowed; an empty collection allows
    any. shared: parts that outlive the application. replace: called when a question does not end, so that another process takes over.
    """
    app = FastAPI(
        title="zertz-db",
        version=__version__,
        description=DESCRIPTION,
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
    )
    if database is not None:
        app.state.own = None if shared else SharedParts.alone(database, limits)
        app.state.service = Service.of(database, limits, token, shared or app.state.own, replace)
    for room in (
        health, games, review, explorer, search, moves, pictures, solve, statistics, tournaments, tactics, puzzles, players, studies,
        check, imports, duplicates,
    ):  # fmt: skip
        app.include_router(room.router)
    problems.install_handlers(app)
    app.add_exception_handler(NotModified, _respond_not_modified)
    app.add_middleware(GZipMiddleware, minimum_size=_MIN_COMPRESSED_BYTES, compresslevel=5)
    app.add_middleware(AbandonMiddleware)
    if database is not None:  # outside: cached answers end by themselves
        app.add_middleware(ResponseCache, database=database, most=limits.cache_bytes)
    app.add_middleware(HostGuard, hosts=hosts)
    app.openapi = lambda: _build_openapi(app)  # type: ignore[method-assign]
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    if app.state.own:
        app.state.own.close()


async def _respond_not_modified(_request: Request, error: Exception) -> Response:
    return Response(status_code=304, headers={"ETag": str(error), "Cache-Control": "no-cache"})


def _build_openapi(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description of the application, with the schema of problems."""
    if not app.openapi_schema:
        described = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            openapi_version=app.openapi_version,
        )
        described["components"]["schemas"]["ProblemDetails"] = ProblemDetails.model_json_schema()
        app.openapi_schema = described
    return app.openapi_schema
