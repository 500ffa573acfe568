"""Records in, findings out."""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Query, Request

from zertz_db.api.dependencies import ServiceDependency, run_work
from zertz_db.api.guards.request_body import limit_body_time, read_body
from zertz_db.api.models import Check
from zertz_db.api.openapi_responses import RECORDS, describe_body, describe_responses
from zertz_db.api.problems import Problem, build_timeout_problem
from zertz_db.api.processes.record_checks import check_records
from zertz_db.api.processes.work_process import WorkStopped
from zertz_db.parser.dialects import DIALECTS
from zertz_db.parser.vocabulary.terms import Verdict

router = APIRouter(tags=["records"])

if TYPE_CHECKING:
    DialectName: TypeAlias = str
else:
    DialectName = Literal[tuple(dialect.name for dialect in DIALECTS)]


@router.post(
    "/check",
    response_model=Check,
    responses=describe_responses(400, 408, 413, 415, has_etag=False),
    openapi_extra=describe_body("Records as a file has them, in any notation that is known.", RECORDS),
)
async def check(
    request: Request,
    service: ServiceDependency,
    dialect: Annotated[DialectName | None, Query(description="Dialect of the records (default: detected).")] = None,
) -> dict[str, Any]:
    """Check if records are legal, and locate each fault. Nothing is stored."""
    async with limit_body_time(service.limits.body_seconds):
        data = b"".join([piece async for piece in read_body(request, service.limits.check_bytes)])
    if not data.strip():
        raise Problem(HTTPStatus.BAD_REQUEST, "send records as the body: curl --data-binary @FILE")
    try:
        records = await run_work(request, service.checker, service.checks, check_records, data, dialect)
    except WorkStopped as error:
        raise build_timeout_problem(service.limits.check_seconds) from error
    counts = Counter(record["verdict"] for record in records)
    return {**{verdict: counts[verdict] for verdict in Verdict}, "records": records}
