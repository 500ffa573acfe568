"""Read the words for rule sets and their options in texts, tags, filters and arguments."""

from __future__ import annotations

import re

from zertz_db.parser.lazy_patterns import compile_on_use

TOURNAMENT, WRITTEN, AUTOMATIC, NO_TIES, REPETITION = "tournament", "written", "automatic", "noties", "repetition"
BASIC = "basic"
"""Today's standard rules on board 37, by two texts. Before 2007 the word meant the 5/7/9 game."""

_NAMES = {
    "standard": ("standard", "6/8/10", "4/5/6/3", "regular", "current", "2016", BASIC),
    "blitz": (
        "blitz", "5/7/9", "3/4/5/2", "original", "1999", "original basic", "basic 1999", "1999 basic", "original 1999", "1999 original",
    ),
}  # fmt: skip
_OPTIONS = {
    TOURNAMENT: (TOURNAMENT,),
    WRITTEN: (WRITTEN, "written claims", "claims written"),
    AUTOMATIC: (AUTOMATIC, "automatic claims", "claims automatic"),
    NO_TIES: (NO_TIES, "no ties", "without ties"),
}
NAMES, OPTIONS = tuple(_NAMES), tuple(_OPTIONS)
"""Names of rule sets, and of their options except `repetition2` and so on."""
_NAME_OF = {word: name for name, words in _NAMES.items() for word in words}
_OPTION_OF = {word: option for option, words in _OPTIONS.items() for word in words}
_BETWEEN = compile_on_use(r"\s*[+,;&]\s*|\s+(?:with|and)\s+")
_FILLER = compile_on_use(r"^(?:the|zertz) | (?:rules?|rule ?set|game|play|variant|version|edition)$")
_REPETITION = compile_on_use(r"(?:repetition|repeats?) ?([0-9]+)")


def parse_rule_words(text: str) -> tuple[str, ...]:
    """Return a rule set's name and options in their usual spelling; unknown words stay unchanged.

    >>> parse_rule_words("Tournament rules, written claims")
    ('standard', 'tournament', 'written')
    >>> parse_rule_words("original basic game"), parse_rule_words("2010")
    (('blitz',), ('2010',))
    """
    name, *options = (_without_the_rest(part) for part in _BETWEEN.split(_plain(text)))
    if name in _OPTION_OF:
        name, options = "standard", [name, *options]
    return _NAME_OF.get(name, name), *map(_option, options)


def is_basic(text: str) -> bool:
    """Return whether a rule set's name is `basic`, which means two games."""
    return _without_the_rest(_BETWEEN.split(_plain(text))[0]) == BASIC


def repetition_in(option: str) -> int | None:
    """Return the number of times that turns are made until they end the game, by an option such as `repetition3`; None for another
    option.
    """
    found = _REPETITION.fullmatch(option)
    return int(found[1]) if found else None


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text.casefold().replace("è", "e")).strip()


def _without_the_rest(words: str) -> str:
    while (shorter := _FILLER.sub("", words)) != words:
        words = shorter
    return words


def _option(words: str) -> str:
    found = repetition_in(words)
    return _OPTION_OF.get(words, words if found is None else f"{REPETITION}{found}")
