"""Find the parts of official notation that may have names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from parser.gipf.tags import fact_of
from parser.text.name_parts import NAME, TEXT, NameFields, NamePart, unescape
from parser.text.normal_text import normal_tags

_NAME_TAGS = ("Player1", "Player2")
_TEXT_TAGS = (None, "Event", "Site", "Round")
"""Facts whose tags hold free text; None: tags that state no fact."""
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
        elif fact in _TEXT_TAGS:
            yield NamePart(*found.span("value"), TEXT)


def _find_players(text: str) -> Iterator[str]:
    plain, _ = normal_tags(text)
    for found in _PART.finditer(plain):
        if fact_of(found["field"] or "") in _NAME_TAGS:
            yield unescape(text[slice(*found.span("value"))])


NAME_FIELDS = NameFields(_find_parts, _find_players)
