"""The opening tree in the shape that explorers have."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query

from zertz_db.api.dependencies import FilterText, QuerySnapshot
from zertz_db.api.guards.limits import MAX_FILTER_LENGTH, MAX_ROWS
from zertz_db.api.json_response import write_json
from zertz_db.api.models import Explorer
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.queries.openings.games import opening_games
from zertz_db.queries.openings.tree import BOARD, RULES, Openings, find_openings

router = APIRouter(tags=["positions"])

Moves = Annotated[
    str,
    Query(max_length=MAX_FILTER_LENGTH, description="Moves in official notation.", examples=["Wd4,d1 Bd3,a1"]),
]
PositionText = Annotated[
    str | None,
    Query(
        max_length=MAX_FILTER_LENGTH,
        description="Position string.",
        examples=["37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 6/8/10 0/0/0 0/0/0 1"],
    ),
]
ContinuationLimit = Annotated[int, Query(ge=0, le=100, description="Maximum number of these games.")]


@router.get("/explorer", response_model=Explorer, responses=describe_responses(400))
@write_json(Explorer)
def explorer(
    snapshot: QuerySnapshot,
    q: FilterText,
    moves: Moves = "",
    position: PositionText = None,
    board: Annotated[str, Query(max_length=10, description="Empty board to start from.")] = BOARD,
    rules: Annotated[str, Query(max_length=40, description="Rule set.")] = RULES,
    order: Annotated[
        Literal["games", "result", "date", "rating", "performance", "first"],
        Query(
            description="Sort key: number of games, score, date of the last game, mean rating, performance, or date of the first game."
        ),
    ] = "games",
    limit: Annotated[int, Query(ge=0, le=MAX_ROWS, description="Maximum number of continuations.")] = 50,
    board_only: Annotated[bool, Query(description="Ignore side to move, pool and captures.")] = False,
    topGames: ContinuationLimit = 4,  # noqa: N803 - explorers write so
    recentGames: ContinuationLimit = 4,  # noqa: N803
) -> dict[str, Any]:
    """Return the continuations of a position, and their results.

    The position is the one after `moves` from `position`; default: from an empty board. A game counts if it reached the position or its
    image under a symmetry of the board, by any moves. Games that came by other moves than `moves` are transpositions.
    """
    found = find_openings(
        snapshot,
        moves,
        position=position,
        board=board,
        rules=rules,
        filters=q,
        order=order,
        limit=limit,
        board_only=board_only,
    )
    games = {
        name: opening_games(
            snapshot, found.position, q, order=by, limit=most, board_only=board_only, few=found.few
        ).dicts()
        if most and found.games
        else []
        for name, by, most in (("topGames", "players", topGames), ("recentGames", "date", recentGames))
    }
    return {**_build_explorer(found), **games}


def _build_explorer(found: Openings) -> dict[str, Any]:
    side = found.position.side
    rows = [_build_continuation(row, side) for row in found.continuations.dicts()]
    return {
        "position": found.position.text,
        "side": side,
        "line": found.moves,
        "name": found.name,
        **_outcomes(found.wins, found.ties, found.losses, found.games, side),
        "transpositions": None if found.by_line is None else found.games - found.by_line,
        "choices": found.choices,
        "moves": [row for row in rows if row["move"] is not None],
        "ended": next((row for row in rows if row["move"] is None), None),
        "absence": found.absence,
    }


def _outcomes(wins: int, ties: int, losses: int, games: int, side: int) -> dict[str, int]:
    """Convert wins and losses of the side to move to those of the first and second player."""
    first, second = (wins, losses) if side == 1 else (losses, wins)
    return {"first": first, "ties": ties, "second": second, "unknown": games - wins - ties - losses, "games": games}


def _build_continuation(row: dict[str, Any], side: int) -> dict[str, Any]:
    low = row["score_low"]
    return {
        "move": row["move"],
        "name": row["name"],
        **_outcomes(row["wins"], row["ties"], row["losses"], row["games"], side),
        "transpositions": None if row["by_line"] is None else row["games"] - row["by_line"],
        "score": None if low is None else {"share": row["score"], "low": low, "high": row["score_high"]},
        "meanPlies": row["mean_plies"],
        "lastDate": row["last_date"],
        "rating": row["rating"],
        "performance": row["performance"],
        "firstDate": row["first_date"],
        "firstPlayer": row["first_player"],
        "firstGame": row["first_game"],
    }
