"""That the server answers, and what there is to ask."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from zertz_db import __version__
from zertz_db.api.answers import answers
from zertz_db.api.models import Health
from zertz_db.api.service import Serving

router = APIRouter(tags=["server"])


@router.get("/healthz", response_model=Health, responses=answers(kept=False))
def health(service: Serving, response: Response) -> dict[str, Any]:
    """Whether the database can be read."""
    service.database.connection().close()
    response.headers["Cache-Control"] = "no-store"
    return {"status": "ok", "version": __version__, "generation": service.database.generation.number}


@router.get("/", response_model=dict[str, str], responses=answers(kept=False))
async def index(request: Request) -> dict[str, str]:
    """What can be asked, each with a sentence; `/openapi.json` says all about it."""
    described: dict[str, dict[str, dict[str, str]]] = request.app.openapi()["paths"]
    return {
        f"{method.upper()} {path}": one["description"].partition("\n")[0]
        for path, methods in described.items()
        for method, one in methods.items()
    }
