"""Ids: signed 64-bit numbers taken from SHA-256, shown to people as 13 letters of Crockford's base 32.

An id only finds; whether two things are equal is decided by their values.
"""

from __future__ import annotations

import hashlib
import os

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LETTERS = 13
"""13 letters hold 65 bits: the first one is at most F."""

_BITS = 64
_VALUES = {letter: value for value, letter in enumerate(ALPHABET)} | {"O": 0, "I": 1, "L": 1}


def id_of(data: bytes) -> int:
    """The id of these bytes: the first eight of their SHA-256, as a signed number."""
    return int.from_bytes(hashlib.sha256(data).digest()[:8], "big", signed=True)


def id_of_path(path: str) -> int:
    """The id of a file's absolute path."""
    return id_of(os.fsencode(path))


def id_of_source(name: str, content: int) -> int:
    """The id of a file under a name; content: the id of its bytes."""
    return id_of(f"{to_text(content)} {name}".encode())


def to_text(number: int) -> str:
    """An id in 13 letters."""
    unsigned = number % (1 << _BITS)
    return "".join(ALPHABET[unsigned >> shift & 31] for shift in range(5 * (LETTERS - 1), -1, -5))


def beginning_with(text: str) -> tuple[int, int]:
    """The first and the last id, in the order of their letters, that begins with these. ValueError as for `from_text`."""
    first, last = (_number(text, text.strip().upper().ljust(LETTERS, end)) for end in (ALPHABET[0], ALPHABET[-1]))
    return first, last


def from_text(text: str) -> int:
    """The id that these letters name; small letters will do, I and L are 1, O is 0. ValueError says what is wrong."""
    return _number(text, text.strip().upper())


def _number(text: str, letters: str) -> int:
    """The id with these letters; `text` is what was asked for."""
    strange = sorted(set(letters) - set(_VALUES))
    if strange:
        raise ValueError(f"{text!r} is no id: an id has no {' '.join(strange)}")
    if len(letters) != LETTERS:
        raise ValueError(f"{text!r} is no id: an id has {LETTERS} letters, this has {len(letters)}")
    unsigned = 0
    for letter in letters:
        unsigned = unsigned << 5 | _VALUES[letter]
    if unsigned >> _BITS:
        raise ValueError(f"{text!r} is no id: the first letter is at most F")
    return unsigned - (unsigned >> (_BITS - 1) << _BITS)
