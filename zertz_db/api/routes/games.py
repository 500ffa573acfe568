"""Games: lists, and one of them as JSON, in official notation, as a picture."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from zertz_db.api.dependencies import FilterText, QuerySnapshot, StreamSnapshot
from zertz_db.api.guards.limits import MAX_ROWS
from zertz_db.api.json_response import write_json
from zertz_db.api.models import Games, OneGame, build_table
from zertz_db.api.openapi_responses import NDJSON, SVG, TEXT, describe_responses
from zertz_db.api.problems import Problem, convert_not_found
from zertz_db.export.notation import write_notations
from zertz_db.export.rows import game_object, objects
from zertz_db.queries.filters.suggestions import suggest_values
from zertz_db.queries.games.game_list import NEWEST, SUMMARY, count_games, list_games
from zertz_db.queries.games.novelty import find_novelty
from zertz_db.queries.games.one_game import course, find_id
from zertz_db.rules.svg.board_svg import svg

router = APIRouter(tags=["games"])

Sort = Annotated[
    str,
    Query(
        description="Sort column; `-` before it: descending.",
        max_length=20,
        json_schema_extra={"enum": [sign + name for name in SUMMARY for sign in ("", "-")]},
    ),
]
Id = Annotated[
    str,
    Path(
        description="Id of a game, or its first letters (at least 4).",
        examples=["3T7K0V9QZ4M1A"],
        max_length=13,
        pattern="^[0-9A-Za-z]+$",
    ),
]
_LINES_PER_CHUNK = 500
"""Games that are sent together."""


@router.get("/games", response_model=Games, responses=describe_responses(400))
@write_json(Games)
def games(
    snapshot: QuerySnapshot,
    q: FilterText,
    sort: Sort = NEWEST,
    limit: Annotated[int, Query(ge=1, le=MAX_ROWS, description="Maximum number of games.")] = 50,
    cursor: Annotated[str | None, Query(max_length=13, description="Value of `next` in the previous page.")] = None,
) -> dict[str, Any]:
    """List games, latest first.

    A long list has pages: repeat the request with `cursor` until `next` is null. Imports in between omit no game.
    """
    found = list_games(snapshot, q, sort=sort, limit=limit + 1, after=cursor)
    total = count_games(snapshot, q)
    part = build_table(found, limit, total)
    return {
        **part,
        "next": part["rows"][-1]["id"] if len(found.rows) > limit else None,
        "suggestions": [] if total else suggest_values(snapshot, q),
    }


@router.get("/games.ndjson", response_class=StreamingResponse, responses=describe_responses(400, content=NDJSON))
def stream(
    snapshot: StreamSnapshot,
    response: Response,
    q: FilterText,
    sort: Sort = NEWEST,
    limit: Annotated[int | None, Query(ge=1, le=1 << 31, description="Maximum number of games (default: all).")] = None,
) -> StreamingResponse:
    """Send all games with their moves, one JSON object per line, as they are read.

    All are from one generation of the database. If the connection ends before the transfer does, games are missing.
    """
    found = objects(snapshot, q, sort, limit)
    first = list(islice(found, 1))  # reports invalid requests before anything is sent
    return StreamingResponse(
        _write_lines(chain(first, found)), headers=response.headers, media_type="application/x-ndjson"
    )


@router.get("/games/{game_id}.txt", response_class=PlainTextResponse, responses=describe_responses(404, content=TEXT))
def notation(snapshot: QuerySnapshot, response: Response, game_id: Id) -> PlainTextResponse:
    """Return one game in official notation, with the comments, clocks and variations of its record."""
    with convert_not_found():
        number = find_id(snapshot.connection(), game_id)
    [(_, text)] = write_notations(snapshot, [number])
    if text is None:
        raise Problem(404, "the current readers read the record of this game differently; run zertz recheck")
    return PlainTextResponse(text, headers=response.headers)


@router.get("/games/{game_id}.svg", response_class=Response, responses=describe_responses(400, 404, content=SVG))
def picture(
    snapshot: QuerySnapshot,
    response: Response,
    game_id: Id,
    ply: Annotated[int | None, Query(ge=0, description="Number of plies before the position (default: all).")] = None,
) -> Response:
    """Return the board of a game as an SVG picture, with the captures of both players."""
    with convert_not_found():
        found = course(snapshot, game_id)
    last = len(found.moves)
    if ply is not None and ply > last:
        raise Problem(400, f"the game has {last} plies; ply takes 0 (the start) to {last} (the end)")
    shown = last if ply is None else ply
    drawn = svg(found.position(shown), found.moves[shown - 1] if shown else None, racks=True)
    return Response(drawn, headers=response.headers, media_type="image/svg+xml")


@router.get(
    "/games/{game_id}", response_model=OneGame, responses=describe_responses(404)
)  # last: it would take `ID.txt` for an id
@router.get("/games/{game_id}.json", response_model=OneGame, responses=describe_responses(404))
@write_json(OneGame)
def game(snapshot: QuerySnapshot, game_id: Id) -> dict[str, Any]:
    """Return one game: players, date, result, moves, the findings of its record, and where it leaves all earlier games."""
    with convert_not_found():
        found = game_object(snapshot, game_id)
    return {**_hide_folder(found), "novelty": find_novelty(snapshot, found["id"], found["moves"]).as_json()}


def _write_lines(found: Iterator[dict[str, Any]]) -> Iterator[str]:
    while some := list(islice(found, _LINES_PER_CHUNK)):
        yield "".join(json.dumps(_hide_folder(one), ensure_ascii=False, default=str) + "\n" for one in some)


def _hide_folder(found: dict[str, Any]) -> dict[str, Any]:
    """Return the game with the name of its file only: paths on the server are private."""
    source = found["source"]
    return {**found, "source": re.split(r"[/\\]", source)[-1] if source else source}
