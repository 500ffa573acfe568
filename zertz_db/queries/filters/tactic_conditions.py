"""Conditions on the forced wins of games, as SQL."""

from __future__ import annotations

from collections.abc import Callable

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Plain, Range
from zertz_db.queries.filters.player_conditions import Condition, all_of, called, one_of
from zertz_db.queries.filters.ranges import within

SEARCHED = "skipped IS NULL"
"""Condition on a row of `_analysis`: the game was searched."""
MISSED = "missed"
BLUNDER = "blunder IS NOT NULL"
TACTIC_PLAYERS = {"missed-by": MISSED, "blunder-by": BLUNDER}
"""By field that names a player, the condition on a row of `_tactic`."""
TACTIC_FIELDS = ("forced", "missed", "blunders", *TACTIC_PLAYERS)
"""Fields that only games with an analysis can match."""
_GAMES = "_game.id IN (SELECT game FROM _tactic WHERE {where})"


def forced_within(wanted: Range) -> Condition:
    """Return the condition that a forced win of a number of plies stood at some ply. QueryError for an invalid range."""
    where, values = _length_within(wanted)
    return _GAMES.format(where=where), values


def missed_within(wanted: Range) -> Condition:
    """Return the condition that a forced win of a number of plies was missed. QueryError for an invalid range."""
    where, values = _length_within(wanted)
    return _GAMES.format(where=f"{MISSED} AND {where}"), values


def _length_within(wanted: Range) -> Condition:
    """Return the condition on the length of a forced win. QueryError for an even number: no win has that length."""
    condition = within("forced", wanted, "plies", usual=3)
    if wanted.low is not None and wanted.low == wanted.high and int(wanted.low) % 2 == 0:
        plies = int(wanted.low)
        raise QueryError(
            f"no forced win takes {plies} plies: the winner makes the first move and the last, so the number is odd; "
            f"write {plies + 1} or a range"
        )
    return condition


def blunders_within(wanted: Range) -> Condition:
    """Return the condition that an analysed game has a number of proven blunders. QueryError for an invalid range."""
    where, values = within("coalesce(blunders, 0)", wanted, "blunders", usual=1)
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
