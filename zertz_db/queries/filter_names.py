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

ESCAPE = r"ESCAPE '\'"
_NAMES = """
    SELECT name FROM _alias WHERE status = 'accepted' AND player IN (
        SELECT player FROM _alias WHERE status = 'accepted' AND {fits}
    )"""
"""All accepted names of the players of whom one name fits a pattern."""

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


def fits(column: str, text: str) -> Condition:
    """Whether a column is like a text, capital and small letters alike; `*` stands for any letters."""
    if "*" in text:
        return f"lower({column}) LIKE lower(?) {ESCAPE}", [pattern(text)]
    return f"lower({column}) = lower(?)", [text]


def has(column: str, text: str) -> Condition:
    """Whether a column has something like a text in it."""
    if "*" in text:
        return fits(column, f"*{text}*")
    return f"contains(lower({column}), lower(?))", [text]


def called(side: int, name: str) -> Condition:
    """Whether a player's name, or another name of his, is like this one."""
    is_like, values = fits("name", name)
    return f"player{side} IN ({_NAMES.format(fits=is_like)})", values


def seated(field: str, value: Plain | Range) -> Condition:
    """Whether a player of that name played as the field says."""
    name = _name(value)
    return one_of([all_of([called(seat.side, name), *_outcome(seat)]) for seat in SEATS[field]])


def opposed(player: Term, opponent: Plain | Range) -> Condition:
    """Whether a player whom a term names played against such an opponent."""
    other = _name(opponent)
    return one_of(
        [
            all_of([called(seat.side, _name(value)), called(3 - seat.side, other), *_outcome(seat)])
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


def _name(value: Plain | Range) -> str:
    """A player's name. QueryError for none."""
    if isinstance(value, Range):
        raise QueryError("a player's name is no range; names with such signs need quotation marks")
    if not value.text.strip():
        raise QueryError("a player's name can't be empty; leave it out for any game, or write * for any name")
    return value.text.strip()


def pattern(text: str) -> str:
    """A text as a pattern of SQL's LIKE: only `*` has a meaning."""
    return "".join(f"\\{sign}" if sign in "\\%_" else sign for sign in text).replace("*", "%")


def _outcome(seat: Seat) -> list[Condition]:
    return [] if seat.outcome == "true" else [(seat.outcome, [])]


def _is_kind(side: int, kind: str) -> Condition:
    return f"player{side} IN ({_OF_KIND})", [kind]
