"""Read results in every usual spelling, in tags and movetext alike."""

from __future__ import annotations

import re

from zertz_db.parser.gipf import grammar
from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.text.look_alikes import in_latin
from zertz_db.parser.vocabulary.terms import RESULT_OF, GameResult

_WON = compile_on_use(r"player ?([12])(?: (?:wins|won))?", re.IGNORECASE)
_HALF = compile_on_use(r"1/2|½|0[.,]5|[td]", re.IGNORECASE)
"""The start of a tie, in figures or in a word."""
_AROUND = compile_on_use(r"^[(\s]+|[)\s.,!]+$")
"""Parentheses around a result, and punctuation after it."""


def result_of(text: str) -> GameResult | None:
    """Return the result that a text states, or None.

    The grammar's terminals for results define the spellings: `0 : 1`, `½–½`, `tie`, `(1-0).`. `Player 1 wins` is one more.
    """
    word = in_latin(text).strip()
    won = _WON.fullmatch(word)
    if won:
        return RESULT_OF[int(won[1])]
    if not grammar.pattern("<RESULT>|<RESULT_OTHER>").fullmatch(word):
        return None
    word = _AROUND.sub("", word)
    if word == GameResult.UNKNOWN:
        return GameResult.UNKNOWN
    if _HALF.match(word):
        return GameResult.TIE
    return GameResult(f"{_points(word[0])}-{_points(word[-1])}")


def _points(character: str) -> str:
    return "1" if character == "1" else "0"
