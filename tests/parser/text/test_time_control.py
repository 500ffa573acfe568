"""Time controls in all spellings, and the times that clocks give by them."""

from dataclasses import replace

import pytest

from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.record import Record
from zertz_db.parser.text.time_control import TimeControl, parse_time_control, time_used

MINUTE = 60_000


@pytest.mark.parametrize(
    ("text", "base", "increment"),
    [
        ("600", 10 * MINUTE, 0),
        ("600+10", 10 * MINUTE, 10_000),
        (" 600 + 10 ", 10 * MINUTE, 10_000),
        ("300+0", 5 * MINUTE, 0),
        ("5400+30", 90 * MINUTE, 30_000),
        ("10|5", 10 * MINUTE, 5_000),
        ("10 | 0", 10 * MINUTE, 0),
        ("G/10", 10 * MINUTE, 0),
        ("G/10;+5", 10 * MINUTE, 5_000),
        ("g/10; inc 5", 10 * MINUTE, 5_000),
        ("G/10;d0", 10 * MINUTE, 0),
        ("10 min + 5 s", 10 * MINUTE, 5_000),
        ("10m+5s", 10 * MINUTE, 5_000),
        ("10'+5''", 10 * MINUTE, 5_000),
        ("10 minutes + 5 seconds per move", 10 * MINUTE, 5_000),
        ("1h", 60 * MINUTE, 0),
        ("1.5 h", 90 * MINUTE, 0),
        ("0:10:00", 10 * MINUTE, 0),
        ("10:00+0:05", 10 * MINUTE, 5_000),
        ("Fixed 600000", 10 * MINUTE, 0),
        ("Incremental 600000 10000", 10 * MINUTE, 10_000),
        # minutes or seconds: unknown, but the gain is clear
        ("5+3", None, 3_000),
        ("10+5", None, 5_000),
        ("15", None, 0),
        ("59", None, 0),
        ("60", MINUTE, 0),
        # nothing stated
        ("", None, 0),
        ("-", None, 0),
        ("?", None, 0),
        ("None", None, 0),
        ("rapid", None, 0),
        # a delay, several periods, time that is handed over, and what is not understood
        ("G/10;d5", None, None),
        ("G/90;d0;+30", None, None),
        ("600 delay 5", None, None),
        ("delay", None, None),
        ("PlusTime 1200000 10000", None, None),
        ("Differential 600000 60000", None, None),
        ("40/7200:3600", None, None),
        ("40/7200", None, None),
        ("*180", None, None),
        ("10 min + 3x30 s", None, None),
        ("2 days", None, None),
        ("10/5", None, None),
    ],
)
def test_a_time_control_is_understood_or_not_guessed(text: str, base: int | None, increment: int | None) -> None:
    assert parse_time_control(text) == TimeControl(base, increment)


def timed(control: str, *clocks: int | None, clock: str | None = "down") -> Record:
    (record,) = gipf.read("1. Wd4,d1 Bd3,a1 2. x d3Wd5 Wg1,a4 *")
    plies = tuple(
        ply._replace(clock=None if left is None else left * 1000)
        for ply, left in zip(record.plies, clocks, strict=False)
    )
    return replace(record, plies=plies, clock=clock, tags=(("TimeControl", control),))


@pytest.mark.parametrize(
    ("record", "used"),
    [
        (timed("600", 590, 598, 570, 590), [10, 2, 30, 10]),
        (timed("600+10", 605, 608, 612, 601), [5, 2, 8, 19]),
        (timed("600+10", 605, None, 612, 601), [5, None, 8, 19]),
        (timed("10|5", 590, 598), [15, 7]),
        (timed("", 3, 4, 5, 6, clock="up"), [3, 4, 5, 6]),
        (timed("600", 590, 598, 595, 590), None),  # time was added
        (timed("600", 601, 598), None),
        (timed("", 590, 598), None),
        (timed("5+3", 290, 298), None),
        (timed("G/10;d5", 590, 598), None),
        (timed("600", 590, 598, clock=None), None),
    ],
)
def test_time_used_is_computed_or_not_known(record: Record, used: list[int | None] | None) -> None:
    milliseconds = used and [None if seconds is None else seconds * 1000 for seconds in used]
    assert time_used(record) == milliseconds
