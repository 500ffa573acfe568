"""Find the parts of official notation that may have names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zertz_db.parser.gipf.tags import FIELDS, fact_of, is_understood
from zertz_db.parser.text.name_parts import NAME, TEXT, NameFields, NamePart, unescape
from zertz_db.parser.text.normal_text import normal_tags

_NAME_TAGS = ("Player1", "Player2")
_TEXT_TAGS = (None, "Event", "Site", "Round")
"""Facts whose tags hold free text; None: tags that state no fact."""
_WORD_TAGS = frozenset(FIELDS) - {*_NAME_TAGS, *_TEXT_TAGS, "RuleSet", "Position"}
"""Facts whose tags hold a date, a number or a word."""
_PART = re.compile(
    r'\[\s*(?P<field>\w+)\s+"(?P<value>(?:\\.|[^"\\])*)"\s*\]'
    r"|\{(?P<comment>(?:\\.|[^}\\])*)\}"
    r"|;(?P<rest>[^\n]*)"
    r"|^(?:[^\S\n]*\[[^\n]*|(?=[^\n{;]*[>%|:])[^\n{;]+)",  # tags in odd quotation marks, mails, tables, names before plies
    re.DOTALL | re.MULTILINE,
)


def _find_parts(text: str) -> Iterator[NamePart]:
    for found in _PART.finditer(text):
        if found["field"] is None:
            yield NamePart(*found.span(), TEXT)
            continue
        fact = fact_of(found["field"])
        if fact in _NAME_TAGS:
            yield NamePart(*found.span("value"), NAME)
        elif fact in _TEXT_TAGS or _is_odd(fact, found["value"]):
            yield NamePart(*found.span("value"), TEXT)


def _is_odd(fact: str | None, value: str) -> bool:
    """Return whether a tag should hold a date, a number or a word, and does not: then it may hold a name."""
    return fact in _WORD_TAGS and not is_understood(fact, unescape(value))


def _find_players(text: str) -> Iterator[str]:
    plain, _ = normal_tags(text)
    for found in _PART.finditer(plain):
        if fact_of(found["field"] or "") in _NAME_TAGS:
            yield unescape(text[slice(*found.span("value"))])


NAME_FIELDS = NameFields(_find_parts, _find_players)
