"""Players: lists, profiles, two against each other, ratings."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query

from zertz_db.api.dependencies import FilterText, QuerySnapshot, SortColumn
from zertz_db.api.guards.limits import MAX_ROWS
from zertz_db.api.models import HeadToHead, PlayerRating, Preparation, Profile, Table, build_table
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import convert_not_found
from zertz_db.api.routes.statistics import Limit
from zertz_db.queries.players import player_list
from zertz_db.queries.players.head_to_head import compare_players
from zertz_db.queries.players.player_list import find_player
from zertz_db.queries.players.player_rating import rate_player
from zertz_db.queries.players.profile import find_profile
from zertz_db.queries.players.ratings import rate_players
from zertz_db.queries.preparation.preparation import KNOWN, prepare_against
from zertz_db.queries.result import Result

router = APIRouter(tags=["players"])

Name = Annotated[
    str,
    Path(max_length=200, description="Name or alias of a player, in any case.", examples=["ada"]),
]
OtherName = Annotated[str, Path(max_length=200, description="Name of the other player.", examples=["ben"])]


@router.get("/players", response_model=Table, responses=describe_responses(400))
def list_players(snapshot: QuerySnapshot, q: FilterText, sort: SortColumn = "", limit: Limit = 100) -> dict[str, Any]:
    """List players, most games first."""
    return build_table(player_list.list_players(snapshot, q), limit, sort=sort)


@router.get(
    "/players/{name:path}/versus/{other:path}", response_model=HeadToHead, responses=describe_responses(400, 404)
)
def two_players(snapshot: QuerySnapshot, q: FilterText, name: Name, other: OtherName) -> dict[str, Any]:
    """Compare two players by their games against each other."""
    with convert_not_found():
        found = compare_players(snapshot, name, other, q)
    return {"player": found.one.name, "opponent": found.other.name, **_tables(found)}


@router.get("/players/{name:path}/preparation", response_model=Preparation, responses=describe_responses(400, 404))
def one_preparation(
    snapshot: QuerySnapshot,
    q: FilterText,
    name: Name,
    known: Annotated[
        int, Query(ge=1, le=MAX_ROWS, description="Number of other games that make a position known.")
    ] = KNOWN,
) -> dict[str, Any]:
    """Return what to know before a game with a player: replies, losses, the end of known lines, missed forced wins."""
    with convert_not_found():
        player = find_player(snapshot.connection(), name).name
    return {"player": player, **_tables(prepare_against(snapshot, player, q, known))}


@router.get("/players/{name:path}/rating", response_model=PlayerRating, responses=describe_responses(400, 404))
def one_rating(snapshot: QuerySnapshot, name: Name) -> dict[str, Any]:
    """Return a player's rating by all games: rank, best rating, course over the years. 404 for a player without rated games."""
    with convert_not_found():
        found = rate_player(snapshot, name)
    return {**_tables(found), "curve": found.curve}


@router.get("/players/{name:path}", response_model=Profile, responses=describe_responses(400, 404))
def one_player(snapshot: QuerySnapshot, q: FilterText, name: Name) -> dict[str, Any]:
    """Return a player's profile."""
    with convert_not_found():
        found = find_profile(snapshot, name, q)
    _, shown, kind, names = found.player
    return {"name": shown, "kind": kind, "names": names, "games": found.games, **_tables(found)}


@router.get("/ratings", response_model=Table, responses=describe_responses(400))
def list_ratings(
    snapshot: QuerySnapshot,
    q: FilterText,
    kind: Annotated[
        Literal["human", "bot"] | None, Query(description="Only humans or only bots; the ratings use both.")
    ] = None,
    sort: SortColumn = "",
    limit: Limit = 100,
) -> dict[str, Any]:
    """Rate players by their games: humans first, then bots, highest lower bound first."""
    return build_table(rate_players(snapshot, q, kind), limit, sort=sort)


def _tables(found: Any) -> dict[str, Any]:
    """Return the tables among the fields of a result."""
    values = {field.name: getattr(found, field.name) for field in fields(found)}
    return {name: build_table(value, MAX_ROWS) for name, value in values.items() if isinstance(value, Result)}
