"""Replace names in records' bytes, tags, findings and names of files.

A record has names in fields of their own (compared whole) and in free text (found as words). Text that the rules read stays unchanged.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import cache

from zertz_db.parser import dialects
from zertz_db.parser.text.encoding import decode, encode
from zertz_db.parser.text.name_parts import JSON_TEXT, NAME, RESULT, NamePart, unescape
from zertz_db.store.names import fold_name

_WORD = re.compile(r"\w+")
_TIMESTAMP = r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{4}(?![0-9])"
"""The time in the file names of the server."""


class Redactor:
    """Replace names. shown: pseudonyms by names in normal form. others: names that stay although they contain one of those."""

    def __init__(self, shown: Mapping[str, str], others: Iterable[str] = ()) -> None:
        self.shown = shown
        self._others = sorted((name for name in others if self._is_inside(name)), key=len, reverse=True)
        self._words = _build_pattern(shown, self._others)
        self._results: re.Pattern[str] | None = self._words
        self._stems: dict[str, str] = {}
        self._by_players: dict[tuple[frozenset[str], frozenset[str]], Redactor] = {}

    def for_players(self, players: Iterable[str]) -> Redactor:
        """Return the redactor for a record of these players. The server's text on the winner omits a name's last digits."""
        folded = frozenset(map(fold_name, players))
        own = frozenset(folded & self.shown.keys())
        stems = {name.rstrip("0123456789"): self.shown[name] for name in own}
        stems = {stem: pseudonym for stem, pseudonym in stems.items() if stem and stem not in folded}
        key = own, frozenset(stems)
        if key not in self._by_players:
            redactor = self._by_players[key] = copy(self)
            redactor._stems = stems
            redactor._results = _build_pattern([*self.shown, *stems], self._others) if own else None
        return self._by_players[key]

    def _is_inside(self, name: str) -> bool:
        folded = fold_name(name)
        return folded not in self.shown and any(one in folded for one in self.shown)

    def name(self, name: str) -> str:
        """Return a name, or its pseudonym."""
        return self.shown.get(fold_name(name), name)

    def text(self, text: str) -> str:
        """Return a text with the names in it replaced; each must be one or several whole words."""
        return self._words.sub(self._get_replacement, text)

    def result(self, text: str) -> str:
        """Return a text about the winner with the names in it replaced."""
        return self._results.sub(self._get_replacement, text) if self._results else text

    def finding(self, text: str) -> str:
        """Return a message about a record, which may quote any part of it, with the names in it replaced."""
        return self.text(self.result(text))

    def tag(self, name: str, value: str) -> str:
        """Return the value of a tag without a column of its own, with the names in it replaced."""
        return self.result(value) if name == "RE" else self.text(value)

    def record(self, data: bytes, dialect: str | None, is_game: bool) -> bytes:
        """Return a record's bytes with the names replaced; unchanged if it has none of them.

        Replace names anywhere in a record that is not a game, and in dialects without a pattern of their own: their fields for names are
        unknown.
        """
        text, encoding = decode(data)
        fields = dialects.facts_of(dialect).find_name_fields()
        before = text = fields.prepare(text) if fields else text
        if fields:
            text = self._redact_parts(text, fields.find_parts(text))
        text = text if is_game and fields else self.text(text)
        return data if text == before else encode(text, encoding)

    def _get_replacement(self, match: re.Match[str]) -> str:
        if match["name"] is None:
            return match[0]
        name = fold_name(unescape(match[0]))
        return self.shown.get(name) or self._stems.get(name, match[0])

    def _redact_parts(self, text: str, parts: Iterable[NamePart]) -> str:
        pieces: list[str] = []
        end = 0
        for part in parts:
            pieces += text[end : part.start], self._redact_part(text[part.start : part.end], part.kind)
            end = part.end
        return "".join((*pieces, text[end:]))

    def _redact_part(self, text: str, kind: str) -> str:
        if kind == NAME:
            return self._field(text)
        if kind == RESULT:
            return self.result(text)
        return self._redact_json(text) if kind == JSON_TEXT else self.text(text)

    def _redact_json(self, text: str) -> str:
        parsed = _parse_json_text(text)
        pseudonym = self.text(parsed)
        return text if pseudonym == parsed else json.dumps(pseudonym, ensure_ascii=False)

    def _field(self, name: str) -> str:
        return self.shown.get(fold_name(unescape(name)), name)


def _parse_json_text(text: str) -> str:
    """Return the value of a text in JSON; return an invalid one unchanged."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text


def find_player_names(data: bytes) -> set[str]:
    """Return the names in the fields of a record that are for names."""
    text, _ = decode(data)
    fields = filter(None, (dialect.find_name_fields() for dialect in dialects.DIALECTS))
    return {name.strip() for one in fields for name in one.find_players(one.prepare(text))}


def find_words(data: bytes, member: str) -> set[str]:
    """Return every single word of a record and of its file's name."""
    text = unicodedata.normalize("NFC", f"{decode(data)[0]}\n{member}")
    return set(_WORD.findall(text))


def _build_pattern(names: Iterable[str], others: Iterable[str]) -> re.Pattern[str]:
    spelt = "|".join(map(_build_spelling_pattern, sorted(names, key=len, reverse=True)))
    patterns = [
        _TIMESTAMP,
        *(_match_whole_words(_build_spelling_pattern(name)) for name in others),
        _match_whole_words(f"(?P<name>{spelt})"),
    ]
    return re.compile("|".join(patterns), re.IGNORECASE)


_WORD_CHARACTER = r"(?:[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[\u0300-\u036f])"
"""A character that makes a longer word of a name, or an accent that makes another letter; East Asian texts have no spaces after it."""
_INVISIBLE = "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]*"
"""Invisible characters, which may be between any two letters."""


def _match_whole_words(pattern: str) -> str:
    return rf"(?<!{_WORD_CHARACTER}){pattern}(?!{_WORD_CHARACTER})"


def _build_spelling_pattern(name: str) -> str:
    """Return a pattern of all spellings of a name in normal form; characters in it may have a backslash before them."""
    return _INVISIBLE.join(_build_letter_pattern(*letter) for letter in _split_letters(name))


@cache
def _get_case_expansions() -> dict[str, str]:
    """Return the characters that folding expands, by their expansion: `ss` comes from ß and ẞ."""
    sources: dict[str, str] = {}
    for char in map(chr, range(sys.maxunicode + 1)):
        folded = char.casefold()
        if len(folded) > 1:
            sources[fold_name(char)] = sources.get(fold_name(char), "") + char
    return sources


def _split_letters(name: str) -> Iterator[tuple[str, str]]:
    """Yield the name in parts, each with the single characters that fold to it."""
    expanding, at = _get_case_expansions(), 0
    while at < len(name):
        part = next((name[at : at + size] for size in (3, 2) if name[at : at + size] in expanding), name[at])
        yield part, expanding.get(part, "")
        at += len(part)


def _build_letter_pattern(part: str, single: str) -> str:
    """Return a pattern of one part: composed, decomposed, or one of the characters that fold to it."""
    if part == " ":
        return rf"(?:{_INVISIBLE}\s)+"
    spellings = {
        part,
        unicodedata.normalize("NFD", part),
        *single,
        *(unicodedata.normalize("NFD", one) for one in single),
    }
    patterns = sorted({"".join(map(_escape_character, one)) for one in spellings}, key=len, reverse=True)
    return patterns[0] if len(patterns) == 1 else f"(?:{'|'.join(patterns)})"


def _escape_character(char: str) -> str:
    return char if char.isalnum() or unicodedata.combining(char) else rf"\\?{re.escape(char)}"
