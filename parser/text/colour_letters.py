"""Detect the language of a record's colour letters, and replace them by English ones.

Each language has one letter per colour, so an English text has the length and the offsets of the original.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.record import Remark, Span

CODES = {
    "W750": "colour letters of another language are read",
    "N751": "the colour letters leave open whether B is black or white",
    "W752": "the letters contradict the stated language",
}
"""Codes of remarks on colour letters, for every reader that uses them."""

LANGUAGES = {"en": "WGB", "it": "BGN", "fr": "BGN", "de": "WGS", "nl": "WGZ"}
"""The letters for white, grey and black."""

_SPELLINGS = {
    "en": ("eng", "english", "anglais", "englisch", "engels", "inglese"),
    "it": ("ita", "italian", "italiano", "italienisch", "italien", "italiaans"),
    "fr": ("fra", "fre", "french", "français", "francais", "französisch", "francese", "frans"),
    "de": ("deu", "ger", "german", "deutsch", "allemand", "tedesco", "duits"),
    "nl": ("nld", "dut", "dutch", "nederlands", "flemish", "vlaams", "niederländisch", "néerlandais", "olandese"),
}
"""Names of a language besides its code: in English, in itself, and in the other languages."""
_LANGUAGE_OF = {name: code for code, names in _SPELLINGS.items() for name in (code, *names)}

_NAMES = {"en": "English", "it": "Italian or French", "fr": "Italian or French", "de": "German", "nl": "Dutch"}

LETTER = r"(?P<letter>(?:(?<![0-9A-WYZa-wyz])|(?<=[0-9]))[BGNSWZbgnswz](?=\s?[A-Qa-q][1-9]))"
"""A colour letter with its ring after it."""

FOREIGN_LETTER = compile_on_use(r"(?:(?<![0-9A-WYZa-wyz])|(?<=[0-9]))[NSZnsz]\s?[A-Qa-q][1-9]")
"""A colour letter that no English record has."""

_STATED = compile_on_use(r'\[\s*Language\s+"([^"\n]*)"', re.IGNORECASE)


def language_of(text: str) -> str | None:
    """Return the key of LANGUAGES that a text names, as a code (`it`, `it-IT`) or as a name, or None."""
    word = unicodedata.normalize("NFC", text).strip().casefold()
    return _LANGUAGE_OF.get(word) or _LANGUAGE_OF.get(re.split(r"[-_ ]", word)[0])


def require_language(language: str) -> None:
    """Raise ValueError for an unknown language."""
    if language not in LANGUAGES:
        raise ValueError(f"there are no letters {language!r}: choose one of {', '.join(LANGUAGES)}, or None")


class Lettering(NamedTuple):
    """A text with English letters.

    `language` is the language of its original letters, or None if they match several that differ (`is_open`) or none. `foreign` is the
    offset of the first replaced letter. `contradicted` is the stated language, if the letters contradict it.
    """

    text: str
    language: str | None = None
    is_open: bool = False
    foreign: int | None = None
    contradicted: str | None = None


def in_english(text: str, skipped: str, language: str | None = None) -> Lettering:
    """Return a record's text with English colour letters.

    `skipped` is an expression for parts without plies (comments, tags). `language` (a key of LANGUAGES) is the language that the caller
    states; else the record's tag Language counts, else its letters decide, if only one language has them. If several have them, with
    different colours, English is assumed and `is_open` set. Letters of no single language stay.
    """
    matches = [match for match in re.finditer(f"{skipped}|{LETTER}", text) if match["letter"]]
    used = {match["letter"].upper() for match in matches}
    tag = _STATED.search(text)
    stated = language or (language_of(tag[1]) if tag else None)
    if stated and used <= set(LANGUAGES[stated]):
        return _put(text, matches, stated)
    contradicted = stated
    fitting = [name for name, letters in LANGUAGES.items() if used <= set(letters)]
    meanings = {tuple(LANGUAGES[name].index(letter) for letter in sorted(used)) for name in fitting}
    if len(meanings) != 1:
        return Lettering(text, is_open=bool(meanings), contradicted=contradicted)
    return _put(text, matches, fitting[0])._replace(contradicted=contradicted)


def _put(text: str, matches: list[re.Match[str]], language: str) -> Lettering:
    letters, english = LANGUAGES[language], LANGUAGES["en"]
    meaning = str.maketrans(letters + letters.lower(), english + english.lower())
    characters = list(text)
    for match in matches:
        characters[match.start()] = match["letter"].translate(meaning)
    foreign = (match.start() for match in matches if characters[match.start()] != match["letter"])
    return Lettering("".join(characters), language, foreign=next(foreign, None))


def remarks_on(letters: Lettering, span: Callable[[int, int], Span], usual: str = "en") -> Iterator[Remark]:
    """Yield remarks on a record's letters; `usual` is the language that needs no remark."""
    whole = span(0, len(letters.text))
    if letters.contradicted:
        message = f"the letters contradict the stated language, {_NAMES[letters.contradicted]}"
        yield Remark("W752", whole, f"{message}; the letters count")
    if letters.is_open:
        message = "the letters leave open whether B is black (English) or white (Italian, French); it is read as black"
        yield Remark("N751", whole, message, '[Language "it"] or [Language "en"]')
    if letters.foreign is not None and letters.language != usual:
        white, grey, black = tuple(LANGUAGES[letters.language or "en"])
        message = (
            f"the letters {white}, {grey} and {black} are {_NAMES[letters.language or 'en']} for white, grey and black"
        )
        yield Remark("W750", span(letters.foreign, letters.foreign + 1), message)
