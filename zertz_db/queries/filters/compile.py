"""Compile filters to SQL."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Either, Negated, Node, Place, Plain, Range, Term
from zertz_db.queries.filters.errors import FilterError, suggestion
from zertz_db.queries.filters.fields import FIELDS, condition_of
from zertz_db.queries.filters.player_conditions import PLAYER_ROLES, Condition, all_of, one_of, opposed
from zertz_db.queries.filters.trees import parse_filter
from zertz_db.queries.sql_params import Value

_DEEPEST = 50


def condition(filters: str) -> tuple[str, list[Value]]:
    """Return a condition on rows of the table `_game`, and its parameters. QueryError for an invalid filter."""
    text, values = _condition(filters)
    return text, list(values)


@lru_cache(maxsize=256)
def _condition(filters: str) -> Condition:
    return _sql(parse_filter(filters), _Asking(filters))


class _Asking(NamedTuple):
    """What surrounds a part of a tree: the text that it was read from, the terms that hold beside it, and how deep it lies."""

    text: str
    beside: tuple[Term, ...] = ()
    depth: int = 0


def _sql(node: Node, asking: _Asking) -> Condition:
    if asking.depth > _DEEPEST:
        raise QueryError(f"the filter nests more than {_DEEPEST} parentheses and negations")
    inner = asking._replace(depth=asking.depth + 1)
    if isinstance(node, Term):
        return one_of([_asked(node, value, asking) for value in node.values])
    if isinstance(node, Negated):
        text, values = _sql(node.part, inner)
        return f"({text}) IS NOT TRUE", values
    if isinstance(node, Either):
        return one_of([_sql(part, inner) for part in node.parts])
    terms = tuple(part for part in node.parts if isinstance(part, Term) and part.field in PLAYER_ROLES)
    return all_of([_sql(part, inner._replace(beside=inner.beside + terms)) for part in node.parts])


def _asked(term: Term, value: Plain | Range, asking: _Asking) -> Condition:
    """What one value of a term asks."""
    if term.field not in FIELDS:
        raise _wrong(
            f"there is no field {term.field!r}{suggestion(term.field, FIELDS) or _all_fields()}", term.place, asking
        )
    try:
        if term.field == "vs" and asking.beside:
            return all_of([opposed(player, value) for player in _whose(asking.beside)])
        return condition_of(term.field, value)
    except QueryError as error:
        raise _wrong(str(error), value.place, asking) from error


def _whose(beside: tuple[Term, ...]) -> tuple[Term, ...]:
    """The players whose opponent is meant: those named as `player`, or else those named otherwise."""
    return tuple(term for term in beside if term.field == "player") or beside


def _wrong(problem: str, place: Place | None, asking: _Asking) -> QueryError:
    return QueryError(problem) if place is None else FilterError(problem, asking.text, place)


def _all_fields() -> str:
    return f"; there are {', '.join(FIELDS)}"
