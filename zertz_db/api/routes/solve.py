"""Forced wins of a position."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from zertz_db.api.dependencies import Service, ServiceDependency, limit_snapshot, run_work
from zertz_db.api.guards.request_body import limit_body_time, read_body
from zertz_db.api.models import Solution, SolveQuestion
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import Problem, build_timeout_problem
from zertz_db.api.processes.work_process import WorkStopped
from zertz_db.errors import UserMistake
from zertz_db.queries.games.one_game import course
from zertz_db.rules.position import Position
from zertz_db.tactics.bounded_search import answer, ask

router = APIRouter(tags=["positions"])

MAX_BYTES = 100_000
"""Maximum number of bytes of a question."""
_QUESTION = {
    "requestBody": {
        "description": "A position, or a game and a ply.",
        "required": True,
        "content": {
            "application/json": {
                "schema": SolveQuestion.model_json_schema(),
                "example": {"game": "3T7K0V9QZ4M1A", "ply": 16, "depth": 7, "nodes": 20_000},
            }
        },
    }
}


@router.post(
    "/solve",
    response_model=Solution,
    response_model_exclude_unset=True,
    responses=describe_responses(400, 408, 413, 415, has_etag=False),
    openapi_extra=_QUESTION,
)
async def solve(request: Request, service: ServiceDependency) -> dict[str, Any]:
    """Search a position for a forced win of the player to move, and for replies that refute a move.

    The position is given, or it is the one of a `game` after `ply` plies. A forced win beats every legal defence: each placement of the
    winner leaves the opponent a compulsory capture, until the last move wins. "None found" is not "none": the answer states what was
    searched. Boards of more than 63 rings have a smaller limit of nodes.
    """
    question = await _read_question(request, service)
    position: Position | str | None = question.position
    if position is None:
        position = await _find_position(request, service, question)
    try:
        asked = await run_in_threadpool(ask, position, question.depth, question.nodes, question.move)
    except UserMistake as error:
        raise Problem(HTTPStatus.BAD_REQUEST, str(error)) from error
    try:
        found = await run_work(request, service.solver, service.solves, answer, asked)
    except WorkStopped as error:
        raise build_timeout_problem(service.limits.solve_seconds, "Use a smaller depth, or fewer nodes.") from error
    return found.as_json()


async def _read_question(request: Request, service: Service) -> SolveQuestion:
    async with limit_body_time(service.limits.body_seconds):
        data = b"".join([piece async for piece in read_body(request, MAX_BYTES)])
    try:
        question = SolveQuestion.model_validate_json(data)
    except ValidationError as error:
        wrong = [{**one, "loc": ("body", *one["loc"])} for one in error.errors(include_url=False, include_input=False)]
        raise RequestValidationError(wrong) from error
    if (question.position is None) == (question.game is None) or (question.ply is not None and question.game is None):
        raise Problem(HTTPStatus.BAD_REQUEST, "give one start: position, or game with ply")
    return question


async def _find_position(request: Request, service: Service, question: SolveQuestion) -> Position:
    """Return the position of the game. Raise QueryError."""
    seconds = service.limits.seconds
    async with service.questions.taken() as place, limit_snapshot(request, service, place, seconds) as snapshot:
        game = await run_in_threadpool(course, snapshot, question.game or "")
        return await run_in_threadpool(game.position, question.ply)
