"""Forced wins kept and missed by one player."""

from __future__ import annotations

import duckdb

from zertz_db.queries.filters.tactic_conditions import SEARCHED
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.tactics.measures import MEASURES
from zertz_db.queries.wilson import ENOUGH, share

_SHOWN = ("games", "chances", "kept", "missed", "of", "free", "blunders", "per_100", "accuracies", "accuracy")
_TALLY = """
    SELECT {measures} FROM (
        SELECT *, coalesce(found, 0) AS forced, CASE side WHEN 1 THEN accuracy1 ELSE accuracy2 END AS accuracy
        FROM (SELECT game, side FROM {player_games})
        JOIN (SELECT game, accuracy1, accuracy2 FROM _analysis WHERE {searched}) USING (game)
        JOIN (SELECT game, ply, mover AS side, kind = 'placement' AND NOT forced AS free FROM _ply) USING (game, side)
        LEFT JOIN (SELECT game, ply, forced AS found, kept, missed, only_move, blunder FROM _tactic) USING (game, ply)
    ) HAVING count(*) > 0
"""


def tally_tactics(connection: duckdb.DuckDBPyConnection, player_games: str) -> Result:
    """Count forced wins and blunders over player games: SQL of a table with `game` and `side`. No row without an analysed game.

    The columns are those of the statistic `tactics`; the share of kept chances needs 10 chances, blunders per 100 free moves 10 of
    these, and the accuracy 10 games with one.
    """
    measures = [one for one in MEASURES if one.name in _SHOWN]
    columns = ", ".join(f"{one.sql} AS {one.name}" for one in measures)
    found = run_query(connection, _TALLY.format(measures=columns, player_games=player_games, searched=SEARCHED))
    rows = [
        (*row, *(share(counts["kept"], counts["of"]) or (None, None, None)))
        for row, counts in zip(found.rows, found.dicts(), strict=True)
    ]
    described = (*(Column(one.name, one.meaning) for one in measures), *_SHARE)
    return Result(described, rows)


_SHARE = (
    Column("share", f"share of these chances that were kept, from 0 to 1; empty for fewer than {ENOUGH}"),
    Column("low", "the true share is above this with 97.5 % confidence (Wilson's interval)"),
    Column("high", "the true share is below this with 97.5 % confidence (Wilson's interval)"),
)
