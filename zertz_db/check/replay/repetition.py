"""Detect repeated turns: the last four name the same rings as the four before, ignoring colours. Source: rules, section 5."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.rules.kernel import PLACE, Integers

_TURNS = 4
STANDSTILL = 2 * _TURNS
"""Number of consecutive plies without a removed ring that a repetition of turns needs."""


def find_repetitions(code: Integers, begins: Integers) -> list[int]:
    """Return the numbers of plies after which the last four repeat the four before.

    Ply p is code[begins[p]:begins[p+1]], in the kernel's form. A removed ring can't be named again, so only captures and placements without
    removal count.
    """
    found = []
    streak = 0
    for number, begin in enumerate(begins[:-1], 1):
        streak = 0 if code[begin] == PLACE and code[begin + 3] >= 0 else streak + 1
        if streak >= STANDSTILL and all(
            _rings(code, begins, number - turn) == _rings(code, begins, number - turn - _TURNS)
            for turn in range(1, _TURNS + 1)
        ):
            found.append(number)
    return found


def end_by_repetition(repeats: Sequence[int], times: int) -> int | None:
    """Return the number of plies after which the same four turns were made a number of times in a row, or None; `repeats` are the
    repetitions.
    """
    ends = (ply for ply in repeats if all(ply - _TURNS * before in repeats for before in range(times - 1)))
    return next(ends, None)


def _rings(code: Integers, begins: Integers, ply: int) -> tuple[int, ...]:
    """Return the kind of a ply and the rings that it names."""
    begin, end = begins[ply], begins[ply + 1]
    if code[begin] == PLACE:
        return PLACE, code[begin + 2]
    return code[begin], *code[begin + 1 : end : 2]
