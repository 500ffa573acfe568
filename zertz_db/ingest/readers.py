"""Who read a record or a file, as the column `reader_version` says it, and what they were told of its colour letters.

That is their version, with `, letters it` behind it where somebody said that they are Italian: whoever reads it again has to be told so,
too.
"""

from __future__ import annotations

READER_VERSION = "9"
"""Counts up when a change of the readers or the rules can change what a record is taken for."""

_IN_PART = "in part"
_LETTERS = ", letters "

HAS_LETTERS = f"contains(reader_version, '{_LETTERS}')"
"""The condition in a query that something was said of the letters."""


def read_by(letters: str | None) -> str:
    """What to note of what today's readers read, with colour letters of this language (None: nothing was said)."""
    return _noted(READER_VERSION, letters)


def letters_in(noted: str) -> str | None:
    """Whose colour letters somebody said that it has."""
    return noted.partition(_LETTERS)[2] or None


def in_part(noted: str) -> str:
    """The same of a file of which not all records are here: importing it reads it again."""
    return _noted(_IN_PART, letters_in(noted))


def is_in_part(noted: str) -> bool:
    """Whether not all records of the file are here."""
    return noted.partition(_LETTERS)[0] == _IN_PART


def _noted(readers: str, letters: str | None) -> str:
    return f"{readers}{_LETTERS}{letters}" if letters else readers
