"""Normal form of names: two spellings that look alike are one name."""

from __future__ import annotations

import unicodedata

_INVISIBLE = "Cf"
"""The category of invisible characters: zero-width characters, soft hyphens, direction marks."""


def fold_name(name: str) -> str:
    """Return the normal form of a name: composed (NFC), case folded in full, spaces trimmed and runs of them folded to one.

    Drop invisible characters. Folding a folded name changes nothing. Source: The Unicode Standard, 3.13, D145.
    """
    if name.isascii():
        return " ".join(name.split()).lower()
    decomposed = unicodedata.normalize("NFD", name).casefold()
    visible = "".join(char for char in decomposed if unicodedata.category(char) != _INVISIBLE)
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def tidy_name(name: str) -> str:
    """Return a name for display: composed, without spaces at its ends, one space between its words."""
    return " ".join(unicodedata.normalize("NFC", name).split()) or name
