"""Statistics of game length."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import Measure, grouped, span, with_shares
from zertz_db.store.folder.database import Database

_WIDTH = 5  # plies


def lengths(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """The lengths of games that have an end, in plies; games without one count apart."""
    return grouped(database, filters, by, _LENGTHS)


def histogram(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """How many games that have an end are of each length: a row for every five plies."""
    found = grouped(database, filters, by, _COUNTS, where=_ENDED, divided=[_PLIES])
    return with_shares(found, "games", "of", "share of games so long")


_ENDED = "ending IS NOT NULL"
_QUANTILES = (
    ("q10", "a tenth", 0.1),
    ("q25", "a quarter", 0.25),
    ("q50", "half", 0.5),
    ("q75", "three quarters", 0.75),
    ("q90", "nine tenths", 0.9),
)
_LENGTHS = (
    Measure("games", "games that have an end", f"count(*) FILTER ({_ENDED})"),
    Measure("unfinished", "games without an end, not looked at", f"count(*) FILTER (NOT {_ENDED})"),
    Measure("mean", "mean length in plies", f"round(avg(plies) FILTER ({_ENDED}), 2)"),
    Measure("shortest", "plies of the shortest game", f"min(plies) FILTER ({_ENDED})"),
    *(
        Measure(
            name,
            f"{part} of the games have at most this number of plies",
            f"quantile_disc(plies, {share}) FILTER ({_ENDED})",
        )
        for name, part, share in _QUANTILES
    ),
    Measure("longest", "plies of the longest game", f"max(plies) FILTER ({_ENDED})"),
)
_PLIES = span("plies", "from so many plies to so many", "plies", _WIDTH)
_COUNTS = (
    Measure("games", "games of this length", "count(*)"),
    Measure("of", "games of the group that have an end", "(sum(count(*)) OVER ({group}))::BIGINT"),
)
