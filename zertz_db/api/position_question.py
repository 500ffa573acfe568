"""Questions in the body of a request, and the position that they name: a position string, or a game and a ply."""

from __future__ import annotations

from http import HTTPStatus
from typing import TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool

from zertz_db.api.dependencies import Service, limit_snapshot
from zertz_db.api.guards.request_body import limit_body_time, read_body
from zertz_db.api.models import StartQuestion
from zertz_db.api.problems import Problem
from zertz_db.queries.games.one_game import course
from zertz_db.rules.position import Position

MAX_BYTES = 100_000
"""Maximum number of bytes of a question."""

Question = TypeVar("Question", bound=BaseModel)


async def read_question(
    request: Request, service: Service, model: type[Question], max_bytes: int = MAX_BYTES
) -> Question:
    """Return the question in the body of a request. Raise RequestValidationError and Problem."""
    async with limit_body_time(service.limits.body_seconds):
        data = b"".join([piece async for piece in read_body(request, max_bytes)])
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        wrong = [{**one, "loc": ("body", *one["loc"])} for one in error.errors(include_url=False, include_input=False)]
        raise RequestValidationError(wrong) from error


async def find_start(request: Request, service: Service, question: StartQuestion) -> Position | str:
    """Return the position of a question. Raise Problem unless it names exactly one, and QueryError."""
    is_one = (question.position is None) != (question.game is None)
    if not is_one or (question.ply is not None and question.game is None):
        raise Problem(HTTPStatus.BAD_REQUEST, "give one start: position, or game with ply")
    if question.position is not None:
        return question.position
    seconds = service.limits.seconds
    async with service.questions.taken() as place, limit_snapshot(request, service, place, seconds) as snapshot:
        game = await run_in_threadpool(course, snapshot, question.game or "")
        return await run_in_threadpool(game.position, question.ply)
