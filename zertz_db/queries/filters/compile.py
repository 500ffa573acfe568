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
    return _sql(parse_filter(filters), _Context(filters))


class _Context(NamedTuple):
    """Context of a node: the text of the filter, the terms that hold along with the node, and its depth."""

    text: str
    terms: tuple[Term, ...] = ()
    depth: int = 0


def _sql(node: Node, context: _Context) -> Condition:
    if context.depth > _DEEPEST:
        raise QueryError(f"the filter nests more than {_DEEPEST} parentheses and negations")
    inner = context._replace(depth=context.depth + 1)
    if isinstance(node, Term):
        return one_of([_term_sql(node, value, context) for value in node.values])
    if isinstance(node, Negated):
        text, values = _sql(node.part, inner)
        return f"({text}) IS NOT TRUE", values
    if isinstance(node, Either):
        return one_of([_sql(part, inner) for part in node.parts])
    terms = tuple(part for part in node.parts if isinstance(part, Term) and part.field in PLAYER_ROLES)
    return all_of([_sql(part, inner._replace(terms=inner.terms + terms)) for part in node.parts])


def _term_sql(term: Term, value: Plain | Range, context: _Context) -> Condition:
    """Return the condition of one value of a term."""
    if term.field not in FIELDS:
        raise _wrong(
            f"unknown field {term.field!r}{suggestion(term.field, FIELDS) or _all_fields()}", term.place, context
        )
    try:
        if term.field == "vs" and context.terms:
            return all_of([opposed(player, value) for player in _players(context.terms)])
        return condition_of(term.field, value)
    except QueryError as error:
        raise _wrong(str(error), value.place, context) from error


def _players(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return the terms of players whose opponent `vs` names: `player` terms, or all if there are none."""
    return tuple(term for term in terms if term.field == "player") or terms


def _wrong(problem: str, place: Place | None, context: _Context) -> QueryError:
    return QueryError(problem) if place is None else FilterError(problem, context.text, place)


def _all_fields() -> str:
    return f"; valid: {', '.join(FIELDS)}"
