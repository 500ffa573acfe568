"""Write filters as text: quote values, make terms, join filters."""

from __future__ import annotations

import warnings

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.queries.filters.ast import Either
from zertz_db.queries.filters.trees import parse_filter

_WORD = compile_on_use(r"(?:(?!\.\.)[^\s()\",<>=“”])+")
"""A value that needs no quotation marks."""
_KEYWORDS = {"versus": "vs", "rule_set": "rules"}
"""Arguments of `Filters` by another name than their fields."""


def quote_value(text: str) -> str:
    """Return a text as a value of the filter language: in quotation marks if it needs them.

    A text with `"` gets curly marks. The language can't write a text with both; `*` then replaces the closing curly mark.
    """
    if _WORD.fullmatch(text):
        return text
    return f'"{text}"' if '"' not in text else f"“{text.replace('”', '*')}”"


def write_term(field: str, value: str) -> str:
    """Return the term for a field and one value."""
    return f"{field}:{quote_value(value)}"


def join_filters(terms: str, words: str) -> str:
    """Return the filter that requires terms and words. FilterError if words are not a filter by themselves."""
    words = words.strip()
    if not terms or not words:
        return terms or words
    return f"{terms} ({words})" if isinstance(parse_filter(words), Either) else f"{terms} {words}"


def Filters(*, words: str | None = None, **terms: str | None) -> str:  # noqa: N802 - this was a class
    """Return the filter that has these terms and words. Deprecated: write the text.

    terms: player, first, second, versus, since, until, board, rule_set, result, ending, verdict, source. TypeError for others.
    """
    unknown = terms.keys() - _ARGUMENTS
    if unknown:
        raise TypeError(f"Filters() has no argument {min(unknown)!r}")
    warnings.warn(
        "Filters is deprecated; write a filter as text, for example 'player:ada board:48'",
        DeprecationWarning,
        stacklevel=2,
    )
    texts = [write_term(_KEYWORDS.get(name, name), value) for name, value in terms.items() if value is not None]
    return join_filters(" ".join(texts), words or "")


_ARGUMENTS = {
    "player", "first", "second", "versus", "since", "until", "board", "rule_set", "result", "ending", "verdict", "source",
}  # fmt: skip
