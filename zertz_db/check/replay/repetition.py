"""Repeated turns: the last four name the same rings as the four before, colours ignored. Source: rules, section 5."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.rules.kernel import PLACE, Integers

_TURNS = 4
STANDSTILL = 2 * _TURNS
"""So many plies in a row that remove no ring it takes for turns to repeat."""


def find_repetitions(code: Integers, begins: Integers) -> list[int]:
    """After how many plies (of the kernel's code; ply p is code[begins[p]:begins[p+1]]) the last four repeat the four before them.

    A ring that was removed can't be named again, so only captures and placements without removal come into question.
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
    """After how many plies the same four turns were made so many times in a row, if ever; `repeats` are the repetitions."""
    ends = (ply for ply in repeats if all(ply - _TURNS * before in repeats for before in range(times - 1)))
    return next(ends, None)


def _rings(code: Integers, begins: Integers, ply: int) -> tuple[int, ...]:
    """Return the kind of a ply and the rings it names."""
    begin, end = begins[ply], begins[ply + 1]
    if code[begin] == PLACE:
        return PLACE, code[begin + 2]
    return code[begin], *code[begin + 1 : end : 2]
