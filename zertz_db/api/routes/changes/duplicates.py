"""Games that may be one: pairs with evidence, earlier decisions, and new ones for who has the token."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from starlette.concurrency import run_in_threadpool

from zertz_db.api.dependencies import FilterText, QuerySnapshot, ServiceDependency
from zertz_db.api.models import GameDecision, Table, build_table
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import Problem, build_busy_problem
from zertz_db.api.routes.changes.imports import require_token
from zertz_db.api.routes.statistics import Limit
from zertz_db.edit.merge_games import InvalidMerge, decide_pair
from zertz_db.queries import duplicates
from zertz_db.store.annotations.game_merges import GameMerge
from zertz_db.store.errors import LockHeld
from zertz_db.store.folder.lock import Wait
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.open_database import open_database

router = APIRouter(tags=["duplicates"])

GameId = Annotated[
    str,
    Query(
        pattern="^[0-9A-Fa-f][0-9A-TV-Za-tv-z]{12}$", description="Id of a game, in full.", examples=["3T7K0V9QZ4M1A"]
    ),
]
Decided = Annotated[
    Literal["accepted", "rejected", "later", "undone"],
    Query(
        description="accepted: they are one, and `game` becomes a record of `other`; rejected: they are two; later: put off; "
        "undone: the earlier decision counts no more."
    ),
]
Author = Annotated[str, Query(max_length=60, description="Who decides; the database stores it.", examples=["ada"])]
_WAIT = Wait(5.0)
"""Time to wait for another change of the database."""


@router.get("/duplicates", response_model=Table, responses=describe_responses(400))
def list_pairs(snapshot: QuerySnapshot, q: FilterText, limit: Limit = 100) -> dict[str, Any]:
    """List pairs of games that may be one, the surest first, without those that are two by decision."""
    return build_table(duplicates.list_duplicates(snapshot, q), limit)


@router.get("/duplicates/decisions", response_model=Table, responses=describe_responses())
def list_decisions(snapshot: QuerySnapshot, limit: Limit = 100) -> dict[str, Any]:
    """List the decisions about pairs of games, the latest first."""
    return build_table(duplicates.list_decisions(snapshot), limit)


@router.post(
    "/duplicates/decisions",
    response_model=GameDecision,
    responses=describe_responses(400, 401, 403, has_etag=False),
    dependencies=[Depends(require_token)],
)
async def decide(
    service: ServiceDependency, game: GameId, other: GameId, verdict: Decided, author: Author = ""
) -> dict[str, Any]:
    """Decide if two games are one, or undo an earlier decision about them. The answer comes when the database has changed."""
    one, two = (to_text(from_text(text)) for text in (game, other))
    try:
        made = await run_in_threadpool(_decide, service.database.folder, one, two, verdict, author)
    except InvalidMerge as error:
        raise Problem(HTTPStatus.BAD_REQUEST, str(error)) from error
    except LockHeld as error:
        raise build_busy_problem("another change of the database is running") from error
    return {**made._asdict(), "other": made.of}


def _decide(folder: Path, game: str, other: str, verdict: str, author: str) -> GameMerge:
    with open_database(folder) as database:
        why = duplicates.evidence(database, game, other)
    return decide_pair(folder, game, other, verdict, author, why, _WAIT)
