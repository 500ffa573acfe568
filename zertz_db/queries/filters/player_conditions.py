"""Conditions on players as SQL: names with their aliases, opponents, kinds of players."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Plain, Range, Term
from zertz_db.queries.sql_params import Value
from zertz_db.store.names import fold_name

Condition = tuple[str, list[Value]]
"""SQL condition on a row of `_game`, and its parameters; NULL counts as false."""

KINDS = ("human", "bot", "guest")


class PlayerRole(NamedTuple):
    """Role of a player in a game: a side, and a condition on the outcome."""

    side: int
    outcome: str = "true"


PLAYER_ROLES = {
    "player": (PlayerRole(1), PlayerRole(2)),
    "first": (PlayerRole(1),),
    "second": (PlayerRole(2),),
    "won": (PlayerRole(1, "winner = 1"), PlayerRole(2, "winner = 2")),
    "lost": (PlayerRole(1, "winner = 2"), PlayerRole(2, "winner = 1")),
}
"""Roles by the field that names a player."""

_SPECIAL = str.maketrans("%_", "\ufdd0\ufdd1")
"""LIKE's special characters, and the noncharacters that replace them in a glob: Unicode reserves these for internal use."""
_NAMES = """
    SELECT name FROM _alias WHERE status = 'accepted' AND player IN (
        SELECT player FROM _alias WHERE status = 'accepted' AND {fits}
    )"""
"""Query of all accepted names of players with a name that matches a pattern."""

_OF_KIND = "SELECT a.name FROM _alias a JOIN _player p ON p.id = a.player WHERE a.status = 'accepted' AND p.kind = ?"


def one_of(conditions: Sequence[Condition]) -> Condition:
    """Return the disjunction of conditions."""
    return _joined(" OR ", conditions)


def all_of(conditions: Sequence[Condition]) -> Condition:
    """Return the conjunction of conditions."""
    return _joined(" AND ", conditions) if conditions else ("true", [])


def _joined(word: str, conditions: Sequence[Condition]) -> Condition:
    if len(conditions) == 1:
        return conditions[0]
    return f"({word.join(text for text, _ in conditions)})", [value for _, values in conditions for value in values]


def matches(value: str, glob: str) -> Condition:
    """Return the condition that a value (SQL of a text) matches a glob, in which `*` matches any letters, or none.

    DuckDB searches for the parts of a constant pattern one after the other, in linear time, if `%` is its only special character.
    With `_` or ESCAPE it tries all ways to divide the text instead: the time grows exponentially with the number of `%`, and no
    interrupt ends it inside a row. Regular expressions take no such way, but 50 s for 512 texts of 5,000 letters and a glob of 2,000.
    """
    if glob.translate(_SPECIAL) != glob:
        value = f"translate({value}, '%_', '{'%_'.translate(_SPECIAL)}')"
    return f"{value} LIKE ?", [re.sub(r"\*+", "%", glob.translate(_SPECIAL))]


def equals(value: str, text: str) -> Condition:
    """Return the condition that a value (SQL of a text) is this text."""
    return f"{value} = ?", [text]


def fits(column: str, text: str) -> Condition:
    """Return the condition that a column matches a glob, ignoring case and the form of accents."""
    return one_of([_fits(column, form) for form in _forms(text)])


def _fits(column: str, text: str) -> Condition:
    if "*" not in text:
        return f"lower({column}) = lower(?)", [text]
    where, values = matches(f"lower({column})", text)
    return where.replace("?", "lower(?)"), values


def _forms(text: str) -> list[str]:
    """Return a text with its accents composed and decomposed; DuckDB's own function loses what follows a NUL."""
    return list(dict.fromkeys(unicodedata.normalize(form, text) for form in ("NFC", "NFD")))


def has(column: str, text: str) -> Condition:
    """Return the condition that a part of a column matches a glob."""
    if "*" in text:
        return fits(column, f"*{text}*")
    return one_of([(f"contains(lower({column}), lower(?))", [form]) for form in _forms(text)])


def called(side: int, name: str) -> Condition:
    """Return the condition that an alias of a side's player matches a name."""
    folded = fold_name(name)
    is_like, values = matches("folded", folded) if "*" in folded else equals("folded", folded)
    return f"player{side} IN ({_NAMES.format(fits=is_like)})", values


def seated(field: str, value: Plain | Range) -> Condition:
    """Return the condition that a player of a name has a role of the field."""
    name = _name(value)
    return one_of([all_of([called(role.side, name), *_outcome(role)]) for role in PLAYER_ROLES[field]])


def opposed(player: Term, opponent: Plain | Range) -> Condition:
    """Return the condition that a player of the term played against an opponent."""
    other = _name(opponent)
    return one_of(
        [
            all_of([called(role.side, _name(value)), called(3 - role.side, other), *_outcome(role)])
            for value in player.values
            for role in PLAYER_ROLES[player.field]
        ]
    )


def of_kind(value: Plain) -> Condition:
    """Return the condition that a player is of a kind; for two kinds, as in `human-bot`, that the players are of these kinds."""
    kinds = value.text.casefold().split("-")
    if not 1 <= len(kinds) <= 2 or any(kind not in KINDS for kind in kinds):
        raise QueryError(
            f"invalid kind {value.text!r}; valid: {', '.join(KINDS)}, or two for both players, as in human-bot"
        )
    if len(kinds) == 1:
        return one_of([_is_kind(1, kinds[0]), _is_kind(2, kinds[0])])
    one, other = kinds
    both = [all_of([_is_kind(1, one), _is_kind(2, other)]), all_of([_is_kind(1, other), _is_kind(2, one)])]
    return one_of(both[: len({one, other})])


def _name(value: Plain | Range) -> str:
    """Return a player's name. QueryError for a range and for an empty text."""
    if isinstance(value, Range):
        raise QueryError("a player's name can't be a range; quote names with these characters")
    if not value.text.strip():
        raise QueryError("a player's name can't be empty; omit the field for any game, or write * for any name")
    return value.text.strip()


def _outcome(role: PlayerRole) -> list[Condition]:
    return [] if role.outcome == "true" else [(role.outcome, [])]


def _is_kind(side: int, kind: str) -> Condition:
    return f"player{side} IN ({_OF_KIND})", [kind]
