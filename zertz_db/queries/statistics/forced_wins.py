"""Statistics of forced wins: chances, missed wins, proven blunders and only moves, in the games that were analysed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.tactic_conditions import SEARCHED
from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import GROUPS, Group, Measure, grouped, with_shares
from zertz_db.queries.tactics.measures import MEASURES
from zertz_db.store.folder.database import Database
from zertz_db.store.ratings.model import KNOWN

RATING_BOUNDS = (1400, 1600, 1800, 2000)
"""Ratings at which a new group of players begins."""
PHASE = 10
"""Number of plies of the first two phases."""


def count_forced_wins(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Count forced wins kept and missed, proven blunders and only moves, by all players of the analysed games.

    by: groups of games, and those of PLY_GROUPS: they divide the moves by the player who made them, and by time.
    """
    names = [name.strip() for name in by]
    divided = [PLY_GROUPS[name] for name in names if name in PLY_GROUPS]
    if len(set(divided)) < len(divided):
        raise QueryError(f"name each group once: {', '.join(sorted({one.name for one in divided}))}")
    of_games = [name for name in names if name not in PLY_GROUPS]
    found = grouped(
        database,
        filters,
        _require_groups(of_games),
        [Measure(*one) for one in MEASURES if "phase" not in names or one.name not in _OF_WHOLE_GAMES],
        source="moved",
        tables=_MOVED.format(movers=_MOVERS if {"player", "mover-kind"} & {*names} else "", rated=_RATED * ("rating" in names)),
        divided=divided,
    )  # fmt: skip
    return with_shares(found, "kept", "of", "share of these chances that were kept")


def _require_groups(names: list[str]) -> list[str]:
    """Return the names of groups of games. QueryError for one that is not known here."""
    for name in names:
        if name.partition(":")[0] not in GROUPS:
            raise QueryError(f"moves can't be divided by {name!r}; valid: {', '.join((*GROUPS, *PLY_GROUPS))}")
    return names


_OF_WHOLE_GAMES = ("accuracies", "accuracy")
_BANDS = " ".join(f"WHEN rating < {bound} THEN {bound}" for bound in RATING_BOUNDS)
_LAST = RATING_BOUNDS[-1]
_BETWEEN = " ".join(f"WHEN {high} THEN '{low}-{high - 1}'" for low, high in pairwise(RATING_BOUNDS))
PLY_GROUPS = {
    group.name: group
    for group in (
        Group("player", "the player who moved, under the chief name; empty where the record names none", "player"),
        Group(
            "rating",
            f"the rating of the player who moved before the game; empty above a deviation of {KNOWN}, and for games without a full date",
            f"CASE WHEN rating IS NULL THEN NULL {_BANDS} ELSE {_LAST + 1} END",
            f"CASE {{key}} WHEN {RATING_BOUNDS[0]} THEN '<{RATING_BOUNDS[0]}' {_BETWEEN} WHEN {_LAST + 1} THEN '>={_LAST}' END",
        ),
        Group(
            "phase",
            "the number of plies before the move",
            f"least(ply // {PHASE}, 2) * {PHASE}",
            f"CASE {{key}} WHEN {2 * PHASE} THEN '{2 * PHASE}+' ELSE {{key}} || '-' || ({{key}} + {PHASE - 1}) END",
        ),
        Group("mover", "first or second: who moved", "mover", "CASE {key} WHEN 1 THEN 'first' ELSE 'second' END"),
        Group("mover-kind", "human, bot or guest: who moved; empty where that is not known", "player_kind"),
    )
}
"""Groups of moves by name: further ones of this statistic."""

_MOVERS = """
    LEFT JOIN (
        SELECT id AS game, 1 AS mover, player1 AS called FROM _game UNION ALL SELECT id, 2, player2 FROM _game
    ) USING (game, mover)
    LEFT JOIN (
        SELECT _alias.name AS called, _player.name AS player, _player.kind AS player_kind
        FROM _alias JOIN _player ON _player.id = player WHERE status = 'accepted'
    ) USING (called)
"""
KNOWN_RATINGS = f"""
    SELECT game, 1 AS mover, rating1 AS rating FROM _rating WHERE deviation1 <= {KNOWN}
    UNION ALL SELECT game, 2, rating2 FROM _rating WHERE deviation2 <= {KNOWN}
"""
"""SQL of the ratings before games that are known well (KNOWN): game, mover, rating."""
_RATED = f"LEFT JOIN ({KNOWN_RATINGS}) USING (game, mover)"
_MOVED = f"""
    moved AS (
        SELECT *, coalesce(found, 0) AS forced, CASE mover WHEN 1 THEN accuracy1 ELSE accuracy2 END AS accuracy
        FROM chosen
        JOIN (SELECT game, accuracy1, accuracy2 FROM _analysis WHERE {SEARCHED}) USING (game)
        JOIN (SELECT game, ply, mover, kind = 'placement' AND NOT forced AS free FROM _ply) USING (game)
        LEFT JOIN (SELECT game, ply, forced AS found, kept, missed, only_move, blunder FROM _tactic) USING (game, ply)
        {{movers}} {{rated}}
    )
"""
