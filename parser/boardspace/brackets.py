"""Mask brackets and backslashes that a value should escape but has as they are: `P0[id "Ada [3d]"]`.

A value ends at a bracket after which the game continues with a property, a node or its end. Every other bracket before it belongs to the
value, and so does a backslash before the closing bracket. Characters that no text has mask them. The text can then be read, and all offsets
stay. A line in such a value that begins like a property or a node leaves a doubt: nothing is masked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from zertz_db.parser.lazy_patterns import compile_on_use

_BRACKET, _BACKSLASH = "\ufdd0", "\ufdd1"
"""Masks of `]` and of the backslash. Unicode has set these characters aside; no text has them."""
_UNMASKED = str.maketrans({_BRACKET: "]", _BACKSLASH: "\\"})

_NAME = r"(?:[A-Z][A-Z0-9]{0,3}|P-1)\s*+\["
_GOES_ON = rf"\s*+(?:\Z|{_NAME}|\)[ \t\r]*+(?:\Z|[\n(])|;\s*+(?:\Z|[;)]|{_NAME}))"
_OPENING = compile_on_use(_NAME)
_DOUBT = compile_on_use(rf"\n\s*+(?:;\s*+)?{_NAME}")
_SPECIAL = compile_on_use(r"\\[\s\S]|[\[\]]")
_CLOSES = compile_on_use(_GOES_ON)
_SWALLOWED = compile_on_use(rf"\\\](?={_GOES_ON})")
"""An escaped bracket after which the game continues as if the bracket closed a value."""


class Masked(NamedTuple):
    """A game's text with separable values, and the masked values as (start, end)."""

    text: str
    values: list[tuple[int, int]]


def may_swallow(text: str, start: int, end: int) -> bool:
    """Return whether a backslash before its closing bracket made a value between these offsets swallow the text after it."""
    return text.find("\\]", start, end) >= 0 and _SWALLOWED.search(text, start, end) is not None


def mask(text: str, start: int, end: int, *, are_paired: bool) -> Masked | None:
    """Mask the unescaped brackets and backslashes in a game's values; return None if there are none or the text is ambiguous.

    are_paired: a bracket that closes another one within the value never closes the value.
    """
    if text.find(_BRACKET, start, end) >= 0 or text.find(_BACKSLASH, start, end) >= 0:
        return None
    masks: list[tuple[int, str]] = []
    values, at = [], start
    while opening := _OPENING.search(text, at, end):
        is_prose = opening[0][0] == "C"
        masked, at = _value(text, opening.end(), end, are_paired=are_paired, may_quote=is_prose)
        if masked and _DOUBT.search(text, opening.end(), at):
            return None
        if masked:
            masks += sorted(masked)
            values.append((opening.start(), at))
    return Masked(_replace(text, masks), values) if values else None


def _replace(text: str, masks: Iterable[tuple[int, str]]) -> str:
    """Return the text with these characters at these offsets, which ascend."""
    parts, after = [], 0
    for place, character in masks:
        parts += [text[after:place], character]
        after = place + 1
    return "".join([*parts, text[after:]])


def unmask(value: str) -> str:
    """Return the value as written."""
    return value.translate(_UNMASKED)


def escaped(masked: Masked) -> str:
    """Return the text with a backslash before each masked character."""
    return masked.text.replace(_BRACKET, "\\]").replace(_BACKSLASH, "\\\\")


def _value(text: str, start: int, end: int, *, are_paired: bool, may_quote: bool) -> tuple[list[tuple[int, str]], int]:
    """Return the offsets to mask in the value that begins at `start`, each with its mask, and the value's end.

    may_quote: the value may be a comment that quotes properties with escaped brackets.
    """
    masked: list[tuple[int, str]] = []
    depth = 0
    for character in _SPECIAL.finditer(text, start, end):
        is_escaped, place = len(character[0]) > 1, character.end() - 1
        if text[place] == "[":
            depth += not is_escaped
        elif text[place] == "]":
            if (depth == 0 or not (may_quote if is_escaped else are_paired)) and _CLOSES.match(text, place + 1, end):
                return [*masked, (place - 1, _BACKSLASH)] if is_escaped else masked, place + 1
            depth = max(0, depth - 1)
            if not is_escaped:
                masked.append((place, _BRACKET))
    return [], end  # the value is never closed: nothing to decide by
