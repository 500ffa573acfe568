"""Puzzles: lists, single ones, that of a day, and judged tries."""

from __future__ import annotations

import datetime as dt
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.concurrency import run_in_threadpool

from zertz_db.api.dependencies import (
    FilterText,
    QuerySnapshot,
    ServiceDependency,
    SortColumn,
    limit_snapshot,
    run_work,
)
from zertz_db.api.models import Judgement, Puzzle, PuzzleTry, Table, build_table
from zertz_db.api.openapi_responses import describe_question, describe_responses
from zertz_db.api.position_question import read_question
from zertz_db.api.problems import Problem, build_timeout_problem, convert_not_found
from zertz_db.api.processes.work_process import WorkStopped
from zertz_db.api.routes.statistics import Limit
from zertz_db.errors import UserMistake
from zertz_db.queries.puzzles.one_puzzle import find_daily, find_puzzle
from zertz_db.queries.puzzles.puzzle_list import TOP, list_puzzles
from zertz_db.queries.puzzles.selection import Selection
from zertz_db.tactics.puzzles.judge import ask_try, judge_try
from zertz_db.tactics.puzzles.themes import THEMES

router = APIRouter(tags=["puzzles"])

MAX_BYTES = 10_000
"""Maximum number of bytes of a try."""
Id = Annotated[
    str, Path(description="Id of a puzzle.", examples=["8BSNSWDMHBF1T"], max_length=13, pattern="^[0-9A-Za-z]+$")
]
WithSolution = Annotated[bool, Query(description="Return the solution too.")]


@router.get("/puzzles", response_model=Table, responses=describe_responses(400))
def get_puzzles(
    snapshot: QuerySnapshot,
    q: FilterText,
    theme: Annotated[
        list[str] | None,
        Query(
            description=f"What happens in the solution; all of several: {', '.join(THEMES)}.", max_length=len(THEMES)
        ),
    ] = None,
    grade: Annotated[Literal["A+", "A", "B"], Query(description="This grade or a better one.")] = "B",
    length: Annotated[int | None, Query(ge=1, le=31, description="Plies of the forced win.")] = None,
    missed_by: Annotated[
        str, Query(max_length=200, description="Player who had the puzzle in a game and let the win go.")
    ] = "",
    sort: SortColumn = "",
    limit: Limit = TOP,
) -> dict[str, Any]:
    """List puzzles of the analysed games, the best grades first."""
    selection = Selection(q, tuple(theme or ()), grade, length, missed_by)
    return build_table(list_puzzles(snapshot, selection, None if sort else limit), limit, sort=sort)


@router.get("/puzzles/daily", response_model=Puzzle, responses=describe_responses(404, has_etag=False))
async def daily_puzzle(
    request: Request,
    service: ServiceDependency,
    date: Annotated[dt.date | None, Query(description="The day (default: today in UTC).")] = None,
    solution: WithSolution = False,
) -> dict[str, Any]:
    """Return the puzzle of a day, of grade A or better. It rarely changes when games are added."""
    day = date or dt.datetime.now(dt.UTC).date()
    seconds = service.limits.seconds
    async with service.questions.taken() as place, limit_snapshot(request, service, place, seconds) as snapshot:
        found = await run_in_threadpool(find_daily, snapshot, day)
    if found is None:
        raise Problem(
            HTTPStatus.NOT_FOUND, "there are no puzzles of grade A in this database; zertz analyse makes puzzles"
        )
    return found.as_json(with_solution=solution)


@router.get("/puzzles/{puzzle_id}", response_model=Puzzle, responses=describe_responses(404))
def one_puzzle(snapshot: QuerySnapshot, puzzle_id: Id, solution: WithSolution = False) -> dict[str, Any]:
    """Return one puzzle: its position and the task."""
    with convert_not_found():
        return find_puzzle(snapshot, puzzle_id).as_json(with_solution=solution)


@router.post(
    "/puzzles/{puzzle_id}/moves",
    response_model=Judgement,
    responses=describe_responses(400, 404, 408, 413, 415, has_etag=False),
    openapi_extra=describe_question(
        "The solver's moves with the replies between them.", PuzzleTry, {"moves": ["Bd5,d2"]}
    ),
)
async def judge_moves(request: Request, service: ServiceDependency, puzzle_id: Id) -> dict[str, Any]:
    """Judge the last of some moves from a puzzle's position, and answer with the reply that delays the win most.

    Any move that keeps the win goes on. The server remembers nothing: send all moves so far, the replies too. A search has limits; if they
    don't suffice, the verdict is `undecided`.
    """
    wanted = await read_question(request, service, PuzzleTry, MAX_BYTES)
    seconds = service.limits.seconds
    async with service.questions.taken() as place, limit_snapshot(request, service, place, seconds) as snapshot:
        with convert_not_found():
            puzzle = await run_in_threadpool(find_puzzle, snapshot, puzzle_id)
    try:
        question = await run_in_threadpool(ask_try, puzzle.position, puzzle.length, wanted.moves)
        judged = await run_work(request, service.solver, service.solves, judge_try, question)
    except UserMistake as error:
        raise Problem(HTTPStatus.BAD_REQUEST, str(error)) from error
    except WorkStopped as error:
        raise build_timeout_problem(service.limits.solve_seconds, "Try again later.") from error
    return judged.as_json()
