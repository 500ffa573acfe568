"""Names replaced in whatever holds them: records' bytes, tags, findings, names of files.

In a record, names stand in fields of their own (compared whole) and in free text (found as words); what the rules read stays untouched.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cache
from typing import TypeAlias

from parser.boardspace.reader import escape_values
from parser.gipf.tags import fact_of
from parser.text.encoding import decode, encode
from parser.text.normal_text import normal_tags
from zertz_db.store.names import fold_name

NAME_TAGS = ("Player1", "Player2")
_TEXT_TAGS = ("Event", "Site", "Round")
_SERVER_TEXT_TAGS = ("C", "GN", "GC", "RE", "EV", "RO", "PC", "SO", "US", "AN", "ON")
"""Properties of the server's SGF that hold free text."""

_OFFICIAL = re.compile(
    r'\[\s*(?P<field>\w+)\s+"(?P<value>(?:\\.|[^"\\])*)"\s*\]'
    r"|\{(?P<comment>(?:\\.|[^}\\])*)\}"
    r"|;(?P<rest>[^\n]*)"
    r"|^(?:[^\S\n]*\[[^\n]*|(?=[^\n{;]*[>%|:])[^\n{;]+)",  # tags in odd quotation marks, mails, tables, names before plies
    re.DOTALL | re.MULTILINE,
)
_SERVER = re.compile(
    r'\bP[01]\s*\[\s*id\s+"*(?P<name>(?:\\.|[^\]\\"])*)"*\s*\]'
    r"|\b(?P<field>[A-Z]{1,2})\s*\[(?P<value>(?:\\.|[^\]\\])*)\]",
    re.DOTALL,
)
_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_JSON_PLAYER = re.compile(r'"player[12]"\s*:\s*("(?:[^"\\]|\\.)*")', re.IGNORECASE)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_WORD = re.compile(r"\w+")
_TIMESTAMP = r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{4}(?![0-9])"
"""The time in the names of the server's files."""

Replacer: TypeAlias = Callable[[str], str]


class Redactor:
    """Replaces names. `shown`: what is shown instead, by name in normal form; `others`: names that stay though one of those is in them."""

    def __init__(self, shown: Mapping[str, str], others: Iterable[str] = ()) -> None:
        self.shown = shown
        self._kept = sorted((name for name in others if self._is_inside(name)), key=len, reverse=True)
        self._words = _build_pattern(shown, self._kept)
        self._results: re.Pattern[str] | None = self._words
        self._stems: dict[str, str] = {}
        self._beside: dict[tuple[frozenset[str], frozenset[str]], Redactor] = {}

    def beside(self, players: Iterable[str]) -> Redactor:
        """The veil for a record of these players. Where the server says who won it leaves off a name's last digits; it means a player."""
        folded = frozenset(map(fold_name, players))
        own = frozenset(folded & self.shown.keys())
        stems = {name.rstrip("0123456789"): self.shown[name] for name in own}
        stems = {stem: instead for stem, instead in stems.items() if stem and stem not in folded}
        key = own, frozenset(stems)
        if key not in self._beside:
            veil = self._beside[key] = copy(self)
            veil._stems = stems
            veil._results = _build_pattern([*self.shown, *stems], self._kept) if own else None
        return self._beside[key]

    def _is_inside(self, name: str) -> bool:
        folded = fold_name(name)
        return folded not in self.shown and any(one in folded for one in self.shown)

    def name(self, name: str) -> str:
        """A name, or what is shown instead."""
        return self.shown.get(fold_name(name), name)

    def text(self, text: str) -> str:
        """A text with the names in it replaced; each must be a word, or several, of its own."""
        return self._words.sub(self._get_replacement, text)

    def result(self, text: str) -> str:
        """The same in a text that says who won."""
        return self._results.sub(self._get_replacement, text) if self._results else text

    def finding(self, text: str) -> str:
        """The same in what is said about a record, which may quote any part of it."""
        return self.text(self.result(text))

    def tag(self, name: str, value: str) -> str:
        """The value of a tag that has no column of its own."""
        return self.result(value) if name == "RE" else self.text(value)

    def record(self, data: bytes, dialect: str | None, is_game: bool) -> bytes:
        """Return a record's bytes with the names replaced; unchanged if it has none of them.

        Names go wherever they are from what is no game, and in dialects that have no pattern of their own: there it is not known
        which parts hold them.
        """
        text, encoding = decode(data)
        before = text = escape_values(text) if dialect == "boardspace" else text
        if dialect in _REDACTION_PATTERNS:
            pattern, replace = _REDACTION_PATTERNS[dialect]
            text = pattern.sub(lambda found: replace(self, found), text)
        text = text if is_game and dialect in _REDACTION_PATTERNS else self.text(text)
        return data if text == before else encode(text, encoding)

    def _get_replacement(self, found: re.Match[str]) -> str:
        if found["name"] is None:
            return found[0]
        name = fold_name(_unescape(found[0]))
        return self.shown.get(name) or self._stems.get(name, found[0])

    def _redact_official(self, found: re.Match[str]) -> str:
        if found["field"] is None:
            return self.text(found[0])
        fact = fact_of(found["field"])
        if fact in NAME_TAGS:
            return _replace_group(found, "value", self._field)
        return _replace_group(found, "value", self.text) if fact is None or fact in _TEXT_TAGS else found[0]

    def _redact_server(self, found: re.Match[str]) -> str:
        if found["name"] is not None:
            return _replace_group(found, "name", self._field)
        if found["field"] not in _SERVER_TEXT_TAGS:
            return found[0]
        return _replace_group(found, "value", lambda text: self.tag(found["field"], text))

    def _redact_json(self, found: re.Match[str]) -> str:
        text = _parse_json_text(found[0])
        instead = self.text(text)
        return found[0] if instead == text else json.dumps(instead, ensure_ascii=False)

    def _field(self, name: str) -> str:
        return self.shown.get(fold_name(_unescape(name)), name)


_REDACTION_PATTERNS: dict[str | None, tuple[re.Pattern[str], Callable[[Redactor, re.Match[str]], str]]] = {
    "gipf": (_OFFICIAL, Redactor._redact_official),
    "boardspace": (_SERVER, Redactor._redact_server),
    "jsonl": (_JSON_TEXT, Redactor._redact_json),
}


def _parse_json_text(text: str) -> str:
    """What a text in JSON says; what is no such text is as it is."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text


def find_player_names(data: bytes) -> set[str]:
    """The names that stand in a record's fields for them."""
    text = escape_values(decode(data)[0])
    plain, _ = normal_tags(text)
    official = (
        text[slice(*found.span("value"))]
        for found in _OFFICIAL.finditer(plain)
        if fact_of(found["field"] or "") in NAME_TAGS
    )
    server = (found["name"] for found in _SERVER.finditer(text) if found["name"])
    objects = (_parse_json_text(found[1]) for found in _JSON_PLAYER.finditer(text))
    return {*(_unescape(name).strip() for name in (*official, *server)), *(name.strip() for name in objects)}


def find_words(data: bytes, member: str) -> set[str]:
    """Every single word of a record and of its file's name."""
    text = unicodedata.normalize("NFC", f"{decode(data)[0]}\n{member}")
    return set(_WORD.findall(text))


def _build_pattern(names: Iterable[str], kept: Iterable[str]) -> re.Pattern[str]:
    spelt = "|".join(map(_build_spelling_pattern, sorted(names, key=len, reverse=True)))
    words = [
        _TIMESTAMP,
        *(_match_whole_words(_build_spelling_pattern(name)) for name in kept),
        _match_whole_words(f"(?P<name>{spelt})"),
    ]
    return re.compile("|".join(words), re.IGNORECASE)


_WORD_CHARACTER = r"(?:[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[\u0300-\u036f])"
"""A sign that makes a longer word of a name, or an accent that makes another letter; East Asian texts have no blanks behind it."""
_INVISIBLE = "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]*"
"""Characters that nobody sees may stand between any two letters."""


def _match_whole_words(pattern: str) -> str:
    return rf"(?<!{_WORD_CHARACTER}){pattern}(?!{_WORD_CHARACTER})"


def _build_spelling_pattern(name: str) -> str:
    """Return a pattern of all spellings of a name in normal form; signs in it may have a backslash before them."""
    return _INVISIBLE.join(_build_letter_pattern(*letter) for letter in _split_letters(name))


@cache
def _get_case_expansions() -> dict[str, str]:
    """Return the characters that folding makes several of, by what it makes of them: `ss` comes of ß and ẞ."""
    found: dict[str, str] = {}
    for sign in map(chr, range(sys.maxunicode + 1)):
        folded = sign.casefold()
        if len(folded) > 1:
            found[fold_name(sign)] = found.get(fold_name(sign), "") + sign
    return found


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


def _escape_character(sign: str) -> str:
    return sign if sign.isalnum() or unicodedata.combining(sign) else rf"\\?{re.escape(sign)}"


def _unescape(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def _replace_group(found: re.Match[str], group: str, replace: Replacer) -> str:
    start, end = found.start(group) - found.start(), found.end(group) - found.start()
    whole = found[0]
    return whole[:start] + replace(whole[start:end]) + whole[end:]
