"""Filters on who played, as SQL: names through their aliases, opponents, kinds of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.queries.binding import Value
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filter_tree import Plain, Range, Term

Condition = tuple[str, list[Value]]
"""SQL that is true of a row of `_game`, and its parameters; NULL counts as not true."""

KINDS = ("human", "bot", "guest")


class Seat(NamedTuple):
    """A way for a player to be in a game: as this side, under this condition."""

    side: int
    outcome: str = "true"


SEATS = {
    "player": (Seat(1), Seat(2)),
    "first": (Seat(1),),
    "second": (Seat(2),),
    "won": (Seat(1, "winner = 1"), Seat(2, "winner = 2")),
    "lost": (Seat(1, "winner = 2"), Seat(2, "winner = 1")),
}
"""The fields that name a player."""

_LIKE = r"lower({column}) LIKE lower(?) ESCAPE '\'"
_NAME = _LIKE.format(column="name")
_NAMES = f"""
    SELECT name FROM _alias WHERE {_NAME} UNION ALL
    SELECT same.name FROM _alias same WHERE same.status = 'accepted' AND same.player IN (
        SELECT player FROM _alias WHERE status = 'accepted' AND {_NAME} UNION ALL SELECT id FROM _player WHERE {_NAME}
    )"""
"""The names that fit a pattern, and all accepted names of the players that one of them means."""

_OF_KIND = "SELECT a.name FROM _alias a JOIN _player p ON p.id = a.player WHERE a.status = 'accepted' AND p.kind = ?"


def one_of(conditions: Sequence[Condition]) -> Condition:
    """Whether one of them is true."""
    return _joined(" OR ", conditions)


def all_of(conditions: Sequence[Condition]) -> Condition:
    """Whether all of them are true."""
    return _joined(" AND ", conditions) if conditions else ("true", [])


def _joined(word: str, conditions: Sequence[Condition]) -> Condition:
    if len(conditions) == 1:
        return conditions[0]
    return f"({word.join(text for text, _ in conditions)})", [value for _, values in conditions for value in values]


def like(text: str) -> str:
    """A text as a pattern of SQL's LIKE: only `*` has a meaning."""
    escaped = "".join(f"\\{sign}" if sign in "\\%_" else sign for sign in text.strip())
    return escaped.replace("*", "%")


def fits(column: str, pattern: str) -> Condition:
    """Whether a column is like a pattern, capital and small letters alike."""
    return _LIKE.format(column=column), [pattern]


def called(side: int, pattern: str) -> Condition:
    """Whether a player's name, or another name of his, is like a pattern."""
    return f"player{side} IN ({_NAMES})", [pattern] * _NAMES.count("?")


def seated(field: str, value: Plain | Range) -> Condition:
    """Whether a player of that name played as the field says."""
    name = pattern(value)
    return one_of([all_of([called(seat.side, name), *_outcome(seat)]) for seat in SEATS[field]])


def opposed(player: Term, opponent: Plain | Range) -> Condition:
    """Whether a player whom a term names played against such an opponent."""
    other = pattern(opponent)
    return one_of(
        [
            all_of([called(seat.side, pattern(value)), called(3 - seat.side, other), *_outcome(seat)])
            for value in player.values
            for seat in SEATS[player.field]
        ]
    )


def of_kind(value: Plain) -> Condition:
    """Whether a player is of a kind; with two kinds, `human-bot`, whether one is of the one and the other of the other."""
    kinds = value.text.casefold().split("-")
    if not 1 <= len(kinds) <= 2 or any(kind not in KINDS for kind in kinds):
        raise QueryError(
            f"no players are of the kind {value.text!r}; there are {', '.join(KINDS)}, and for both such as human-bot"
        )
    if len(kinds) == 1:
        return one_of([_is_kind(1, kinds[0]), _is_kind(2, kinds[0])])
    one, other = kinds
    both = [all_of([_is_kind(1, one), _is_kind(2, other)]), all_of([_is_kind(1, other), _is_kind(2, one)])]
    return one_of(both[: len({one, other})])


def pattern(value: Plain | Range) -> str:
    """A player's name as a pattern of LIKE. QueryError for none."""
    if isinstance(value, Range):
        raise QueryError("a player's name is no range; names with such signs need quotation marks")
    if not value.text.strip():
        raise QueryError("a player's name can't be empty; leave it out for any game, or write * for any name")
    return like(value.text)


def _outcome(seat: Seat) -> list[Condition]:
    return [] if seat.outcome == "true" else [(seat.outcome, [])]


def _is_kind(side: int, kind: str) -> Condition:
    return f"player{side} IN ({_OF_KIND})", [kind]
