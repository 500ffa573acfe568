"""Find known texts that are close to a misspelt one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_ENOUGH = 65
"""Minimum score of a close text, from 0 to 100."""
_LONGEST = 200
"""Maximum length of a compared text: the time grows with its square."""


def close_to(text: str, known: Sequence[str], most: int = 1) -> list[str]:
    """Return the closest known texts, closest first, ignoring accents and case.

    >>> close_to("bluedgo", ["BlueDog", "Ada", "Ben"])
    ['BlueDog']
    """
    from rapidfuzz import fuzz, process, utils  # takes 25 ms, and only errors need it

    def processor(one: str) -> str:
        return utils.default_process(_remove_accents(one))

    found = process.extract(
        text[:_LONGEST], known, scorer=fuzz.WRatio, processor=processor, score_cutoff=_ENOUGH, limit=most
    )
    return [one for one, *_ in found]


def _remove_accents(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
