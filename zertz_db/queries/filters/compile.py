"""Which games are meant: filters as values or as a text, and the SQL condition that they make."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import All, Either, Negated, Node, Place, Plain, Range, Term
from zertz_db.queries.filters.errors import FilterError, suggestion
from zertz_db.queries.filters.fields import FIELDS, condition_of
from zertz_db.queries.filters.player_conditions import PLAYER_ROLES, Condition, all_of, one_of, opposed
from zertz_db.queries.sql_params import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What games must be like; what is None does not matter.

    player: played, on either side. first, second: moved first, second. versus: the opponent of `player`. Names are
    compared whole, capital and small letters alike; `*` stands for any letters; another accepted name of the same player
    will do. since, until: dates as `dates.days` reads them; a game whose date is not known to the day is in when it may
    lie in the range. source: a part of the path of a file where the game was found. board, rule_set, result (`*`: none),
    ending, verdict: one of BOARDS, …. words: more, in the filter language.
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
    words: str | None = None

    @property
    def any(self) -> bool:
        """Whether anything is asked for."""
        return any(getattr(self, field.name) is not None for field in fields(self))


FilterInput: TypeAlias = Filters | str
"""Which games are meant: `Filters`, or a text in the filter language; an empty one means all."""

_TERMS = (
    "player", "versus", "first", "second", "board", "rule_set", "result", "ending", "verdict", "source",
)  # fmt: skip
_FIELDS = {"versus": "vs", "rule_set": "rules"}
"""Fields of `Filters` that the language calls otherwise."""

_DEEPEST = 50


def condition(filters: FilterInput) -> tuple[str, list[Value]]:
    """A condition on rows of the table `_game`, and its parameters. QueryError for a value that no game can have."""
    text, values = _condition(filters)
    return text, list(values)


@lru_cache(maxsize=256)
def _condition(filters: FilterInput) -> Condition:
    text = filters if isinstance(filters, str) else filters.words or ""
    return _sql(tree(filters), _Asking(text))


def tree(filters: FilterInput) -> Node:
    """Return what filters ask, as a tree. FilterError for a text that is none of the filter language."""
    if isinstance(filters, str):
        return _parsed(filters)
    terms = [
        Term(_FIELDS.get(name, name), (Plain(value),))
        for name in _TERMS
        if (value := getattr(filters, name)) is not None
    ]
    if filters.since is not None or filters.until is not None:
        terms.append(Term("date", (Range(filters.since, filters.until),)))
    words = _parsed(filters.words or "")
    return All((*terms, *(words.parts if isinstance(words, All) else (words,))))


def _parsed(text: str) -> Node:
    if not text.strip():
        return All(())
    from zertz_db.queries.filters.parser import parse  # Lark is loaded only where a text is to be read

    return parse(text)


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
