"""That the server answers, and what there is to ask."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from zertz_db import __version__
from zertz_db.api.dependencies import ServiceDependency
from zertz_db.api.models import Health
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import build_busy_problem

router = APIRouter(tags=["server"])


@router.get("/healthz", response_model=Health, responses=describe_responses(has_etag=False))
async def health(service: ServiceDependency, response: Response) -> dict[str, Any]:
    """Check the health: the database is readable, and another request would start or could wait.

    If not, the status is 503: send clients elsewhere for a while. A server whose places are taken is healthy while requests can wait.
    """
    response.headers["Cache-Control"] = "no-store"
    if service.questions.is_full:
        raise build_busy_problem("no other request can wait")
    await run_in_threadpool(lambda: service.database.connection().close())
    generation = service.database.generation.number
    return {"status": "ok", "version": __version__, "generation": generation, "free_places": service.questions.free}


@router.get("/", response_model=dict[str, str], responses=describe_responses(has_etag=False))
async def index(request: Request) -> dict[str, str]:
    """List the endpoints, each with a sentence; `/openapi.json` has the details."""
    described: dict[str, dict[str, dict[str, str]]] = request.app.openapi()["paths"]
    return {
        f"{method.upper()} {path}": one["description"].partition("\n")[0]
        for path, methods in described.items()
        for method, one in methods.items()
    }
