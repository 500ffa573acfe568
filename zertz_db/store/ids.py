"""Ids: signed 64-bit numbers taken from SHA-256, shown as 13 letters of Crockford's base 32.

An id only locates a thing; equality is decided by values.
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
    """Return the id of these bytes: the first eight of their SHA-256, as a signed number."""
    return int.from_bytes(hashlib.sha256(data).digest()[:8], "big", signed=True)


def id_of_path(path: str) -> int:
    """Return the id of a file's absolute path."""
    return id_of(os.fsencode(path))


def id_of_source(name: str, content: int) -> int:
    """Return the id of a file under a name. content: the id of its bytes."""
    return id_of(f"{to_text(content)} {name}".encode())


def to_text(number: int) -> str:
    """Return an id in 13 letters."""
    unsigned = number % (1 << _BITS)
    return "".join(ALPHABET[unsigned >> shift & 31] for shift in range(5 * (LETTERS - 1), -1, -5))


def beginning_with(text: str) -> tuple[int, int]:
    """Return the first and the last id with this prefix, in the order of their letters. Raise ValueError as `from_text` does."""
    first, last = (_number(text, text.strip().upper().ljust(LETTERS, end)) for end in (ALPHABET[0], ALPHABET[-1]))
    return first, last


def from_text(text: str) -> int:
    """Return the id with these letters; case is ignored, I and L are 1, O is 0. Raise ValueError with the reason."""
    return _number(text, text.strip().upper())


def _number(text: str, letters: str) -> int:
    """Return the id with these letters. text: the user's spelling, for messages."""
    invalid = sorted(set(letters) - set(_VALUES))
    if invalid:
        raise ValueError(f"{text!r} is an invalid id: an id has no {' '.join(invalid)}")
    if len(letters) != LETTERS:
        raise ValueError(f"{text!r} is an invalid id: an id has {LETTERS} letters, this has {len(letters)}")
    unsigned = 0
    for letter in letters:
        unsigned = unsigned << 5 | _VALUES[letter]
    if unsigned >> _BITS:
        raise ValueError(f"{text!r} is an invalid id: the first letter is at most F")
    return unsigned - (unsigned >> (_BITS - 1) << _BITS)
