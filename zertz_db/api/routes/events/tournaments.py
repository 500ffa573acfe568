"""Tournaments: the list, crosstables, comparison with a TRF file; pairings of a round robin."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request

from zertz_db.api.dependencies import BodySnapshot, FilterText, QuerySnapshot, ServiceDependency, SortColumn
from zertz_db.api.guards.limits import MAX_ROWS
from zertz_db.api.guards.request_body import limit_body_time, read_body
from zertz_db.api.models import Table, build_table
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import Problem, convert_not_found
from zertz_db.queries.tournaments import crosstable, tournament_games
from zertz_db.queries.tournaments.file_comparison import compare_with_file
from zertz_db.queries.tournaments.round_robin import MAX_PLAYERS, list_pairings, number_players
from zertz_db.queries.tournaments.trf_file import parse_trf

router = APIRouter(tags=["tournaments"])

Limit = Annotated[int, Query(ge=1, le=MAX_ROWS, description="Maximum number of rows.")]
Rounds = Annotated[bool, Query(description="The opponents of each round instead of the crosstable.")]
Tournament = Annotated[
    str, Path(max_length=200, description="Name of the tournament.", examples=["tournament 2010.05"])
]
_TRF = {
    "requestBody": {
        "description": "A tournament's file in FIDE's format TRF.",
        "required": True,
        "content": {
            "text/plain": {
                "schema": {"type": "string", "minLength": 1},
                "example": "012 Club Open\n001    1      Ada\n",
            }
        },
    }
}


@router.get("/tournaments", response_model=Table, responses=describe_responses(400))
def list_tournaments(
    snapshot: QuerySnapshot, q: FilterText, sort: SortColumn = "", limit: Limit = 100
) -> dict[str, Any]:
    """List tournaments, latest first."""
    return build_table(tournament_games.list_tournaments(snapshot, q), limit, sort=sort)


@router.get("/tournaments/{name:path}", response_model=Table, responses=describe_responses(400, 404))
def one_tournament(snapshot: QuerySnapshot, q: FilterText, name: Tournament, rounds: Rounds = False) -> dict[str, Any]:
    """Return the crosstable of a tournament with tie-breaks, or its table by rounds."""
    find = crosstable.find_rounds if rounds else crosstable.find_crosstable
    with convert_not_found():
        return build_table(find(snapshot, name, q), MAX_ROWS)


async def _read_file(request: Request, service: ServiceDependency) -> bytes:
    async with limit_body_time(service.limits.body_seconds):
        data = b"".join([piece async for piece in read_body(request, service.limits.check_bytes)])
    if not data.strip():
        raise Problem(HTTPStatus.BAD_REQUEST, "send a TRF file as the body: curl --data-binary @FILE")
    return data


@router.post(
    "/tournaments/{name:path}",
    response_model=Table,
    responses=describe_responses(400, 404, 408, 413, 415, has_etag=False),
    openapi_extra=_TRF,
)
def compare_tournament(
    data: Annotated[bytes, Depends(_read_file)],
    snapshot: BodySnapshot,
    q: FilterText,
    name: Tournament,
    limit: Limit = MAX_ROWS,
) -> dict[str, Any]:
    """List what differs between a tournament and its TRF file; no rows if both agree. Nothing is stored."""
    file = parse_trf(data)
    with convert_not_found():
        return build_table(compare_with_file(snapshot, name, file, q), limit)


@router.get("/pairings", response_model=Table, responses=describe_responses(400, has_etag=False))
async def pair_players(
    player: Annotated[
        list[str] | None,
        Query(max_length=MAX_PLAYERS, description="A player's name; repeat it for each.", examples=[["Ada", "Ben"]]),
    ] = None,
    players: Annotated[
        int | None, Query(ge=2, le=MAX_PLAYERS, description="Number of players, in place of names: they are 1, 2, 3 …")
    ] = None,
    double: Annotated[bool, Query(description="Each pair plays twice, with the other player first.")] = False,
) -> dict[str, Any]:
    """Return the pairings of a round robin by Berger tables: player1 moves first; `bye` is a round without a game."""
    if (player is None) == (players is None):
        raise Problem(HTTPStatus.BAD_REQUEST, "give the players: player=Ada&player=Ben, or their number: players=6")
    return build_table(list_pairings(player or number_players(players or 0), double=double), MAX_PLAYERS**2)
