"""Parse filters; find what a filter requires of one field."""

from __future__ import annotations

from functools import lru_cache

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.queries.filters.ast import All, Node, Place, Plain, Term

_TERM = compile_on_use(
    r"""(?P<field>[^\W\d]\w*(?:-\w+)*:)(?:(?P<word>(?:(?!\.\.)[^\s()",<>=“”])+)|"(?P<phrase>[^"]*)")(?=\s|$)\s*"""
)
_LONGEST_FAST = 1000


@lru_cache(maxsize=256)
def parse_filter(text: str) -> Node:
    """Return the tree of a filter. FilterError for a text that is not in the filter language."""
    if not text.strip():
        return All(())
    terms = _parse_terms(text) if len(text) <= _LONGEST_FAST else ()
    if terms:
        return All(terms) if len(terms) > 1 else terms[0]
    from zertz_db.queries.filters.parser import parse  # needs Lark: 50 ms, and most filters have simple terms only

    return parse(text)


def _parse_terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a text of simple terms (a field with one word or phrase), as the grammar reads them; none for other texts."""
    terms, at = [], len(text) - len(text.lstrip())
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None:
            return ()
        value = match["phrase"] if match["word"] is None else match["word"]
        end = match.end("word") if match["phrase"] is None else match.end("phrase") + 1
        place = Place(match.start(), match.end("field"))
        terms.append(Term(match["field"].rstrip(":").casefold(), (Plain(value, Place(place.end, end)),), place))
        at = match.end()
    return tuple(terms)


def required_value(filters: str, field: str) -> str | None:
    """Return the one value that a filter requires of a field; None if it requires none, or allows several."""
    terms = [part for part in _parts(filters) if isinstance(part, Term) and part.field == field]
    return _value(terms[0]) if len(terms) == 1 else None


def required_values(filters: str) -> list[tuple[str, str]] | None:
    """Return the fields and values of a filter whose terms all must hold and have one value each; None for any other filter.

    >>> required_values("board:48 rules:blitz")
    [('board', '48'), ('rules', 'blitz')]
    >>> required_values("board:48 not rules:blitz")
    """
    values = [
        (part.field, value)
        for part in _parts(filters)
        if isinstance(part, Term) and (value := _value(part)) is not None
    ]
    return values if len(values) == len(_parts(filters)) else None


def _value(term: Term) -> str | None:
    value = term.values[0]
    return value.text if len(term.values) == 1 and isinstance(value, Plain) else None


def _parts(filters: str) -> tuple[Node, ...]:
    node = parse_filter(filters)
    return node.parts if isinstance(node, All) else (node,)
