"""The column `reader_version`: the version of the readers of a record or a file, and the stated language of its colour letters.

`, letters it` follows the version if the user stated that the letters are Italian; later readings must use them, too.
"""

from __future__ import annotations

READER_VERSION = "10"
"""The version of the readers; increase it when a change of the readers or the rules can change how a record is read."""

_PARTIAL = "in part"
_LETTERS_SEPARATOR = ", letters "

HAS_LETTERS = f"contains(reader_version, '{_LETTERS_SEPARATOR}')"
"""The condition in a query that a language of the letters was stated."""


def format_reader_version(letters: str | None) -> str:
    """Return the note about a record that today's readers read, with colour letters of this language (None: detected)."""
    return _join_letters(READER_VERSION, letters)


def parse_letters(noted: str) -> str | None:
    """Return the stated language of the colour letters, or None."""
    return noted.partition(_LETTERS_SEPARATOR)[2] or None


def mark_partial(noted: str) -> str:
    """Return the note about a file some of whose records are missing here, so that an import reads it again."""
    return _join_letters(_PARTIAL, parse_letters(noted))


def is_partial(noted: str) -> bool:
    """Return whether some records of the file are missing here."""
    return noted.partition(_LETTERS_SEPARATOR)[0] == _PARTIAL


def _join_letters(readers: str, letters: str | None) -> str:
    return f"{readers}{_LETTERS_SEPARATOR}{letters}" if letters else readers
