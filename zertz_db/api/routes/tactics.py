"""Forced wins of analysed games."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query

from zertz_db.api.dependencies import FilterText, QuerySnapshot, SortColumn
from zertz_db.api.models import Table, build_table
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.routes.statistics import Limit
from zertz_db.queries.tactics.examples import TOP, find_tactics

router = APIRouter(tags=["statistics"])


@router.get("/tactics", response_model=Table, responses=describe_responses(400))
def list_tactics(
    snapshot: QuerySnapshot,
    q: FilterText,
    kind: Annotated[
        Literal["missed", "played", "quickest"],
        Query(description="Longest missed wins, longest combinations that were played, or the quickest forced wins."),
    ] = "missed",
    sort: SortColumn = "",
    limit: Limit = TOP,
) -> dict[str, Any]:
    """List forced wins of the analysed games, with the game and the number of plies before each."""
    return build_table(find_tactics(snapshot, kind, q, None if sort else limit), limit, sort=sort)
