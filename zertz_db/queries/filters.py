"""Which games are meant: filters as values, and the SQL condition that they make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TypeAlias

from zertz_db.queries.binding import Value
from zertz_db.queries.dates import days
from zertz_db.queries.errors import QueryError
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.ruleset import RULE_SETS

BOARDS = (*STANDARD_BOARDS, "custom")
RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "*")
ENDINGS = ("set", "board-filled", "resign", "time", "agreed", "repetition", "both-lose", "abandoned", "no-move")
VERDICTS = ("verified", "unfinished")

_CHOICES = {
    "board": BOARDS,
    "rule_set": tuple(RULE_SETS),
    "result": RESULTS,
    "ending": ENDINGS,
    "verdict": VERDICTS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What games must be like; what is None does not matter.

    player: played, on either side. first, second: moved first, second. versus: the opponent of `player`. Names are
    compared whole, capital and small letters alike; `*` stands for any letters. since, until: dates as `dates.days`
    reads them; a game whose date is not known to the day is in when it may lie in the range. source: a part of the
    path of a file where the game was found. board, rule_set, result (`*`: none), ending, verdict: one of BOARDS, ….
    """

    player: str | None = None
    first: str | None = None
    second: str | None = None
    versus: str | None = None
    since: str | None = None
    until: str | None = None
    board: str | None = None
    rule_set: str | None = None
    result: str | None = None
    ending: str | None = None
    verdict: str | None = None
    source: str | None = None

    @property
    def any(self) -> bool:
        """Whether anything is asked for."""
        return any(getattr(self, field.name) is not None for field in fields(self))


Asked: TypeAlias = Filters | str
"""Which games are meant: `Filters`, or a text in the filter language; an empty one means all."""


def condition(filters: Asked) -> tuple[str, list[Value]]:
    """A condition on rows of the table `_game`, and its parameters. QueryError for a value that no game can have."""
    if isinstance(filters, str):
        if filters.strip():
            raise QueryError(f"the filter language is not there yet: {filters}")
        filters = Filters()
    parts = list(_parts(filters))
    return " AND ".join(text for text, _ in parts) or "true", [value for _, values in parts for value in values]


def _parts(filters: Filters) -> Iterator[tuple[str, list[Value]]]:
    yield from _players(filters)
    yield from _dates(filters)
    for name, choices in _CHOICES.items():
        value = getattr(filters, name)
        if value is None:
            continue
        if value not in choices:
            raise QueryError(f"no game has the {name.replace('_', ' ')} {value!r}; there are {', '.join(choices)}")
        if value == "*":
            yield "coalesce(result, '*') = '*'", []
        else:
            yield f"{name} = ?", [value]
    if filters.source is not None:
        if not filters.source.strip():
            raise QueryError("a part of a path can't be empty; leave the source out for any game")
        yield f"_game.id IN ({_FOUND_IN})", [filters.source]


def _players(filters: Filters) -> Iterator[tuple[str, list[Value]]]:
    if filters.versus is not None and filters.player is None:
        raise QueryError("an opponent needs a player: say whose opponent is meant")
    if filters.versus is not None:
        one, other = _pattern(filters.player), _pattern(filters.versus)
        yield f"(({_IS_FIRST} AND {_IS_SECOND}) OR ({_IS_FIRST} AND {_IS_SECOND}))", [one, other, other, one]
    elif filters.player is not None:
        yield f"({_IS_FIRST} OR {_IS_SECOND})", [_pattern(filters.player)] * 2
    if filters.first is not None:
        yield _IS_FIRST, [_pattern(filters.first)]
    if filters.second is not None:
        yield _IS_SECOND, [_pattern(filters.second)]


_FOUND_IN = "SELECT game FROM _record JOIN _source ON _source.id = source WHERE contains(lower(path), lower(?))"
_IS_FIRST = r"lower(player1) LIKE lower(?) ESCAPE '\'"
_IS_SECOND = r"lower(player2) LIKE lower(?) ESCAPE '\'"


def _pattern(name: str | None) -> str:
    """A name as a pattern of SQL's LIKE: only `*` has a meaning."""
    plain = (name or "").strip()
    if not plain:
        raise QueryError("a player's name can't be empty; leave it out for any game, or write * for any name")
    escaped = "".join(f"\\{sign}" if sign in "\\%_" else sign for sign in plain)
    return escaped.replace("*", "%")


def _dates(filters: Filters) -> Iterator[tuple[str, list[Value]]]:
    since = days(filters.since)[0] if filters.since is not None else None
    until = days(filters.until)[1] if filters.until is not None else None
    if since and until and since > until:
        raise QueryError(f"the range of dates is empty: {filters.since} comes after {filters.until}")
    if since:
        yield "date_to >= ?", [since]
    if until:
        yield "date_from <= ?", [until]
