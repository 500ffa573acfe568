"""Forced wins of a position, and what a move does to them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from zertz_db.api.dependencies import Service, ServiceDependency, run_work
from zertz_db.api.models import Solution, SolveQuestion
from zertz_db.api.openapi_responses import describe_question, describe_responses
from zertz_db.api.position_question import find_start, read_question
from zertz_db.api.problems import Problem, build_timeout_problem
from zertz_db.api.processes.work_process import WorkStopped
from zertz_db.api.review_models import JudgeQuestion, MoveJudgement
from zertz_db.errors import UserMistake
from zertz_db.tactics.bounded_judgement import ask_judgement, judge
from zertz_db.tactics.bounded_search import answer, ask

router = APIRouter(tags=["positions"])


@router.post(
    "/solve",
    response_model=Solution,
    response_model_exclude_unset=True,
    responses=describe_responses(400, 408, 413, 415, has_etag=False),
    openapi_extra=describe_question(
        "A position, or a game and a ply.",
        SolveQuestion,
        {"game": "3T7K0V9QZ4M1A", "ply": 16, "depth": 7, "nodes": 20_000},
    ),
)
async def solve_position(request: Request, service: ServiceDependency) -> dict[str, Any]:
    """Search a position for a forced win of the player to move, and for replies that refute a move.

    The position is given, or it is the one of a `game` after `ply` plies. A forced win beats every legal defence: each placement of the
    winner leaves the opponent a compulsory capture, until the last move wins. "None found" is not "none": the answer states what was
    searched. Boards of more than 63 rings have a smaller limit of nodes.
    """
    question = await read_question(request, service, SolveQuestion)
    position = await find_start(request, service, question)
    return await _search(
        request, service, partial(ask, position, question.depth, question.nodes, question.move), answer
    )


@router.post(
    "/judge",
    response_model=MoveJudgement,
    responses=describe_responses(400, 408, 413, 415, has_etag=False),
    openapi_extra=describe_question(
        "A position, or a game and a ply, and a move.",
        JudgeQuestion,
        {"game": "3T7K0V9QZ4M1A", "ply": 2, "move": "x d3Wd5"},
    ),
)
async def judge_move(request: Request, service: ServiceDependency) -> dict[str, Any]:
    """Judge a move: whether there was a forced win before it and it keeps that, whether it allows one, and a better move.

    The position is given, or it is the one of a `game` after `ply` plies. "None found" is not "none": the answer states what was searched.
    Boards of more than 63 rings have a smaller limit of nodes.
    """
    question = await read_question(request, service, JudgeQuestion)
    position = await find_start(request, service, question)
    return await _search(
        request, service, partial(ask_judgement, position, question.move, question.depth, question.nodes), judge
    )


async def _search(
    request: Request, service: Service, ask_question: Callable[[], Any], work: Callable[[Any], Any]
) -> dict[str, Any]:
    """Check a question, do the work on it in the process that searches, and return what it found for JSON."""
    try:
        asked = await run_in_threadpool(ask_question)
    except UserMistake as error:
        raise Problem(HTTPStatus.BAD_REQUEST, str(error)) from error
    try:
        found = await run_work(request, service.solver, service.solves, work, asked)
    except WorkStopped as error:
        raise build_timeout_problem(service.limits.solve_seconds, "Use a smaller depth, or fewer nodes.") from error
    answered: dict[str, Any] = found.as_json()
    return answered
