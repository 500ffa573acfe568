"""Texts that come close to one that was written."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_ENOUGH = 65
"""From 0 to 100: less is no help."""
_LONGEST = 200
"""Letters of a text that is compared: the time grows with their square."""


def close_to(text: str, known: Sequence[str], most: int = 1) -> list[str]:
    """Return the known texts that come closest, the closest first; accents, and capital and small letters, don't matter.

    >>> close_to("bluedgo", ["BlueDog", "Ada", "Ben"])
    ['BlueDog']
    """
    from rapidfuzz import fuzz, process

    found = process.extract(
        text[:_LONGEST], known, scorer=fuzz.WRatio, processor=_plain, score_cutoff=_ENOUGH, limit=most
    )
    return [one for one, *_ in found]


def _plain(text: str) -> str:
    from rapidfuzz import utils

    letters = unicodedata.normalize("NFKD", text)
    return utils.default_process("".join(letter for letter in letters if not unicodedata.combining(letter)))
