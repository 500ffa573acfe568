"""Search targets: a position or a pattern, and the way in which it matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import duckdb

from zertz_db.parser.vocabulary.board_names import board_named
from zertz_db.queries.result import Column
from zertz_db.queries.search import patterns, positions
from zertz_db.queries.search.matches import Orientation
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.patterns import match_pattern, reachable
from zertz_db.queries.search.positions import as_position, match_position
from zertz_db.queries.search.scans.sources import PatternSearch
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database


def parse_target(target: Position | Pattern | str) -> Position | Pattern:
    """Return the position or pattern that a text describes: a position begins with a board's name. QueryError."""
    if not isinstance(target, str):
        return target
    is_position = board_named(target.strip().partition(" ")[0]) is not None
    return as_position(target) if is_position else parse_pattern(target)


def match_target(
    database: Database,
    connection: duckdb.DuckDBPyConnection,
    target: Position | Pattern,
    mode: str,
    filters: str = "",
    *,
    condition: str = "true",
    pool: bool = False,
    captures: bool = False,
    side: bool = False,
) -> Callable[[int], Orientation]:
    """Create the temporary view `found` of all matches, as `collect` takes it; return its orientations by their numbers.

    mode: how a position matches, one of `positions.MODES` or `reachable`. condition: on rows of `_position`. pool, captures, side: as
    for `find_position`; patterns and `reachable` ignore them.
    """
    if isinstance(target, Pattern):
        return match_pattern(connection, PatternSearch(target, filters, condition), database)
    if mode == "reachable":
        search = reachable(target, filters)
        search = search._replace(condition=f"{search.condition} AND {condition}")
        return match_pattern(connection, search, database)
    return match_position(
        connection, target, mode, filters, pool=pool, captures=captures, side=side, condition=condition
    )


def list_columns(target: Position | Pattern, mode: str) -> Sequence[Column]:
    """Return the columns that a search adds to its hits."""
    return patterns.COLUMNS if isinstance(target, Pattern) or mode == "reachable" else positions.COLUMNS
