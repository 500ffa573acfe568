"""Pictures of a position."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from zertz_db.api.dependencies import QuerySnapshot
from zertz_db.api.openapi_responses import PNG, SVG, describe_responses
from zertz_db.api.problems import Problem
from zertz_db.api.routes.explorer import Moves, PositionText
from zertz_db.api.routes.search import EmptyBoard, GameId, Ply, RuleSet
from zertz_db.api.snapshot import Snapshot
from zertz_db.export.pictures.drawing import Look, Theme, draw_frame
from zertz_db.export.pictures.frames import Frame, list_frames
from zertz_db.export.pictures.raster import PicturesMissing, to_png
from zertz_db.queries.games.one_game import course
from zertz_db.queries.openings.line import start_of
from zertz_db.queries.openings.tree import BOARD, RULES

router = APIRouter(tags=["positions"])

Colours = Annotated[Theme, Query(description="Colours.")]
Coordinates = Annotated[bool, Query(description="Name columns and rings at the edge.")]
Letters = Annotated[bool, Query(description="Write W, G, B on the marbles.")]
Racks = Annotated[bool, Query(description="Draw captures and pool below the board.")]
_CACHED = 128
"""Maximum number of PNG images in memory, of about 100 kB each."""


def draw_position(
    snapshot: QuerySnapshot,
    position: PositionText = None,
    moves: Moves = "",
    board: EmptyBoard = BOARD,
    rules: RuleSet = RULES,
    game: GameId = None,
    ply: Ply = None,
    theme: Colours = Theme.light,
    coordinates: Coordinates = True,
    letters: Letters = False,
    racks: Racks = True,
) -> str:
    """Return the SVG picture that the query describes."""
    frame = _find_frame(snapshot, position, moves, board, rules, game, ply)
    return draw_frame(frame, Look(theme, coordinates, letters, racks))


Drawing = Annotated[str, Depends(draw_position)]


@router.get("/picture.svg", response_class=Response, responses=describe_responses(400, content=SVG))
def draw_svg(drawing: Drawing, response: Response) -> Response:
    """Draw a position as an SVG picture, with the last of its `moves` marked.

    The position is the one after `moves` from `position`, from a `game` after `ply` plies, or from an empty board (the default).
    """
    return Response(drawing, headers=response.headers, media_type="image/svg+xml")


@router.get("/picture.png", response_class=Response, responses=describe_responses(400, content=PNG))
def draw_png(
    drawing: Drawing,
    response: Response,
    size: Annotated[int, Query(ge=100, le=1600, description="Width in pixels.")] = 640,
) -> Response:
    """Draw a position as a PNG image; see `/picture.svg`. The server needs the extra `pictures`."""
    try:
        image = _render(drawing, size)
    except PicturesMissing as error:
        raise Problem(503, str(error)) from error
    return Response(image, headers=response.headers, media_type="image/png")


@lru_cache(maxsize=_CACHED)
def _render(drawing: str, size: int) -> bytes:
    return to_png(drawing, size)


def _find_frame(
    snapshot: Snapshot, position: str | None, moves: str, board: str, rules: str, game: str | None, ply: int | None
) -> Frame:
    if (position and game) or (ply is not None and not game):
        raise Problem(400, "give one start: position, or game with ply")
    if not game:
        return list_frames(start_of(position, board, rules), moves)[-1]
    played = course(snapshot, game)
    start = played.position(ply)
    last = len(played.moves) if ply is None else ply
    return list_frames(start, moves, played.moves[last - 1] if last else None)[-1]
