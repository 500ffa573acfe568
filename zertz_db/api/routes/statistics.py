"""What many games have in common: statistics, thinking time, tournaments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from zertz_db.api.answers import answers
from zertz_db.api.limits import MOST_ROWS
from zertz_db.api.models import Named, Table, table
from zertz_db.api.problems import missing
from zertz_db.api.service import Asked, Words
from zertz_db.queries import tournaments
from zertz_db.queries.result import Result
from zertz_db.queries.statistics import STATISTICS
from zertz_db.queries.statistics_groups import GROUPS, Statistic, called
from zertz_db.queries.times import TIMES
from zertz_db.store.opening import Database

router = APIRouter(tags=["statistics"])

By = Annotated[
    str,
    Query(
        max_length=200,
        description=f"Divide the games: {', '.join(GROUPS)}, with commas between them; era:10 and length:5 have spans.",
        examples=["board,era:5"],
    ),
]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="At most so many rows.")]
Name = Annotated[str, Path(max_length=20, description="The table's name.", examples=["first-mover"])]
Time = Annotated[str, Path(max_length=20, description="The table's name.", examples=["phases"])]
Tournament = Annotated[str, Path(max_length=200, description="The tournament's name.", examples=["tournament 2010.05"])]


@router.get("/stats", response_model=list[Named], responses=answers(kept=False))
async def list_statistics() -> list[dict[str, str]]:
    """The tables that `/stats/{name}` has."""
    return [{"name": name, "title": one.title} for name, one in STATISTICS.items()]


@router.get("/stats/{name}", response_model=Table, responses=answers(400, 404))
def one_statistic(asked: Asked, q: Words, name: Name, by: By = "", limit: Limit = MOST_ROWS) -> dict[str, Any]:
    """A table about games: who wins, how games end, how long they are, captures, leads."""
    return table(_asked(STATISTICS, name)(asked, q, _groups(by)), limit)


@router.get("/times", response_model=list[Named], responses=answers(kept=False))
async def list_times() -> list[dict[str, str]]:
    """The tables that `/times/{name}` has."""
    return [{"name": name, "title": one.title} for name, one in TIMES.items()]


@router.get("/times/{name}", response_model=Table, responses=answers(400, 404))
def one_time(asked: Asked, q: Words, name: Time, by: By = "", limit: Limit = MOST_ROWS) -> dict[str, Any]:
    """A table about thinking time, where records have clocks."""
    return table(_asked(TIMES, name)(asked, q, _groups(by)), limit)


@router.get("/tournaments", response_model=Table, responses=answers(400))
def list_tournaments(asked: Asked, q: Words, limit: Limit = 100) -> dict[str, Any]:
    """The tournaments, the latest first."""
    return table(tournaments.tournaments(asked, q), limit)


@router.get("/tournaments/{name:path}", response_model=Table, responses=answers(400, 404))
def one_tournament(asked: Asked, q: Words, name: Tournament) -> dict[str, Any]:
    """The crosstable of a tournament."""
    with missing():
        return table(tournaments.crosstable(asked, name, q), MOST_ROWS)


def _asked(tables: Mapping[str, Statistic], name: str) -> Callable[[Database, str, list[str]], Result]:
    with missing():
        return called(tables, name).ask


def _groups(by: str) -> list[str]:
    return by.split(",") if by else []
