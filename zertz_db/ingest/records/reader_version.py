"""Who read a record or a file, as the column `reader_version` says it, and what they were told of its colour letters.

That is their version, with `, letters it` behind it where somebody said that they are Italian: whoever reads it again has to be told so,
too.
"""

from __future__ import annotations

READER_VERSION = "9"
"""Counts up when a change of the readers or the rules can change what a record is taken for."""

_PARTIAL = "in part"
_LETTERS_SEPARATOR = ", letters "

HAS_LETTERS = f"contains(reader_version, '{_LETTERS_SEPARATOR}')"
"""The condition in a query that something was said of the letters."""


def format_reader_version(letters: str | None) -> str:
    """What to note of what today's readers read, with colour letters of this language (None: nothing was said)."""
    return _join_letters(READER_VERSION, letters)


def parse_letters(noted: str) -> str | None:
    """Whose colour letters somebody said that it has."""
    return noted.partition(_LETTERS_SEPARATOR)[2] or None


def mark_partial(noted: str) -> str:
    """The same of a file of which not all records are here: importing it reads it again."""
    return _join_letters(_PARTIAL, parse_letters(noted))


def is_partial(noted: str) -> bool:
    """Whether not all records of the file are here."""
    return noted.partition(_LETTERS_SEPARATOR)[0] == _PARTIAL


def _join_letters(readers: str, letters: str | None) -> str:
    return f"{readers}{_LETTERS_SEPARATOR}{letters}" if letters else readers
