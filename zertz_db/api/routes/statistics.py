"""What many games have in common: statistics, thinking time, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from zertz_db.api.dependencies import FilterText, QuerySnapshot
from zertz_db.api.guards.limits import MAX_FILTER_LENGTH, MAX_ROWS
from zertz_db.api.models import FilterComparison, Named, Table, build_table
from zertz_db.api.openapi_responses import describe_responses
from zertz_db.api.problems import convert_not_found
from zertz_db.queries.insights.comparison import SUBJECTS, Line, compare_filters, require_subject
from zertz_db.queries.insights.dimensions import DIMENSIONS
from zertz_db.queries.insights.metrics import METRICS
from zertz_db.queries.insights.one_insight import find_insight, require_name
from zertz_db.queries.openings.tree import BOARD, RULES
from zertz_db.queries.players.player_list import find_player
from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import GROUPS, Statistic, called
from zertz_db.queries.statistics.registry import STATISTICS
from zertz_db.queries.statistics.thinking_time import TIMES
from zertz_db.store.folder.database import Database

router = APIRouter(tags=["statistics"])

By = Annotated[
    str,
    Query(
        max_length=200,
        description=f"Groups of games: {', '.join(GROUPS)}, separated by commas; era:10 and length:5 have widths. "
        f"Of moves, for tactics: {', '.join(STATISTICS['tactics'].also_by)}.",
        examples=["board,era:5"],
    ),
]
Limit = Annotated[int, Query(ge=1, le=MAX_ROWS, description="Maximum number of rows.")]
Name = Annotated[str, Path(max_length=20, description="Name of the table.", examples=["first-mover"])]
Time = Annotated[str, Path(max_length=20, description="Name of the table.", examples=["phases"])]
MetricName = Annotated[
    str, Path(max_length=20, description=f"Name of the metric: {', '.join(METRICS)}.", examples=["points"])
]
DimensionName = Annotated[
    str,
    Query(
        max_length=20,
        description=f"What divides the games or moves: {', '.join(DIMENSIONS)}; phase divides metrics of moves only.",
        examples=["board"],
    ),
]
Of = Annotated[
    str, Query(max_length=200, description="Player whose sides of games count; empty: all players.", examples=["ada"])
]
SubjectName = Annotated[
    str, Path(max_length=20, description=f"What is compared: {', '.join(SUBJECTS)}.", examples=["first-mover"])
]
ComparedFilter = Annotated[
    str,
    Query(
        max_length=MAX_FILTER_LENGTH, description="Filter of games; empty: all games.", examples=["kind:human-human"]
    ),
]


@router.get("/stats", response_model=list[Named], responses=describe_responses(has_etag=False))
async def list_statistics() -> list[dict[str, str]]:
    """List the tables of `/stats/{name}`."""
    return [{"name": name, "title": one.title} for name, one in STATISTICS.items()]


@router.get("/stats/{name}", response_model=Table, responses=describe_responses(400, 404))
def one_statistic(
    snapshot: QuerySnapshot, q: FilterText, name: Name, by: By = "", limit: Limit = MAX_ROWS
) -> dict[str, Any]:
    """Return a statistic of games: winners, endings, length, captures, leads."""
    return build_table(_require_table(STATISTICS, name)(snapshot, q, _groups(by)), limit)


@router.get("/times", response_model=list[Named], responses=describe_responses(has_etag=False))
async def list_times() -> list[dict[str, str]]:
    """List the tables of `/times/{name}`."""
    return [{"name": name, "title": one.title} for name, one in TIMES.items()]


@router.get("/times/{name}", response_model=Table, responses=describe_responses(400, 404))
def one_time(
    snapshot: QuerySnapshot, q: FilterText, name: Time, by: By = "", limit: Limit = MAX_ROWS
) -> dict[str, Any]:
    """Return a table of thinking times, from records with clocks."""
    return build_table(_require_table(TIMES, name)(snapshot, q, _groups(by)), limit)


@router.get("/insights/{metric}", response_model=Table, responses=describe_responses(400, 404))
def one_insight(
    snapshot: QuerySnapshot,
    q: FilterText,
    metric: MetricName,
    by: DimensionName = "side",
    of: Of = "",
    limit: Limit = MAX_ROWS,
) -> dict[str, Any]:
    """Return the mean of a metric for each group of a dimension, of all players or one, beside the mean of all players."""
    with convert_not_found():
        require_name(METRICS, metric, "metric")
        player = find_player(snapshot.connection(), of).name if of else None
    return build_table(find_insight(snapshot, metric, by, q, player).table, limit)


@router.get("/compare/{subject}", response_model=FilterComparison, responses=describe_responses(400, 404))
def compare(
    snapshot: QuerySnapshot,
    subject: SubjectName,
    a: ComparedFilter = "",
    b: ComparedFilter = "",
    moves: Annotated[
        str, Query(max_length=MAX_FILTER_LENGTH, description="For continuations: moves from the start.")
    ] = "",
    board: Annotated[str, Query(max_length=10, description="For continuations: empty board to start from.")] = BOARD,
    rules: Annotated[str, Query(max_length=40, description="For continuations: rule set.")] = RULES,
    limit: Limit = MAX_ROWS,
) -> dict[str, Any]:
    """Compare the shares of each category in the games of two filters, and test the differences."""
    with convert_not_found():
        require_subject(subject)
    found = compare_filters(snapshot, subject, a, b, Line(moves, board, rules))
    return {
        "title": found.subject.title, "games": found.games, "common": found.common, "table": build_table(found.table, limit)
    }  # fmt: skip


def _require_table(tables: Mapping[str, Statistic], name: str) -> Callable[[Database, str, list[str]], Result]:
    with convert_not_found():
        return called(tables, name).ask


def _groups(by: str) -> list[str]:
    return by.split(",") if by else []
