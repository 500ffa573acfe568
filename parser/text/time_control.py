"""Read time controls of records, and compute the players' used time from their clocks.

Understood are one period with or without an increment: `600+10` (seconds, as in PGN), `10|5` (minutes and seconds), `G/10;+5` (minutes and
seconds), `10 min + 5 s`, `0:10:00`, and the game server's `Fixed`, `Incremental` (milliseconds). With a delay, several periods, or time
that one player hands to the other, the clock does not determine a turn's time: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.record import Record

TAGS = ("TimeControl", "TC")
"""The tags that state a time control."""


class TimeControl(NamedTuple):
    """A player's time at the start, and the gain with every turn, in milliseconds; None if unknown."""

    base: int | None
    increment: int | None


NOTHING_STATED = TimeControl(None, 0)
"""Without a statement, clocks are assumed to be plain."""
_UNKNOWN_CONTROL = TimeControl(None, None)

_SERVER = compile_on_use(r"(fixed|incremental)\s+([0-9]{1,12})(?:\s+([0-9]{1,12}))?")
_SUDDEN_DEATH = compile_on_use(r"g/\s*([0-9]{1,4})(?:\s*;?\s*(?:\+|inc)\s*([0-9]{1,4})|\s*;\s*d\s*0)?")
_BAR = compile_on_use(r"([0-9]{1,4})\s*\|\s*([0-9]{1,4})")
_LENGTH = r"(?:[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[0-9]{1,7}(?:\.[0-9]{1,3})?\s*(?:[a-z]{1,7}\.?|['’\u2032]{1,2}|[\"”\u2033])?)"
_SUM = compile_on_use(rf"({_LENGTH})(?:\s*\+\s*({_LENGTH}))?(?:\s*(?:per|a|/)\s*(?:move|turn|ply))?")
_NUMBER = compile_on_use(r"([0-9.]+)\s*(.*)")
_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "''", "’’", "\u2032\u2032", '"', "”", "\u2033"), 1_000),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes", "'", "’", "\u2032"), 60_000),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3_600_000),
}
_LEAST_SECONDS = 60
"""A smaller number of seconds for a whole game probably means minutes."""


@lru_cache(maxsize=1024)
def parse_time_control(text: str) -> TimeControl:
    """Return the time control that a text states."""
    text = " ".join(text.casefold().split())
    if text in ("", "-", "?", "none", "unlimited"):
        return NOTHING_STATED
    if match := _SERVER.fullmatch(text):
        increment = int(match[3] or 0)
        return TimeControl(int(match[2]), increment) if match[1] == "incremental" or not increment else _UNKNOWN_CONTROL
    if (match := _SUDDEN_DEATH.fullmatch(text)) or (match := _BAR.fullmatch(text)):
        return TimeControl(int(match[1]) * 60_000, int(match[2] or 0) * 1_000)
    if match := _SUM.fullmatch(text):
        return _sum(match[1], match[2])
    return _UNKNOWN_CONTROL if re.search("[0-9]", text) or "delay" in text else NOTHING_STATED


def _sum(base: str, increment: str | None) -> TimeControl:
    gained = _milliseconds(increment) if increment else 0
    has_unit = ":" in base or not base.replace(".", "").isdecimal()
    is_clear = has_unit or float(base) >= _LEAST_SECONDS
    begins = _milliseconds(base)
    if begins is None or gained is None:
        return _UNKNOWN_CONTROL
    return TimeControl(begins if is_clear else None, gained)


def _milliseconds(length: str) -> int | None:
    """Return the milliseconds of `0:10:00`, `10 min` or `600` (seconds), or None for an unknown unit."""
    if ":" in length:
        seconds = 0
        for part in length.split(":"):
            seconds = seconds * 60 + int(part)
        return seconds * 1_000
    match = _NUMBER.fullmatch(length)
    unit = match[2].rstrip(".") if match else ""
    if match is None or (unit and unit not in _UNITS):
        return None
    return round(float(match[1]) * _UNITS.get(unit, 1_000))


def control_of(tags: Sequence[tuple[str, str]]) -> TimeControl:
    """Return the time control that the first such tag states."""
    stated = (value for name, value in tags if name.casefold() in _NAMES)
    return parse_time_control(next(stated, ""))


_NAMES = tuple(name.casefold() for name in TAGS)


def time_used(record: Record) -> list[int] | list[int | None] | None:
    """Return each player's used time after each ply, in milliseconds, None for a ply without clock.

    Return None if the direction of the clocks, the players' first time or their gain is unknown, or if the clocks contradict it.
    """
    clocks = [ply.clock for ply in record.plies]
    if record.clock == "up":
        return clocks
    control = control_of(record.tags)
    if record.clock != "down" or control.base is None or control.increment is None:
        return None
    used: list[int | None] = []
    turns, last = [0, 0], [0, 0]
    for number, clock in enumerate(clocks):
        player = number % 2
        turns[player] += 1
        if clock is None:
            used.append(None)
            continue
        spent = control.base + control.increment * turns[player] - clock
        if spent < last[player]:
            return None
        last[player] = spent
        used.append(spent)
    return used
