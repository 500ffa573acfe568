"""Legal moves of a position."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from zertz_db.api.dependencies import QuerySnapshot
from zertz_db.api.guards.limits import MAX_ROWS
from zertz_db.api.models import Moves
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import Problem
from zertz_db.api.routes.explorer import Moves as Line
from zertz_db.api.routes.explorer import PositionText
from zertz_db.api.routes.search import EmptyBoard, GameId, Ply, RuleSet
from zertz_db.queries.games.one_game import course
from zertz_db.queries.openings.line import after, start_of
from zertz_db.queries.openings.tree import BOARD, RULES
from zertz_db.rules.moves import list_moves

router = APIRouter(tags=["positions"])


@router.get("/positions/moves", response_model=Moves, responses=describe_responses(400))
def moves_of(
    snapshot: QuerySnapshot,
    position: PositionText = None,
    moves: Line = "",
    board: EmptyBoard = BOARD,
    rules: RuleSet = RULES,
    game: GameId = None,
    ply: Ply = None,
    limit: Annotated[int, Query(ge=0, le=MAX_ROWS, description="Maximum number of listed moves.")] = MAX_ROWS,
) -> dict[str, Any]:
    """List the legal moves of a position with their effects, and what each player lacks.

    The position is the one after `moves` from `position`, from a `game` after `ply` plies, or from an empty board (the default).
    """
    if position and game:
        raise Problem(400, "give one start: position, or game with ply")
    begun = course(snapshot, game).position(ply) if game else start_of(position, board, rules)
    return list_moves(after(begun, moves)).as_json(limit)
