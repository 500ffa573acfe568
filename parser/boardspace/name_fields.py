"""Find the parts of the server's SGF that may have names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zertz_db.parser.boardspace.reader import escape_values
from zertz_db.parser.text.name_parts import NAME, RESULT, TEXT, NameFields, NamePart, unescape

_TEXT_PROPERTIES = ("C", "GN", "GC", "RE", "EV", "RO", "PC", "SO", "US", "AN", "ON")
"""Properties that hold free text."""
_PART = re.compile(
    r'\bP[01]\s*\[\s*id\s+"*(?P<name>(?:\\.|[^\]\\"])*)"*\s*\]'
    r"|\b(?P<field>[A-Z]{1,2})\s*\[(?P<value>(?:\\.|[^\]\\])*)\]",
    re.DOTALL,
)


def _find_parts(text: str) -> Iterator[NamePart]:
    for found in _PART.finditer(text):
        if found["name"] is not None:
            yield NamePart(*found.span("name"), NAME)
        elif found["field"] in _TEXT_PROPERTIES:
            yield NamePart(*found.span("value"), RESULT if found["field"] == "RE" else TEXT)


def _find_players(text: str) -> Iterator[str]:
    return (unescape(found["name"]) for found in _PART.finditer(text) if found["name"])


NAME_FIELDS = NameFields(_find_parts, _find_players, escape_values)
