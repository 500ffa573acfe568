"""Studies: the list, and one of them in official notation."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from zertz_db.api.dependencies import QuerySnapshot, SortColumn
from zertz_db.api.models import Study, Table, build_table
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import convert_not_found
from zertz_db.api.routes.statistics import Limit
from zertz_db.queries.studies import find_study, list_studies

router = APIRouter(tags=["studies"])

Name = Annotated[str, Path(max_length=200, description="Name of a study, in any case, or its id.", examples=["a trap"])]


@router.get("/studies", response_model=Table, responses=describe_responses(400))
def send_list(snapshot: QuerySnapshot, sort: SortColumn = "", limit: Limit = 100) -> dict[str, Any]:
    """List the studies, the latest saved first."""
    return build_table(list_studies(snapshot), limit, sort=sort)


@router.get("/studies/{name:path}", response_model=Study, responses=describe_responses(404))
def send_study(snapshot: QuerySnapshot, name: Name) -> dict[str, Any]:
    """Return a study: moves with variations, comments and marks, as a record in official notation."""
    with convert_not_found():
        return find_study(snapshot, name)._asdict()
