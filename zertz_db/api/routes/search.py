"""Positions and patterns."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Query

from zertz_db.api.dependencies import FilterText, QuerySnapshot
from zertz_db.api.guards.limits import MAX_FILTER_LENGTH, MAX_ROWS
from zertz_db.api.json_response import write_json
from zertz_db.api.models import Search, build_table
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import Problem
from zertz_db.api.routes.explorer import Moves, PositionText
from zertz_db.queries.games.one_game import course
from zertz_db.queries.openings.line import after, start_of
from zertz_db.queries.openings.tree import BOARD, RULES
from zertz_db.queries.search.matches import Found
from zertz_db.queries.search.patterns import find_pattern, find_reachable
from zertz_db.queries.search.positions import find_position
from zertz_db.queries.search.sequences import find_sequence

router = APIRouter(tags=["positions"])

EmptyBoard = Annotated[str, Query(max_length=10, description="Empty board that `moves` start from.")]
RuleSet = Annotated[str, Query(max_length=40, description="Rule set.")]
GameId = Annotated[str | None, Query(max_length=13, description="Id of a game whose position to use.")]
Ply = Annotated[int | None, Query(ge=0, description="Number of plies before the position (default: all).")]


class Mode(StrEnum):
    """Ways to match a position."""

    exact = "exact"
    symmetry = "symmetry"
    shape = "shape"
    reachable = "reachable"


@router.get("/positions/search", response_model=Search, responses=describe_responses(400))
@write_json(Search)
def search(
    snapshot: QuerySnapshot,
    q: FilterText,
    pattern: Annotated[
        str | None, Query(max_length=MAX_FILTER_LENGTH, description="Pattern.", examples=["W . o / ? B"])
    ] = None,
    position: PositionText = None,
    moves: Moves = "",
    board: EmptyBoard = BOARD,
    rules: RuleSet = RULES,
    game: GameId = None,
    ply: Ply = None,
    mode: Annotated[
        Mode,
        Query(
            description="exact: unchanged; symmetry: also turned and mirrored; shape: also anywhere on any board; "
            "reachable: positions that may have come from it."
        ),
    ] = Mode.symmetry,
    pool: Annotated[bool, Query(description="Require the same pool.")] = False,
    captures: Annotated[bool, Query(description="Require the same captures of both players.")] = False,
    side: Annotated[bool, Query(description="Require the same side to move.")] = False,
    every: Annotated[bool, Query(description="All matches of a game, not only the first.")] = False,
    then: Annotated[
        str | None,
        Query(max_length=MAX_FILTER_LENGTH, description="Position string or pattern that follows later in the game."),
    ] = None,
    within: Annotated[int | None, Query(ge=1, description="Maximum number of plies until `then` follows.")] = None,
    limit: Annotated[int, Query(ge=0, le=MAX_ROWS, description="Maximum number of hits.")] = 50,
) -> dict[str, Any]:
    """Find a position or a pattern in the games, with the continuations and their results.

    Give one thing to find: a `pattern`, a `position`, `moves` from an empty board, or a `game` and a `ply`. Moves are shown as if played
    on the board of your position; in patterns (0,0) is the first cell. Without `pool`, `captures` and `side` only rings and marbles
    count; these three are for the first three modes.
    """
    if sum(map(bool, (pattern, position, moves, game))) != 1:
        raise Problem(400, "give one thing to find: pattern, position, moves, or game with ply")
    if pattern and not then:
        found = find_pattern(snapshot, pattern, q, every=every, limit=limit)
    else:
        wanted = pattern or (
            course(snapshot, game).position(ply) if game else after(start_of(position, board, rules), moves)
        )
        if then:
            if pool or captures or side:
                raise Problem(400, "pool, captures and side are for a single position: omit them, or omit then")
            found = find_sequence(snapshot, wanted, then, within, q, mode=mode, every=every, limit=limit)
        elif mode is Mode.reachable:
            found = find_reachable(snapshot, wanted, q, every=every, limit=limit)
        else:
            found = find_position(
                snapshot, wanted, mode, q, pool=pool, captures=captures, side=side, every=every, limit=limit
            )
    return _tables(found, every)


def _tables(found: Found, every: bool) -> dict[str, Any]:
    return {
        "games": found.games,
        "plies": found.plies,
        "first": found.first,
        "hits": build_table(found.hits, total=found.plies if every else found.games),
        "continuations": build_table(found.continuations, MAX_ROWS),
        "years": build_table(found.years),
    }
