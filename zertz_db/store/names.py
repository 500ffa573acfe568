"""The form in which names are compared: two spellings that look alike are one name."""

from __future__ import annotations

import unicodedata

_INVISIBLE = "Cf"
"""The category of characters that nobody sees: zero-width characters, soft hyphens, marks of direction."""


def fold_name(name: str) -> str:
    """Return the normal form of a name: composed (NFC), case folded in full, blanks trimmed and folded to one space.

    Invisible characters are dropped. Folding a folded name changes nothing. Source: The Unicode Standard, 3.13, D145.
    """
    if name.isascii():
        return " ".join(name.split()).lower()
    decomposed = unicodedata.normalize("NFD", name).casefold()
    visible = "".join(sign for sign in decomposed if unicodedata.category(sign) != _INVISIBLE)
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def tidy_name(name: str) -> str:
    """Return a name as it is shown: composed, without blanks at its ends, one space between its words."""
    return " ".join(unicodedata.normalize("NFC", name).split()) or name
