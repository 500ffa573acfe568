"""Split a filter's text; read and replace single terms of it. All other text stays unchanged."""

from __future__ import annotations

import re
from collections.abc import Collection

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import All, Either, Term
from zertz_db.queries.filters.fields import FIELDS
from zertz_db.queries.filters.trees import parse_filter

_AND_BEFORE = re.compile(r'(^|[\s)"”])and$', re.IGNORECASE)
_AND_AFTER = re.compile(r'^and(?=[\s("“]|$)', re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')


def drop_open_field(typed: str) -> str:
    """Return the filter without a field at its end that has no value yet: it is still being typed.

    >>> drop_open_field("board:37 player:")
    'board:37'
    """
    words = split_terms(typed)
    unfinished = bool(words) and words[-1].endswith(":") and words[-1].lstrip("(-").removesuffix(":") in FIELDS
    return " ".join(words[:-1] if unfinished else words)


def split_terms(text: str) -> list[str]:
    """Split a filter into its words; a text in quotation marks is one word.

    >>> split_terms('player:"Ada L" board:37')
    ['player:"Ada L"', 'board:37']
    """
    return re.findall(r'(?:[^\s"]|"[^"]*"?)+', text)


def list_terms(text: str) -> list[Term]:
    """Return the terms that all games must match, in their order; none of an invalid filter.

    Terms in parentheses, after `not` and between `or` are left out.

    >>> [term.field for term in list_terms("board:37 not kind:bot (date:2010 or since:2012) plies:<20")]
    ['board', 'plies']
    """
    try:
        node = parse_filter(text)
    except QueryError:
        return []
    parts = node.parts if isinstance(node, All) else (node,)
    return [part for part in parts if isinstance(part, Term) and _is_outside(text, part)]


def replace_terms(text: str, fields: Collection[str], term: str) -> str:
    """Return a filter with a term in place of those of these fields that `list_terms` names; without a term, remove them.

    >>> replace_terms("board:37 and date:2010 plies:<20", {"board"}, "")
    'date:2010 plies:<20'
    >>> replace_terms("ada or ben", {"board"}, "board:48")
    '(ada or ben) board:48'
    """
    spans = [_find_span(text, one) for one in list_terms(text) if one.field in fields]
    for number, (start, end) in reversed([*enumerate(spans)]):
        text = f"{text[:start]}{term}{text[end:]}" if term and number == 0 else _cut(text, start, end)
    if spans or not term:
        return text
    return f"({text.strip()}) {term}" if _is_choice(text) else f"{text} {term}".strip()


def _is_choice(text: str) -> bool:
    try:
        return isinstance(parse_filter(text), Either)
    except QueryError:
        return False


def _is_outside(text: str, term: Term) -> bool:
    """Return whether a term is outside all parentheses."""
    before = _QUOTED.sub("", text[: _find_span(text, term)[0]])
    return before.count("(") == before.count(")")


def _find_span(text: str, term: Term) -> tuple[int, int]:
    """Return the indices of a term's first character and after its last."""
    places = [place for place in (term.place, *(value.place for value in term.values)) if place]
    end = max(place.end for place in places)
    is_open = text[end : end + 2] == ".."  # the place of `2010..` ends before the dots
    return min(place.start for place in places), end + 2 * is_open


def _cut(text: str, start: int, end: int) -> str:
    """Return a text without a part, and without an adjacent `and`."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    if _AND_BEFORE.search(before):
        before = before[:-3].rstrip()
    else:
        after = _AND_AFTER.sub("", after).lstrip()
    return f"{before} {after}".strip()
