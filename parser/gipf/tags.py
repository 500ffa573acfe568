"""Read the tags of the official notation: the fact that each states, and its words."""

from __future__ import annotations

import datetime
import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from zertz_db.parser.gipf.results import result_of
from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.record import Remark, Span
from zertz_db.parser.text.colour_letters import LANGUAGES, language_of
from zertz_db.parser.text.look_alikes import in_latin
from zertz_db.parser.text.ring_names import COLUMN_NUMBERS, COORDINATES, DIAGONAL_NUMBERS
from zertz_db.parser.vocabulary.board_names import BOARDS, board_named
from zertz_db.parser.vocabulary.rule_words import (
    AUTOMATIC,
    BASIC,
    NAMES,
    NO_TIES,
    OPTIONS,
    TOURNAMENT,
    WRITTEN,
    is_basic,
    parse_rule_words,
    repetition_in,
)
from zertz_db.parser.vocabulary.terms import Ending, GameResult

FIELDS = {
    "Event": "event",
    "Site": "site",
    "Date": "date",
    "Round": "round",
    "Player1": "player1",
    "Player2": "player2",
    "Result": "result",
    "Board": "board",
    "Coordinates": "coordinates",
    "Language": "language",
    "RuleSet": "rule_set",
    "Tournament": "tournament",
    "Claims": "claims",
    "Ties": "ties",
    "Repetition": "repetition",
    "Termination": "ending",
    "OutOfTime": "ending_by",
    "SetUp": "set_up",
    "Position": "position",
    "Clock": "clock",
    "PlyCount": "ply_count",
}
"""Tags that state a fact, in writing order, and the fact (fields of Record, `language`, `set_up`, `ply_count`).

`OutOfTime` names the player whose time ran out, if the result does not imply it."""

_SYNONYMS = {"White": "Player1", "Black": "Player2"}
_LIKELY = {
    "first": "Player1", "second": "Player2", "winner": "Result", "outcome": "Result", "score": "Result",
    "rings": "Board", "size": "Board", "boardsize": "Board",
    "rules": "RuleSet", "variant": "RuleSet", "gametype": "RuleSet",
    "ending": "Termination", "ended": "Termination", "reason": "Termination",
    "fen": "Position", "startposition": "Position", "plies": "PlyCount",
    "place": "Site", "location": "Site", "day": "Date", "played": "Date",
}  # fmt: skip
"""Lower-case names that state no fact, and the tag that is probably meant."""
_ALIKE = 0.8
"""Minimum likeness (difflib's ratio) to a known name for a typing error."""
_KNOWN = {name.casefold(): name for name in FIELDS} | {name.casefold(): fact for name, fact in _SYNONYMS.items()}

_YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

ENDINGS: dict[Ending | None, tuple[str, ...]] = {
    Ending.RESIGN: ("resign", "resigns", "resigned", "resignation"),
    Ending.TIME: ("time", "time forfeit", "time out", "timeout", "lost on time", "out of time"),
    Ending.AGREED: (
        "agreed",
        "agreement",
        "mutual agreement",
        "draw agreed",
        "tie agreed",
        "tie",
        "draw",
        "drawn",
        "tied",
    ),
    Ending.REPETITION: ("repetition", "repeated moves", "repeated turns", "threefold repetition"),
    Ending.ABANDONED: ("abandoned", "abandonment"),
    Ending.SET: ("set", "winning set"),
    Ending.BOARD_FILLED: ("board filled",),
    Ending.BOTH_LOSE: ("both lose",),
    Ending.NO_MOVE: ("no move", "no moves", "no legal move", "no legal moves"),
    None: ("normal",),
}
"""Endings of games and their words."""

_WORDS: dict[str, dict[str, Any]] = {
    "Result": {result.value: result.value for result in GameResult},
    "Board": {board: board for board in BOARDS},
    "RuleSet": dict.fromkeys((*NAMES, "original", "1999", BASIC, f"{NAMES[0]}+{TOURNAMENT}", f"{NAMES[0]}+{WRITTEN}")),
    "Tournament": _YES_NO,
    "Claims": {"written": "written", "automatic": "automatic"},
    "Ties": _YES_NO | {"allowed": True, "permitted": True, "not allowed": False, "not permitted": False, "none": False},
    "Repetition": {"open": 0, "at once": 2, "twice": 2, "three times": 3}
    | {str(times): times for times in range(2, 10)},
    "Termination": {word: ending for ending, words in ENDINGS.items() for word in words},
    "OutOfTime": {"player1": 1, "player2": 2},
    "SetUp": _YES_NO,
    "Clock": {"up": "up", "down": "down"},
    "Coordinates": {word: word for word in COORDINATES} | {"column": COLUMN_NUMBERS, "diagonal": DIAGONAL_NUMBERS},
    "Language": {language: language for language in LANGUAGES},
    "PlyCount": {},
}
"""Tags whose values are words, or (PlyCount) a number, and the meanings of the words."""
_AS_WRITTEN = frozenset((*filter(None, ENDINGS), "Player1", "Player2"))
"""Other valid spellings of such words."""

_NEVER_GUESSED = ("Board",)
"""Tags whose value is a fact even if it is not understood: no other value may replace it."""

_FORMAL = frozenset((*_WORDS, "Date", "Position"))
"""Tags whose values are not free text."""


class Tag(NamedTuple):
    """A tag as written, its value without quotes and escapes, and its span."""

    name: str
    value: str
    span: Span


@lru_cache(maxsize=1024)
def fact_of(name: str) -> str | None:
    """Return the tag that states a fact by this name or a synonym (`White`, `event`); None for other tags."""
    return _KNOWN.get(in_latin(name).casefold())


def understand(tags: Sequence[Tag]) -> tuple[dict[str, Any], list[Remark]]:
    """Return the facts that tags state (keys are the values of FIELDS; unknown facts are missing), and remarks."""
    facts: dict[str, Any] = {}
    remarks: list[Remark] = []
    rules: dict[str, Any] = {}
    seen: set[str] = set()
    strange: list[Tag] = []
    line = 0
    for tag in tags:
        if tag.span.line == line:
            remarks.append(
                Remark("W725", tag.span, "the tag shares its line with another", "write each on a line of its own")
            )
        line = tag.span.line
        name = fact_of(tag.name)
        if (name or tag.name) in seen:
            remarks.append(Remark("W526", tag.span, f"the tag {tag.name} occurs twice; the first one counts"))
            continue
        seen.add(name or tag.name)
        if name is None:
            strange.append(tag)
            continue
        if tag.name not in FIELDS:
            code = "W732" if tag.name.isascii() else "W740"
            remarks.append(Remark(code, tag.span, f"{tag.name} is read as {name}"))
        if name == "RuleSet":
            rules, remark = _rule_set(tag)
        else:
            value, remark = _value(name, tag)
            if value is None and remark and name in _NEVER_GUESSED:
                value = tag.value
            if value is not None:
                facts[FIELDS[name]] = value
        if remark is not None:
            remarks.append(remark)
    if "position" in facts:
        rules.pop("board", None)
    facts = rules | {fact: value for fact, value in facts.items() if value is not None}
    remarks += _against_rule_set(tags, rules, facts)
    for tag in strange:
        intended = _interpret(tag.name)
        if intended and intended not in seen:
            message = f"the tag {tag.name} is unknown and ignored; perhaps {intended} was meant"
            remarks.append(Remark("W536", tag.span, message, f'[{intended} "{_escaped(tag.value)}"]'))
    return facts, remarks


def _rule_set(tag: Tag) -> tuple[dict[str, Any], Remark | None]:
    """Return the facts that a rule set with its options states, and a remark or None."""
    if tag.value in ("", "?"):
        return {}, None
    name, *options = words = parse_rule_words(in_latin(tag.value))
    times = [*map(repetition_in, options)]
    if name not in NAMES or any(
        count is None and option not in OPTIONS for count, option in zip(times, options, strict=True)
    ):
        return {}, _not_understood("RuleSet", tag)
    facts: dict[str, Any] = {"rule_set": name}
    stated = (
        (TOURNAMENT, "tournament", True),
        (WRITTEN, "claims", "written"),
        (AUTOMATIC, "claims", "automatic"),
        (NO_TIES, "ties", False),
    )
    facts |= {fact: value for option, fact, value in stated if option in options}
    if any(times):
        facts["repetition"] = max(filter(None, times))
    if is_basic(tag.value):
        message = "basic is read as today's standard game on board 37; before 2007 it was the game with 5/7/9 marbles, now blitz"
        return {"board": "37"} | facts, Remark("N550", tag.span, message, '[RuleSet "standard"] or [RuleSet "blitz"]')
    usual = "+".join(words)
    return facts, None if tag.value == usual else Remark("W733", tag.span, f"RuleSet {tag.value!r} is read as {usual}")


def _against_rule_set(tags: Sequence[Tag], rules: dict[str, Any], facts: dict[str, Any]) -> Iterator[Remark]:
    """Yield remarks on tags that contradict the words of the rule set; these tags count."""
    for tag in tags:
        fact = FIELDS.get(fact_of(tag.name) or "", "")
        if fact in rules and facts[fact] != rules[fact]:
            message = f"{tag.name} says {tag.value}, but the words of RuleSet contradict it; {tag.name} counts"
            yield Remark("W549", tag.span, message)


def _not_understood(name: str, tag: Tag) -> Remark:
    words = _WORDS[name]
    wanted = "a number" if name == "PlyCount" else f"one of: {', '.join(dict.fromkeys(words))}"
    code = "W529" if name == "Termination" else "W528"
    return Remark(code, tag.span, f"{name} says {tag.value!r}, which is not understood", wanted)


def _interpret(name: str) -> str | None:
    """Return the tag that an unknown name probably means."""
    plain = re.sub(r"[\W_]", "", name.casefold())
    if plain in _LIKELY:
        return _LIKELY[plain]
    likest = difflib.get_close_matches(plain, _KNOWN, 1, _ALIKE)
    return _KNOWN[likest[0]] if likest else None


def _escaped(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", value)


def _value(name: str, tag: Tag) -> tuple[Any, Remark | None]:
    if tag.value in ("", "?"):
        return None, None
    if name in _FORMAL and not tag.value.isascii() and in_latin(tag.value).isascii():
        value, remark = _value(name, tag._replace(value=in_latin(tag.value)))
        message = f"{name} has letters or digits of another script; it is read as {in_latin(tag.value)!r}"
        return value, Remark("W740", tag.span, message) if value is not None else remark
    if name == "Date":
        return _date(tag)
    if name == "PlyCount" and re.fullmatch(r"[0-9]{1,4}", tag.value):
        return int(tag.value), None
    if name not in _WORDS:
        return tag.value, None
    words = _WORDS[name]
    word = _word(name, tag.value)
    if word in words:
        is_usual = tag.value in words or tag.value in _AS_WRITTEN
        return words[word], None if is_usual else Remark("W733", tag.span, f"{name} {tag.value!r} is read as {word}")
    return None, _not_understood(name, tag)


def is_understood(name: str, value: str) -> bool:
    """Return whether the value of a tag that states a fact (a key of FIELDS) is a date, a number or a word of that fact.

    >>> is_understood("PlyCount", "41"), is_understood("PlyCount", "Ada")
    (True, False)
    """
    return _value(name, Tag(name, value, Span(0, 0, 1, 1)))[0] is not None


def _word(name: str, value: str) -> str:
    """Return the word of _WORDS that a value spells, or the value itself."""
    if name == "Result" and value not in _WORDS["Result"]:
        return result_of(value) or value
    if name == "Board":
        return board_named(value) or value
    if name == "Language":
        return language_of(value) or value
    return value if name == "Result" else _plain_word(value)


def ending_of(text: str) -> Ending | None:
    """Return how a game ended, by any word for it; None for other words."""
    ending: Ending | None = _WORDS["Termination"].get(_plain_word(text))
    return ending


_TIMES = ("time", "starttime", "utctime")
"""Tags that state the time of day of a game, the most reliable first."""
_TIME_OF_DAY = compile_on_use(r"([01]?[0-9]|2[0-3])[:.]([0-5][0-9])(?:[:.]([0-5][0-9]))?(?:\.[0-9]+)?")


def time_of(tags: Iterable[tuple[str, str]]) -> str | None:
    """Return the time of day, `HH:MM` or `HH:MM:SS`, by `Time`, else by `StartTime` or `UTCTime`. These tags are stored but state no fact
    of their own.
    """
    stated = {name.casefold(): value for name, value in reversed([*tags])}
    for name in _TIMES:
        if match := _TIME_OF_DAY.fullmatch(stated.get(name, "").strip()):
            hour, minute, second = match.groups()
            return f"{hour:0>2}:{minute}:{second}" if second else f"{hour:0>2}:{minute}"
    return None


def date_in_utc(tags: Iterable[Tag]) -> str | None:
    """Return the date by the tag `UTCDate`, for records without another date."""
    stated = next((tag for tag in tags if tag.name.casefold() == "utcdate"), None)
    return _date(stated)[0] if stated else None


def first_mover(position: str | None) -> int:
    """Return the player who moves first, 1 or 2, by a position string's SIDE; 1 without one."""
    side = re.search(r" ([12])(?: [01])?$", position or "")
    return int(side[1]) if side else 1


def _plain_word(value: str) -> str:
    """Return `By_Resignation`, `board-filled` and the like in one spelling."""
    words = re.sub(r"[\s_-]+", " ", value.casefold()).strip()
    return re.sub(r"^(?:by|on) ", "", words)


def _date(tag: Tag) -> tuple[str | None, Remark | None]:
    parts = re.fullmatch(r"([0-9]{4}|[?]{4})([./-])([0-9]{1,2}|[?]{2})\2([0-9]{1,2}|[?]{2})", tag.value)
    if parts is None and re.fullmatch(r"[0-9]{4}", tag.value):
        date = _possible_date(tag.value, "??", "??")
    elif parts is None:
        return None, Remark("W531", tag.span, f"the date {tag.value!r} can't be read", "write it as YYYY.MM.DD")
    else:
        date = _possible_date(parts[1], f"{parts[3]:0>2}", f"{parts[4]:0>2}")
    remark = None if date == tag.value else Remark("W531", tag.span, f"the date {tag.value!r} is read as {date}", date)
    return (None if date == "????.??.??" else date), remark


def _possible_date(year: str, month: str, day: str) -> str:
    """Return the date `YYYY.MM.DD` with question marks for impossible parts. If the year or month is unknown, the longest one decides."""
    try:
        datetime.date(int(year.replace("????", "2000")), int(month.replace("??", "1")), int(day.replace("??", "1")))
    except ValueError:
        year = "????" if year == "0000" else year
        month = month if month == "??" or 1 <= int(month) <= 12 else "??"
        day = "??"
    return f"{year}.{month}.{day}"
