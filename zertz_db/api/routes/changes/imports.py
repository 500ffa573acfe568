"""Imports: those that a database has seen, and new ones for who has the token."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from http import HTTPStatus
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool

from zertz_db.api import import_jobs
from zertz_db.api.dependencies import QuerySnapshot, ServiceDependency
from zertz_db.api.guards.limits import MAX_ROWS
from zertz_db.api.guards.request_body import limit_body_time, read_body
from zertz_db.api.models import Job, Table, build_table
from zertz_db.api.openapi_responses import RECORDS, describe_body, describe_responses
from zertz_db.api.problems import Problem, build_busy_problem
from zertz_db.ingest.sources.discover import GENERIC_NAMES, UPLOAD_NAME
from zertz_db.queries import database_info
from zertz_db.queries.result import Result

router = APIRouter(tags=["imports"])

_bearer = HTTPBearer(auto_error=False, description="Token in the file that `zertz serve --token-file` names.")
_FILE = describe_body(
    "A file of records, or an archive of such files.",
    {
        **RECORDS,
        "application/octet-stream": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}},
    },
)
JobId = Annotated[
    str, Path(max_length=16, description="Id of the job, from `POST /import`.", examples=["9f86d081884c7d65"])
]
_LISTED_COLUMNS = ("run", "made_at", "sources", "records", "stored", "duplicate", "rejected", "withdrawn", "undone")
"""Columns of the list of imports: all but what was snapshot for, which may tell where files lie on the server."""


def require_token(
    service: ServiceDependency, given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
) -> None:
    """Raise Problem for a client without the token."""
    if service.token is None:
        raise Problem(HTTPStatus.FORBIDDEN, "this server only reads; `zertz serve --token-file` lets it write")
    token = given.credentials if given else ""
    if not secrets.compare_digest(token.encode(), service.token.encode()):
        raise Problem(
            HTTPStatus.UNAUTHORIZED, "send the token: Authorization: Bearer …", {"WWW-Authenticate": "Bearer"}
        )


@router.get("/imports", response_model=Table, responses=describe_responses())
def list_imports(snapshot: QuerySnapshot) -> dict[str, Any]:
    """List the imports of the database, latest first: records = stored + duplicate + rejected."""
    found = database_info.list_imports(snapshot)
    shown = [number for number, name in enumerate(found.names) if name in _LISTED_COLUMNS]
    columns = tuple(found.columns[number] for number in shown)
    return build_table(Result(columns, [tuple(row[number] for number in shown) for row in found.rows]), MAX_ROWS)


@router.post(
    "/import",
    status_code=HTTPStatus.ACCEPTED,
    response_model=Job,
    responses=describe_responses(400, 401, 403, 408, 413, 415, has_etag=False),
    openapi_extra=_FILE,
    dependencies=[Depends(require_token)],
)
async def start_import(
    request: Request,
    response: Response,
    service: ServiceDependency,
    name: Annotated[
        str,
        Query(
            pattern=r"^[^\x00-\x1f/\\.-][^\x00-\x1f/\\]{0,59}$",
            description="Name of the file; the database stores it.",
            examples=["club.txt"],
        ),
    ] = UPLOAD_NAME,
    replace: Annotated[
        bool,
        Query(description="Withdraw stored records from earlier files of this name that this file no longer has."),
    ] = False,
) -> import_jobs.Job:
    """Import a file in the background: check its records and store its games. `/imports/{job}` has the progress."""
    if replace and name in GENERIC_NAMES:
        raise Problem(HTTPStatus.BAD_REQUEST, f"replace needs the name of a file: {name} may be anything")
    if await run_in_threadpool(service.jobs.is_full):
        raise build_busy_problem("other files wait to be imported")
    folder = FilePath(await run_in_threadpool(tempfile.mkdtemp, prefix="zertz-import-"))
    try:
        async with limit_body_time(service.limits.body_seconds):
            with (folder / name).open("wb") as file:
                async for piece in read_body(request, service.limits.import_bytes):
                    await run_in_threadpool(file.write, piece)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    job = await run_in_threadpool(service.jobs.add, folder, name, replace=replace)
    response.headers["Location"] = f"/imports/{job.id}"
    return job


@router.get("/imports/{job}", response_model=Job, responses=describe_responses(404, has_etag=False))
async def one_import(service: ServiceDependency, response: Response, job: JobId) -> import_jobs.Job:
    """Return the progress or the outcome of an import in the background. The server forgets it when the server ends."""
    found = await run_in_threadpool(service.jobs.find, job)
    if found is None:
        raise Problem(HTTPStatus.NOT_FOUND, "unknown import; /imports lists those of the database")
    response.headers["Cache-Control"] = "no-store"
    return found
