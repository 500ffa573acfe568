"""One insight: the mean of a metric for each group of a dimension, beside the mean of all players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple, TypeVar

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.coverage import describe_coverage, describe_missing_ratings
from zertz_db.queries.filters.terms import join_filters, write_term
from zertz_db.queries.insights.dimensions import DIMENSIONS, Dimension
from zertz_db.queries.insights.metrics import METRICS, Metric
from zertz_db.queries.insights.tables import write_tables
from zertz_db.queries.players.player_list import Player, find_player
from zertz_db.queries.result import Column, Result
from zertz_db.queries.sql_params import execute
from zertz_db.queries.wilson import ENOUGH, Rounded, Z, share
from zertz_db.store.folder.database import Database

TOO_FEW = "too few games"
"""Note of a group without a mean."""
NO_CLOCKS = "None of these games has clocks of known direction."

Row = TypeVar("Row")


class Mean(NamedTuple):
    """A mean with its interval of 95 % confidence; None for fewer than ENOUGH games.

    games: games with a value. number: values. percentile: share of other players with a lower mean, a tie counting half, from 0 to 1;
    None for all players together, and for fewer than ENOUGH other players. players: number of these.
    """

    games: int
    number: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    percentile: float | None = None
    players: int = 0


@dataclass(frozen=True, slots=True)
class Insight:
    """A metric by a dimension.

    player: whose games were counted; None for all players. title: the metric, and whose it is. table: a row for each group, see its
    columns. total: all groups together. field: the mean of all players in the games that pass the filter, None for too few games.
    coverage: how many games could be counted, and what to run for more; None if all could.
    """

    metric: Metric
    dimension: Dimension
    player: Player | None
    title: str
    table: Result
    total: Mean
    field: float | None
    coverage: str | None


class _Sums(NamedTuple):
    """Sums over the values of one group, or of all (is_total), of one player, or of all (is_of_all)."""

    is_total: int
    is_of_all: int
    key: Any
    label: str | None
    player: int | None
    is_ranked: bool
    games: int
    number: int
    mean: float | None
    variance: float | None


def find_insight(database: Database, metric: str, by: str, filters: str = "", player: str | None = None) -> Insight:
    """Return the mean of a metric for each group of a dimension, in the games that pass the filter.

    metric, by: names of METRICS and DIMENSIONS. player: count this player's sides of games only; the field's mean is then that of all
    players in each group, and the percentile the player's place among the players with ENOUGH games in it. Without a player, metrics that
    are mirrored between the sides count for the first mover, unless the dimension tells the sides apart. Means need ENOUGH games.
    QueryError for an unknown name, an invalid filter, and a metric of games that is divided by moves.
    """
    measured, divided = require_name(METRICS, metric, "metric"), require_name(DIMENSIONS, by, "dimension")
    if divided.of_moves and not measured.of_moves:
        of_moves = ", ".join(name for name, one in METRICS.items() if one.of_moves)
        raise QueryError(f"{metric} is a metric of whole games, which {by} can't divide; valid: {of_moves}")
    connection = database.connection()
    one = find_player(connection, player) if player else None
    is_first = one is None and measured.of_games and not divided.of_sides
    sums = _add_up(database, measured, divided, filters, one, "mover = 1" if is_first else "true")
    field = next((row.mean for row in sums if row.is_total and row.is_of_all and row.games >= ENOUGH), None)
    shown, total = _rows(measured, divided, sums, one, field)
    whose = f" of {one.name}" if one else " of the first mover" if is_first and metric == "points" else ""
    return Insight(
        measured,
        divided,
        one,
        f"{measured.title}{whose} by {divided.title}",
        Result(_columns(measured, divided, one), shown),
        total,
        field,
        " ".join(filter(None, _describe_coverage(database, measured, divided, filters, one, total))) or None,
    )


def require_name(known: Mapping[str, Row], name: str, noun: str) -> Row:
    """Return the metric or the dimension (noun) of this name. QueryError for an unknown name, with the valid ones."""
    if name not in known:
        raise QueryError(f"unknown {noun} {name!r}; valid: {', '.join(known)}")
    return known[name]


def _add_up(
    database: Database, metric: Metric, dimension: Dimension, filters: str, player: Player | None, counted: str
) -> list[_Sums]:
    """Return sums for each group and for all groups; with a player, also those of each player but guests."""
    where, values = condition(filters)
    source = f"{metric.source} {dimension.join}"
    tables = write_tables(database, where, values, source)
    connection = database.connection()
    sets, of = "(divided_by), ()", "1, NULL"
    if player is not None:
        sets, of = f"{sets}, (divided_by, player), (player)", "grouping(player), player"
    is_of_all, whose = of.split(", ")
    sql = f"""
        WITH {tables}, valued AS (
            SELECT {dimension.group.key} AS divided_by, player, own_kind <> 'guest' AS is_ranked, game, ({metric.value})::DOUBLE AS value
            FROM {source} WHERE {counted}
        )
        SELECT grouping(divided_by), {is_of_all}, divided_by, {dimension.group.label.format(key="divided_by")}, {whose},
            coalesce(any_value(is_ranked), false), count(DISTINCT game) FILTER (value IS NOT NULL), count(value), avg(value),
            var_samp(value)
        FROM valued GROUP BY GROUPING SETS ({sets})
    """
    return [_Sums(*row) for row in execute(connection, sql, values).fetchall()]


def _rows(
    metric: Metric, dimension: Dimension, sums: list[_Sums], player: Player | None, field: float | None
) -> tuple[list[tuple[Any, ...]], Mean]:
    """Return the rows of the table, and the mean of all groups together."""
    of_all = {(row.is_total, row.key): row for row in sums if row.is_of_all}
    of_players = [row for row in sums if not row.is_of_all and row.player is not None]
    own = of_all if player is None else {(row.is_total, row.key): row for row in of_players if row.player == player.id}
    ranked: dict[Any, list[_Sums]] = defaultdict(list)
    for row in of_players:
        if row.games >= ENOUGH and row.is_ranked:
            ranked[row.is_total, row.key].append(row)
    means = {place: _mean(metric, row, ranked[place]) for place, row in own.items()}
    rows = []
    for place in sorted(own.keys() - {(1, None)}, key=_order(dimension, own)):
        mean, around = means[place], of_all[place]
        beside = field if player is None else around.mean if around.games >= ENOUGH else None
        note = TOO_FEW if mean.mean is None else None
        compared = () if player is None else (_rounded(mean.percentile), mean.players)
        if mean.number or around.number:
            values = map(_rounded, (mean.mean, mean.low, mean.high, beside))
            rows.append((own[place].label, mean.games, mean.number, *values, *compared, note))
    return rows, means.get((1, None), Mean(0, 0))


def _order(dimension: Dimension, own: Mapping[tuple[int, Any], _Sums]) -> Any:
    """Return a sort key of groups: unknown last; most games first, or by the group's key."""

    def key(place: tuple[int, Any]) -> tuple[Any, ...]:
        row = own[place]
        if row.key is None:
            return True, 0, ""
        return (False, -row.games, row.key) if dimension.is_ranked else (False, row.key, "")

    return key


def _mean(metric: Metric, row: _Sums, others: list[_Sums]) -> Mean:
    """Return the mean of a group with its interval (Wilson for shares, by the standard error for others) and its percentile."""
    if row.games < ENOUGH or row.mean is None:
        return Mean(row.games, row.number)
    if metric.is_share:
        found = share(row.mean * row.number, row.number)
        low, high = (found.low, found.high) if found else (None, None)
    else:
        error = Z * sqrt(max(row.variance or 0.0, 0.0) / row.number)
        low, high = row.mean - error, row.mean + error
    compared = [other.mean for other in others if other.player != row.player and other.mean is not None]
    if row.is_of_all or len(compared) < ENOUGH:
        return Mean(row.games, row.number, row.mean, low, high, None, 0 if row.is_of_all else len(compared))
    lower = sum(1.0 if other < row.mean else 0.5 if other == row.mean else 0.0 for other in compared)
    return Mean(row.games, row.number, row.mean, low, high, lower / len(compared), len(compared))


def _rounded(value: float | None) -> float | None:
    return None if value is None else Rounded(value)


def _columns(metric: Metric, dimension: Dimension, player: Player | None) -> tuple[Column, ...]:
    counted = "moves or games with a value" if metric.of_moves else "sides of games with a value"
    unit = "from 0 to 1" if metric.is_share else f"in {metric.unit}"
    whose = "all players in the games of the group" if player else "all groups together"
    return (
        Column(dimension.name, dimension.group.meaning),
        Column("games", "games with a value"),
        Column("count", counted),
        Column(
            "share" if metric.is_share else "mean", f"{metric.meaning}; {unit}; empty for fewer than {ENOUGH} games"
        ),
        Column("low", "the true mean is above this with 97.5 % confidence"),
        Column("high", "the true mean is below this with 97.5 % confidence"),
        Column("field", f"the mean of {whose}"),
        *_PLAYER_COLUMNS * (player is not None),
        Column("note", f"{TOO_FEW}: there is no mean"),
    )


_PLAYER_COLUMNS = (
    Column(
        "percentile",
        f"share of the other players with {ENOUGH} or more games in the group whose mean is lower, a tie counting half; empty for fewer "
        f"than {ENOUGH} of these players",
    ),
    Column("players", "number of these players"),
)


def _describe_coverage(
    database: Database, metric: Metric, dimension: Dimension, filters: str, player: Player | None, total: Mean
) -> Iterator[str | None]:
    """Yield sentences on the games that could be counted, for metrics and dimensions that not all games have."""
    if metric.needs == "analysis":
        text = join_filters(write_term("player", player.name), filters) if player else filters
        yield describe_coverage(database, text)
    if metric.needs == "clocks":
        yield f"{total.games:,} of these games have clocks of known direction." if total.games else NO_CLOCKS
    if "rated" in dimension.join:
        yield describe_missing_ratings(database, _ANY_RATING)


_ANY_RATING = "rating:>=0"
"""A filter that asks for ratings."""
