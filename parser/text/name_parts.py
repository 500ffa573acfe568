"""Parts of a record that may have names, so that names can be redacted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

NAME, TEXT, RESULT, JSON_TEXT = "name", "text", "result", "json"
"""Kinds of parts: a player's name alone; free text; text that states the winner; a string of JSON with its quotation marks."""

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class NamePart(NamedTuple):
    """A part of a text (offsets), and its kind."""

    start: int
    end: int
    kind: str


def _unchanged(text: str) -> str:
    return text


class NameFields(NamedTuple):
    """Describe where the records of a dialect have names.

    find_parts: yield the parts, in order. find_players: yield the names in fields for players.
    prepare: return the text that these two expect.
    """

    find_parts: Callable[[str], Iterator[NamePart]]
    find_players: Callable[[str], Iterable[str]]
    prepare: Callable[[str], str] = _unchanged


def unescape(text: str) -> str:
    """Return a text without the backslashes before its characters."""
    return _ESCAPE.sub(r"\1", text)
