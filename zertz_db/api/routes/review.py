"""The review of a game."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from zertz_db.api.dependencies import ServiceDependency, open_snapshot, run_work
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import build_timeout_problem, convert_not_found
from zertz_db.api.processes.work_process import WorkStopped
from zertz_db.api.review_models import GameReview
from zertz_db.api.routes.games import Id
from zertz_db.queries.games.one_game import course
from zertz_db.queries.tactics.review import review_game, value_review

router = APIRouter(tags=["games"])


@router.get("/games/{game_id}/review", response_model=GameReview, responses=describe_responses(404))
async def get_review(request: Request, response: Response, service: ServiceDependency, game_id: Id) -> dict[str, Any]:
    """Return the review of a game: win chances, missed wins, blunders, only moves, sacrifices and estimated mistakes.

    Forced wins are those of the stored analysis; `problem` states if there is none. Win chances are computed now.
    """
    seconds = service.limits.seconds
    async with (
        service.questions.taken() as place,
        open_snapshot(request, response, service, place, seconds) as snapshot,
    ):
        with convert_not_found():
            found = await run_in_threadpool(review_game, snapshot, game_id)
        game = await run_in_threadpool(course, snapshot, found.game)
        positions = await run_in_threadpool(game.positions)
    try:
        valued = await run_work(request, service.solver, service.solves, value_review, found, positions)
    except WorkStopped as error:
        raise build_timeout_problem(service.limits.solve_seconds, "Try again later.") from error
    return valued.as_json()
