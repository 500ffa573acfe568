"""Read the game server's root properties and file names: variants, players, dates and results in many languages."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.text.encoding import restore_cyrillic

FIRST_YEAR = 2004
"""The server has had the game since March 2004. Earlier years come from wrong clocks."""

_PLAYER = compile_on_use(r"\s*+id\s++(.*)", re.DOTALL)
_FLAGS = compile_on_use(r"(?:www)?([TUA]{1,3})(?:!|-(?=Z))")
_FLAG_WORDS = {"T": "tournament", "U": "unranked", "A": "turn-based"}


class Property(NamedTuple):
    """An SGF property: its name, its value without brackets and escapes, and its range in the text."""

    name: str
    value: str
    start: int
    end: int


class Date(NamedTuple):
    """A date as `YYYY.MM.DD`, with `??` for an impossible part, and the time of day, `HH:MM` or `HH:MM:SS`.

    A doubt about the date has a code and a sentence.
    """

    text: str | None
    code: str = ""
    doubt: str = ""
    time: str | None = None


class Header:
    """A game's root properties and the name of its file."""

    def __init__(self, name: str) -> None:
        """Start without properties, in a file called `name`, with or without folders."""
        self.properties: list[Property] = []
        self._name = name.rsplit("/", 1)[-1]

    def find(self, name: str) -> Property | None:
        """Return the first property of that name."""
        for item in self.properties:  # a loop, because each game needs it three times
            if item.name == name:
                return item
        return None

    def tags(self) -> tuple[tuple[str, str], ...]:
        """Return every property as written, and the name's flags in words: `TU!Z-…` is an unranked tournament game."""
        tags = [(item.name, item.value) for item in self.properties]
        flags = read_flags(self._names_of_game())
        return (*tags, ("Flags", flags)) if flags else tuple(tags)

    def names(self) -> dict[str, str]:
        """Return the players' names by side: `P0[id "ada"]`, `id ada` and `id ""ada""` are all ada in side "0"."""
        return find_players(item[:2] for item in self.properties)

    def date(self) -> Date:
        """Return date and time by the stamp in the name of the file or the game (the server's clock), else by DT (the writer's)."""
        written = self.find("DT")
        stated = restore_cyrillic(written.value).strip() if written else ""
        for name, source in zip(self._names_of_game(), ("the file's name", "the game's name"), strict=False):
            if match := _STAMP.search(name):
                return _stamped(source, match, stated)
        if not written or not stated:
            return Date(None)
        parts = _date_parts(stated)
        if parts is None:
            return Date(
                None, "W541", f"DT says {written.value.strip()!r}, which can't be read as a date; none is stored"
            )
        return _checked("DT", repr(written.value.strip()), *parts)._replace(time=_time_of_day(stated))

    def _names_of_game(self) -> list[str]:
        name = self.find("GN")
        return [self._name, name.value] if name else [self._name]


def read_flags(names: Iterable[str]) -> str | None:
    """Return the flags of the first name of a game that has some, in words."""
    for name in names:
        if match := _FLAGS.match(name):
            return " ".join(_FLAG_WORDS[letter] for letter in match[1])
    return None


def find_players(properties: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the players' names by side, given the names and values of a game's properties."""
    names: dict[str, str] = {}
    for name, value in properties:
        if name in ("P0", "P1") and (player := player_in(value)) is not None:
            names.setdefault(name[1], player)
    return {side: name for side, name in names.items() if name}


@lru_cache(maxsize=4096)
def player_in(value: str) -> str | None:
    """Return the player's name in a property of his side, or None if it states something else."""
    match = _PLAYER.fullmatch(value)
    return match[1].strip().strip('" ') if match else None


# Dates


def find_sure_date(name: str) -> Date | None:
    """Return the date by the stamp in a file's name if it is possible; None without a stamp, and if its year had names with other dates."""
    stamp = _STAMP.search(name, name.rfind("/") + 1)
    if stamp is None:
        return None
    _, year, month, day, hour, minute = stamp.groups()
    date = None if year == _YEAR_AHEAD else _sure_day(year, month, day)
    return Date(date, "", "", _sure_time(hour, minute)) if date else None


def date_of(name: str, properties: Sequence[Property]) -> Date:
    """Return the date by the name of a game's file and its properties."""
    header = Header(name)
    header.properties += properties
    return header.date()


@lru_cache(maxsize=16384)
def _sure_day(year: str, month: str, day: str) -> str | None:
    date = _checked("a name", "a day", year, month, day)
    return None if date.doubt else date.text


@lru_cache(maxsize=2048)
def _sure_time(hour: str, minute: str) -> str | None:
    return _clock_time(int(hour), int(minute))


_STAMP = compile_on_use(r"(?<![0-9])(([0-9]{4})-([0-9]{2})-([0-9]{2}))-([0-9]{2})([0-9]{2})")
_DAY = datetime.timedelta(days=1)

_AHEAD = (datetime.date(2004, 3, 1), datetime.date(2004, 6, 6))
"""Period in which the server's names had the day after the game's, in UTC: March 2004 to the 4th or 5th of June."""
_YEAR_AHEAD = "2004"
_SURELY_AHEAD = datetime.date(2004, 6, 4)
"""Before this day all names were ahead. Of the names with this day and the next, some were."""


def _stamped(source: str, stamp: re.Match[str], stated: str) -> Date:
    """Return the date by a stamp such as `2024-05-01-1200`; `stated` is DT, in the writer's own time."""
    text_of_date, year, month, day, hour, minute = stamp.groups()
    time = _clock_time(int(hour), int(minute))
    moment = _moment(int(year), int(month), int(day), time)
    if moment and _is_a_day_ahead(moment, moment_stated(stated)):
        date = f"{moment - _DAY:%Y.%m.%d}"
        doubt = f"{source} says {text_of_date}; names of those months have the day after: {date} is taken"
        return Date(date, "N540", doubt, time)
    return _checked(source, text_of_date, year, month, day)._replace(time=time)


def _moment(year: int, month: int, day: int, time: str | None) -> datetime.datetime | None:
    """Return a moment of those months. Their names count past the month's last day: 31 May is `2004-05-32`."""
    if year != _AHEAD[0].year or not _AHEAD[0].month <= month <= _AHEAD[1].month or not 1 <= day <= 32:
        return None
    hour, minute = map(int, (time or "12:00").split(":"))
    return datetime.datetime(year, month, 1, hour, minute) + (day - 1) * _DAY  # noqa: DTZ001 - as the name has it


def _is_a_day_ahead(named: datetime.datetime, stated: datetime.datetime | None) -> bool:
    """Return whether a name has the day after its game's.

    A writer's clock is at most 14 hours before UTC and 12 after it. So it shows which of the two days is right, except in the middle of the
    Pacific; there the day in the name decides.
    """
    if not _AHEAD[0] <= named.date() < _AHEAD[1]:
        return False
    offset = named - stated if stated else None
    if offset is not None and _EAST <= offset - _DAY <= _WEST and not _EAST <= offset <= _WEST:
        return True
    if offset is not None and _EAST <= offset <= _WEST and not _EAST <= offset - _DAY <= _WEST:
        return False
    return stated is None or named.date() < _SURELY_AHEAD


_EAST, _WEST = datetime.timedelta(hours=-14, minutes=-5), datetime.timedelta(hours=12, minutes=5)
"""How far UTC is ahead of the clocks in the east and in the west, with some minutes of tolerance."""


def moment_stated(text: str) -> datetime.datetime | None:
    """Return the moment that DT states, in the writer's own time."""
    parts, time = _date_parts(text), _time_of_day(text)
    if parts is None or time is None or not _exists(*parts):
        return None
    return datetime.datetime.fromisoformat(f"{parts[0]:04}-{parts[1]:02}-{parts[2]:02}T{time}")


def _time_of_day(text: str) -> str | None:
    """Return the time of day in a date in any language: `Wed Oct 29 08:02:18 ADT 2025`, `October 16, 2024 3:05 PM`."""
    if not (match := _TIME_OF_DAY.search(text)):
        return None
    hour, half = int(match[1]), (match[4] or "").upper()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + 12 * (half == "PM")
    return _clock_time(hour, int(match[2]), int(match[3]) if match[3] else None)


def _clock_time(hour: int, minute: int, second: int | None = None) -> str | None:
    """Return `HH:MM` or `HH:MM:SS`, or None for an impossible time."""
    if hour > 23 or minute > 59 or (second or 0) > 59:
        return None
    return f"{hour:02}:{minute:02}" + ("" if second is None else f":{second:02}")


@lru_cache(maxsize=1024)
def _checked(source: str, text_of_date: str, year: str | int, month: str | int, day: str | int) -> Date:
    """Return the date without its impossible parts; `whose` and `says` name the source and its text for the doubt."""
    year, month, day = int(year), int(month), int(day)
    parts = [
        f"{year:04}" if FIRST_YEAR <= year < 2100 else "????",
        f"{month:02}" if 1 <= month <= 12 else "??",
        f"{day:02}" if _exists(year, month, day) else "??",
    ]
    text = ".".join(parts)
    if "?" not in text:
        return Date(text)
    return Date(
        text, "W540", f"{source} says {text_of_date}; no game of this server can have that date: {text} is taken"
    )


def _exists(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


def _date_parts(text: str) -> tuple[int, int, int] | None:
    """Return year, month and day of a date in any language, or None if ambiguous.

    Accepted are a day, the name of a month and a year in any order (`Wed Oct 29 08:02:18 ADT 2025`, `1. April 2024`, `24 de junio de 2017`,
    `18 апреля 2021`) and `2019年3月21日`.
    """
    text = _CLOCK_TIME.sub(" ", text)
    if match := _EASTERN_DATE.search(text):
        return int(match[1]), int(match[2]), int(match[3])
    months = {_MONTHS[word] for word in _WORD.findall(text.casefold()) if word in _MONTHS}
    years = re.findall(r"(?<![0-9])[0-9]{4}(?![0-9])", text)
    days = re.findall(r"(?<![0-9])[0-9]{1,2}(?![0-9])", text)
    if len(months) == len(years) == len(days) == 1:
        return int(years[0]), months.pop(), int(days[0])
    return None


_TIME_OF_DAY = compile_on_use(
    r"(?<![0-9:+-])([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?(?![0-9:])(?:\s*([AaPp][Mm])(?![A-Za-z]))?"
)
_CLOCK_TIME = compile_on_use(r"(?:GMT|UTC)?[+-]?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?")
_EASTERN_DATE = compile_on_use(r"([0-9]{4})\s*[年년]\s*([0-9]{1,2})\s*[月월]\s*([0-9]{1,2})\s*[日일]")
_WORD = compile_on_use(r"[^\W\d_]+")
_MONTHS = {
    word: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    )
    for number, word in enumerate(names.split(), 1)
}


# Results


class WinnerReading(NamedTuple):
    """Statement of a result text: the winning side ("0", "1"), "draw", or None with the reason."""

    winner: str | None
    reason: str = ""


def read_winner(text: str, names: Mapping[str, str]) -> WinnerReading:
    """Return what an RE property states, free text in the writer's language with the players' names (side: name).

    The server shows a guest as `guest77`, `Gast.ada` and the like if the id is `guest`, and a program's `robot1` as `robot`.
    """
    return _read_winner(restore_cyrillic(text).strip(), tuple(sorted(names.items())))


@lru_cache(maxsize=4096)
def _read_winner(text: str, players: tuple[tuple[str, str], ...]) -> WinnerReading:
    names = dict(players)
    if _DRAWN.fullmatch(text):
        return WinnerReading("draw")
    for pattern in _WON_BY:
        if match := pattern.fullmatch(text):
            sides = _sides_called(match[1].strip(), names)
            if len(sides) == 1:
                return WinnerReading(sides[0])
            if len(sides) == 2:
                return WinnerReading(None, f"it says that {match[1]} won, which can be either player")
    sides = _sides_named_in(text, names)
    if len(sides) == 1:
        return WinnerReading(sides[0])
    if not sides and _DRAW.search(text):
        return WinnerReading("draw")
    return WinnerReading(None, "it names both players" if sides else "it names neither player")


def _sides_called(shown: str, names: Mapping[str, str]) -> list[str]:
    """Return the sides whose player the server shows under a name; the first kind of likeness with a match decides."""
    shown = shown.casefold()
    ids = {side: name.casefold() for side, name in names.items()}
    exact = [side for side, name in ids.items() if name == shown]
    return (
        exact
        or [side for side, name in ids.items() if name.rstrip("0123456789") == shown]
        or [side for side, name in ids.items() if name == "guest" and _GUEST.fullmatch(shown)]
    )


def _sides_named_in(text: str, names: Mapping[str, str]) -> list[str]:
    """Return the sides whose player's name is a separate word of a text."""
    names_by_side = {
        side: name
        for side, name in names.items()
        if re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text, re.IGNORECASE)
    }
    longest = max(names_by_side.values(), key=len, default="")
    return [side for side, name in names_by_side.items() if name == longest or name not in longest]


_WON_BY = tuple(
    compile_on_use(pattern, re.DOTALL)
    for pattern in (
        r"Game won by (.+)",
        r"Игру выиграл\(.\) (.+?)\.?",
        r"(.+) hat gewonnen",
        r"Partida (?:ganada|vencida) por (.+)",
        r"Partie gagn\S+e par (.+)",
        r"De partij is gewonnen door (.+)",
        r"Gra wygrana przez (.+)",
        r"Vyhr\S+l (.+)",
        r"(.+)が勝利",
        r"(.+)获胜",
        r"Joc c\S+tigat de (.+)",
        r"(.+) vann spelet",
        r"Partion venkis (.+)",
    )
)
_GUEST = compile_on_use(r"(?:guest|gast|gäst|invitado|invité|гость)(?:[0-9]+|\..+)?", re.DOTALL)
_DRAWN = compile_on_use(r"The game is a draw\.?")
"""The server's own texts for a tie, valid for any player names."""
_DRAW = compile_on_use(
    r"\b(?:draw|tie|remis\w*|unentschieden|empate|tablas|nulle|égalité|gelijkspel|oavgjort|ничья)\b|引き分け|平局",
    re.IGNORECASE,
)
