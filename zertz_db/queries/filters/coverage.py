"""Count the games of a filter that have been analysed for forced wins; report a database without ratings."""

from __future__ import annotations

from zertz_db.plurals import format_count
from zertz_db.queries.filters.ast import All, Either, Negated, Node
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.rating_conditions import RATING_FIELDS
from zertz_db.queries.filters.tactic_conditions import TACTIC_FIELDS
from zertz_db.queries.filters.trees import parse_filter
from zertz_db.queries.sql_params import execute
from zertz_db.store.folder.database import Database

NOT_ANALYSED = "No game has been analysed: run zertz analyse."
NO_RATINGS = "No game has ratings: they need games with a full date and a result."
_ANALYSED_FIELD = "analysed"


def needs_analyses(filters: str) -> bool:
    """Return whether a filter has a term that only analysed games match. QueryError for an invalid filter."""
    return _has_field(parse_filter(filters), TACTIC_FIELDS)


def describe_missing_ratings(database: Database, filters: str) -> str | None:
    """Return a sentence if a filter asks for ratings and the database has none; else None. QueryError for an invalid filter."""
    if not _has_field(parse_filter(filters), RATING_FIELDS):
        return None
    connection = database.connection()
    return None if connection.execute("SELECT 1 FROM _rating LIMIT 1").fetchall() else NO_RATINGS


def _has_field(node: Node, fields: tuple[str, ...]) -> bool:
    if isinstance(node, All | Either):
        return any(_has_field(part, fields) for part in node.parts)
    if isinstance(node, Negated):
        return _has_field(node.part, fields)
    return node.field in fields


def describe_coverage(database: Database, filters: str = "") -> str | None:
    """Return a sentence on how many games of a filter have been analysed for forced wins; None if all have.

    A filter on forced wins would select analysed games alone: then the games of the whole database are counted. A game that can't be
    searched, for example because of its written claims, counts as analysed. QueryError for an invalid filter.
    """
    is_whole = not filters.strip() or _has_field(parse_filter(filters), (*TACTIC_FIELDS, _ANALYSED_FIELD))
    where, values = condition("" if is_whole else filters)
    games, analysed = execute(database.connection(), _COVERAGE.format(where=where), values).fetchall()[0]
    if analysed == games:
        return None
    if not analysed and is_whole:
        return NOT_ANALYSED
    counted = format_count(games, "game" if is_whole else "matching game")
    return f"{analysed:,} of {counted} {'has' if games == 1 else 'have'} been analysed for forced wins; zertz analyse searches the others."


_COVERAGE = """
    SELECT count(*), count(*) FILTER (id IN (SELECT game FROM _analysis)) FROM _game WHERE {where}
"""
