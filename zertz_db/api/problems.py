"""Errors as problem details (RFC 9457): mistakes of the client, and refusals. They never reveal files, SQL or code."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import duckdb
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from zertz_db.extras import MissingPackage
from zertz_db.plain_errors import rewrite
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.errors import FilterError
from zertz_db.store.errors import StoreError, explain

MEDIA_TYPE = "application/problem+json"
RETRY_HEADERS = {"Retry-After": "5"}
"""Header with the number of seconds before a retry."""


class Problem(Exception):
    """Error response with a status and a sentence."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None, **more: object) -> None:
        super().__init__(detail)
        self.status = HTTPStatus(status)
        self.headers = headers
        self.more = more

    def response(self) -> JSONResponse:
        """Return the problem as a response."""
        content = {
            "type": "about:blank",
            "title": self.status.phrase,
            "status": int(self.status),
            "detail": str(self),
            **self.more,
        }
        headers = {"Cache-Control": "no-store", **(self.headers or {})}
        return JSONResponse(content, self.status, headers, MEDIA_TYPE)


def build_busy_problem(what: str) -> Problem:
    """Return the problem that all places are taken."""
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, f"too many requests at once: {what}. Try again soon.", RETRY_HEADERS)


def build_timeout_problem(seconds: float, remedy: str = "Select less.") -> Problem:
    """Return the problem that a request took too long."""
    return Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        f"the request takes longer than the limit of {seconds:g} s. {remedy}",
        RETRY_HEADERS,
    )


def build_size_problem(most: int) -> Problem:
    """Return the problem that a body is too large."""
    return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"more than {most:,} bytes. Send less at once.")


@contextmanager
def convert_not_found() -> Iterator[None]:
    """Turn a QueryError in the block into status 404."""
    try:
        yield
    except QueryError as error:
        raise Problem(HTTPStatus.NOT_FOUND, str(error)) from error


def install_handlers(app: FastAPI) -> None:
    """Make the app respond to every error with a problem."""
    app.add_exception_handler(Problem, _handle_problem)
    app.add_exception_handler(QueryError, _handle_query_error)
    app.add_exception_handler(RequestValidationError, _handle_invalid)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(MissingPackage, _handle_missing_package)
    app.add_exception_handler(StoreError, _handle_unavailable)
    app.add_exception_handler(duckdb.Error, _handle_duckdb_error)
    app.add_exception_handler(Exception, _handle_unexpected)


async def _handle_problem(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Problem)  # noqa: S101 - what it is registered for
    return error.response()


async def _handle_query_error(_request: Request, error: Exception) -> JSONResponse:
    more: dict[str, Any] = {}
    detail = str(error)
    if isinstance(error, FilterError):
        detail = error.problem
        more = {"begin": error.place.start, "end": error.place.end}
    return Problem(HTTPStatus.BAD_REQUEST, detail, **more).response()


async def _handle_invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - what it is registered for
    wrong = [{"where": ".".join(map(str, one["loc"])), "message": rewrite(one["msg"])} for one in error.errors()]
    detail = "; ".join(f"{one['where']}: {one['message']}" for one in wrong)
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors=wrong).response()


async def _handle_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - what it is registered for
    status = HTTPStatus(error.status_code)
    detail = {
        HTTPStatus.NOT_FOUND: "there is nothing here; GET / lists what there is",
        HTTPStatus.METHOD_NOT_ALLOWED: f"{request.method} is not possible here",
    }.get(status, status.phrase)
    return Problem(status, detail, error.headers).response()


async def _handle_missing_package(_request: Request, error: Exception) -> JSONResponse:
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error)).response()


async def _handle_unavailable(_request: Request, error: Exception) -> JSONResponse:
    _log.error("the database can't be read: %s", error)
    detail = "the database can't be read at the moment; the server's log says why"
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, detail, RETRY_HEADERS).response()


async def _handle_duckdb_error(request: Request, error: Exception) -> JSONResponse:
    cause = explain(error) if isinstance(error, duckdb.Error) else None
    return await (_handle_unavailable(request, cause) if cause else _handle_unexpected(request, error))


async def _handle_unexpected(_request: Request, error: Exception) -> JSONResponse:
    _log.error("an error in zertz itself", exc_info=error)
    detail = "an error in zertz itself; the server's log says more"
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, detail).response()


_log = logging.getLogger(__name__)
