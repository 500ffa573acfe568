"""Brackets and backslashes in values that the server's form wants escaped, and somebody wrote as they are: `P0[id "Ada [3d]"]`.

A value ends at a bracket behind which the game goes on: with a property, a node, or the game's end. Where that is so, every other bracket
in it belongs to the value, and so does a backslash before the one that closes it. They are masked by signs that no text has, so that
the text can be read, and every place in it stays where it is. A line in such a value that begins as a property or a node leaves a doubt.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_BRACKET, _BACKSLASH = "\ufdd0", "\ufdd1"
"""What stands for `]` and for the backslash: Unicode has set these aside, no text has them."""
_UNMASKED = str.maketrans({_BRACKET: "]", _BACKSLASH: "\\"})

_NAME = r"(?:[A-Z][A-Z0-9]{0,3}|P-1)\s*+\["
_GOES_ON = rf"\s*+(?:\Z|{_NAME}|\)[ \t\r]*+(?:\Z|[\n(])|;\s*+(?:\Z|[;)]|{_NAME}))"
_OPENING = re.compile(_NAME)
_DOUBT = re.compile(rf"\n\s*+(?:;\s*+)?{_NAME}")
_SIGNS = re.compile(r"\\[\s\S]|[\[\]]")
_CLOSES = re.compile(_GOES_ON)
_SWALLOWED = re.compile(rf"\\\](?={_GOES_ON})")
"""A bracket that is escaped, and behind which the game goes on as if it closed a value."""


class Masked(NamedTuple):
    """A game's text whose values can be told apart, and the values, as (start, end), in which something had to be masked."""

    text: str
    values: list[tuple[int, int]]


def may_swallow(text: str, start: int, end: int) -> bool:
    """Whether a value between these places may have gone on beyond its end, for a backslash before the bracket that closes it."""
    return text.find("\\]", start, end) >= 0 and _SWALLOWED.search(text, start, end) is not None


def mask(text: str, start: int, end: int, *, are_paired: bool) -> Masked | None:
    """Mask the brackets and backslashes of a game that stand in its values as they are; None where there is none, or a doubt.

    are_paired: a bracket that closes another one within the value does not close the value, whatever follows.
    """
    if _BRACKET in text or _BACKSLASH in text:
        return None
    signs, values, at = list(text), [], start
    while opening := _OPENING.search(text, at, end):
        is_prose = opening[0][0] == "C"
        masked, at = _value(text, opening.end(), end, are_paired=are_paired, may_quote=is_prose)
        if masked and _DOUBT.search(text, opening.end(), at):
            return None
        for place, sign in masked:
            signs[place] = sign
        if masked:
            values.append((opening.start(), at))
    return Masked("".join(signs), values) if values else None


def unmask(value: str) -> str:
    """The value as it was written."""
    return value.translate(_UNMASKED)


def escaped(masked: Masked) -> str:
    """The text with a backslash before each sign that was masked."""
    return masked.text.replace(_BRACKET, "\\]").replace(_BACKSLASH, "\\\\")


def _value(text: str, start: int, end: int, *, are_paired: bool, may_quote: bool) -> tuple[list[tuple[int, str]], int]:
    """What is to be masked in the value that begins at `start`: places, each with its mask; and where the value ends.

    may_quote: it may be a comment that quotes properties, whose brackets are escaped.
    """
    masked: list[tuple[int, str]] = []
    depth = 0
    for sign in _SIGNS.finditer(text, start, end):
        is_escaped, place = len(sign[0]) > 1, sign.end() - 1
        if text[place] == "[":
            depth += not is_escaped
        elif text[place] == "]":
            if (depth == 0 or not (may_quote if is_escaped else are_paired)) and _CLOSES.match(text, place + 1, end):
                return [*masked, (place - 1, _BACKSLASH)] if is_escaped else masked, place + 1
            depth = max(0, depth - 1)
            if not is_escaped:
                masked.append((place, _BRACKET))
    return [], end  # it is never closed: there is nothing to tell by
