"""Search within results: several searches, each among the games that the ones before it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import duckdb

from zertz_db.queries.errors import QueryError
from zertz_db.queries.search.few_matches import collect_found
from zertz_db.queries.search.matches import LIMIT, Found, Orientation, require_limit
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.positions import MODES
from zertz_db.queries.search.targets import list_columns, match_target, parse_target
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

PATTERN, REACHABLE = "pattern", "reachable"
SAME = ("pool", "captures", "side")
"""What can be required to be equal, besides rings and marbles."""
MAX_SEARCHES = 12
"""Maximum number of searches within each other."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search: a target, how it matches (`pattern`, `reachable` or one of `positions.MODES`), and which of SAME must be equal.

    Its text has the mode and the names of SAME with dots between them, then the target.

    >>> str(Search("W o / B", "pattern")), str(parse_search("exact.side 37 standard ...").same)
    ('pattern W o / B', "('side',)")
    """

    what: str
    mode: str
    same: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{'.'.join((self.mode, *self.same))} {self.what}"

    @property
    def target(self) -> Position | Pattern:
        """Return the position or pattern. QueryError for an invalid text, and for a text of the other kind."""
        target = parse_target(self.what)
        if isinstance(target, Pattern) != (self.mode == PATTERN):
            raise QueryError(
                f"a {'pattern' if isinstance(target, Pattern) else 'position'} is not found by {self.mode!r}"
            )
        return target


def parse_search(text: str) -> Search:
    """Return the search of a text. QueryError for an invalid mode or option; the target is parsed later."""
    head, _, what = text.strip().partition(" ")
    mode, *same = head.split(".")
    if mode not in (PATTERN, REACHABLE, *MODES):
        raise QueryError(f"a search begins with one of {', '.join((PATTERN, REACHABLE, *MODES))}, not {mode!r}")
    if unknown := [name for name in same if name not in SAME]:
        raise QueryError(f"{unknown[0]!r} can't be required to be equal; valid: {', '.join(SAME)}")
    return Search(what.strip(), mode, tuple(same))


def find_within(
    database: Database,
    searches: Sequence[str],
    filters: str = "",
    *,
    every: bool = False,
    limit: int | None = LIMIT,
    offset: int = 0,
) -> Found:
    """Find the matches of the last search in the games that pass the filters and all searches.

    searches: texts, see `Search`. The order of the others is irrelevant. every, limit: as for `find_pattern`. offset: number of
    matches to leave out before the first one listed. QueryError for an invalid search, and for none or too many.
    """
    require_limit(limit)
    require_limit(offset)
    if not 1 <= len(searches) <= MAX_SEARCHES:
        raise QueryError(f"give 1 to {MAX_SEARCHES} searches, not {len(searches)}")
    parsed = [parse_search(text) for text in searches]
    targets = [search.target for search in parsed]
    connection = database.connection()
    condition = "true"
    for search, target in zip(parsed[:-1], targets[:-1], strict=True):
        _match(database, connection, search, target, filters, condition)
        connection.execute(_NARROW)
        condition = _NARROWED
    orientation = _match(database, connection, parsed[-1], targets[-1], filters, condition)
    return collect_found(
        database, connection, orientation, list_columns(targets[-1], parsed[-1].mode), every, limit, offset
    )


def _match(
    database: Database,
    connection: duckdb.DuckDBPyConnection,
    search: Search,
    target: Position | Pattern,
    filters: str,
    condition: str,
) -> Callable[[int], Orientation]:
    same = dict.fromkeys(search.same, True)
    return match_target(database, connection, target, search.mode, filters, condition=condition, **same)


_NARROW = "CREATE OR REPLACE TEMP TABLE found_before AS SELECT DISTINCT game FROM found"
_NARROWED = "game IN (SELECT game FROM found_before)"
"""Condition that a game has a match of every search before."""
