"""Conditions on the forced wins of games, as SQL; and what part of a database has been analysed for them."""

from __future__ import annotations

from collections.abc import Callable

from zertz_db.plurals import format_count
from zertz_db.queries.filters.ast import All, Either, Negated, Node, Plain, Range
from zertz_db.queries.filters.player_conditions import Condition, all_of, called, one_of
from zertz_db.queries.filters.ranges import within
from zertz_db.queries.filters.trees import parse_filter
from zertz_db.queries.sql_params import execute
from zertz_db.store.folder.database import Database

SEARCHED = "skipped IS NULL"
"""Condition on a row of `_analysis`: the game was searched."""
MISSED = "missed"
BLUNDER = "blunder IS NOT NULL"
TACTIC_PLAYERS = {"missed-by": MISSED, "blunder-by": BLUNDER}
"""By field that names a player, the condition on a row of `_tactic`."""
TACTIC_FIELDS = ("forced", "missed", "blunders", *TACTIC_PLAYERS)
"""Fields that only games with an analysis can match."""
NOT_ANALYSED = "No game has been analysed: run zertz analyse."
_GAMES = "_game.id IN (SELECT game FROM _tactic WHERE {where})"


def forced_within(wanted: Range) -> Condition:
    """Return the condition that a forced win of a number of plies stood at some ply. QueryError for an invalid range."""
    where, values = within("forced", wanted, "plies")
    return _GAMES.format(where=where), values


def missed_within(wanted: Range) -> Condition:
    """Return the condition that a forced win of a number of plies was missed. QueryError for an invalid range."""
    where, values = within("forced", wanted, "plies")
    return _GAMES.format(where=f"{MISSED} AND {where}"), values


def blunders_within(wanted: Range) -> Condition:
    """Return the condition that an analysed game has a number of proven blunders. QueryError for an invalid range."""
    where, values = within("coalesce(blunders, 0)", wanted, "blunders")
    return _BLUNDERS.format(where=where), values


_BLUNDERS = f"""_game.id IN (
    SELECT game FROM _analysis
    LEFT JOIN (SELECT game, count(*) AS blunders FROM _tactic WHERE {BLUNDER} GROUP BY game) USING (game)
    WHERE {SEARCHED} AND {{where}}
)"""

ANALYSED = f"_game.id IN (SELECT game FROM _analysis WHERE {SEARCHED})"


def equal_to(within_range: Callable[[Range], Condition]) -> Callable[[Plain], Condition]:
    """Return the condition of a single number, for a condition of ranges."""
    return lambda value: within_range(Range(value.text, value.text))


def by_player(field: str) -> Callable[[Plain], Condition]:
    """Return the condition of a player's name, for a field of TACTIC_PLAYERS."""

    def ask(value: Plain) -> Condition:
        name = value.text.strip()
        return one_of([all_of([called(side, name), (_BY_SIDE[field].format(side=side), [])]) for side in (1, 2)])

    return ask


_BY_SIDE = {
    field: f"_game.id IN (SELECT game FROM _tactic JOIN _ply USING (game, ply) WHERE {where} AND mover = {{side}})"
    for field, where in TACTIC_PLAYERS.items()
}


def needs_analyses(filters: str) -> bool:
    """Return whether a filter has a term that only analysed games match. QueryError for an invalid filter."""
    return _has_tactic_field(parse_filter(filters))


def _has_tactic_field(node: Node) -> bool:
    if isinstance(node, All | Either):
        return any(map(_has_tactic_field, node.parts))
    if isinstance(node, Negated):
        return _has_tactic_field(node.part)
    return node.field in TACTIC_FIELDS


def describe_coverage(database: Database) -> str | None:
    """Return a sentence on how many games have been analysed for forced wins; None if all have.

    A game that can't be searched, for example because of its written claims, counts as analysed.
    """
    games, analysed = execute(database.connection(), _COVERAGE).fetchall()[0]
    if not analysed:
        return NOT_ANALYSED
    if analysed == games:
        return None
    return f"{analysed:,} of {format_count(games, 'game')} have been analysed for forced wins; zertz analyse searches the others."


_COVERAGE = "SELECT (SELECT count(*) FROM _game), (SELECT count(*) FROM _analysis WHERE game IN (SELECT id FROM _game))"
