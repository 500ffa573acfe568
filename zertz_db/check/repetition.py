"""Repeated turns: the last four name the same rings as the four before, colours ignored. Source: rules, section 5."""

from __future__ import annotations

from parser.record import Ply

_TURNS = 4


def repetitions(plies: tuple[Ply, ...]) -> list[int]:
    """After how many plies the last four repeat the four before them.

    A ring that was removed can't be named again, so only captures and placements without removal come into question.
    """
    found = []
    streak = 0
    for number, ply in enumerate(plies, 1):
        streak = 0 if ply.removed else streak + 1
        if streak >= 2 * _TURNS:
            last, before = plies[number - _TURNS : number], plies[number - 2 * _TURNS : number - _TURNS]
            if all(_rings(a) == _rings(b) for a, b in zip(last, before, strict=True)):
                found.append(number)
    return found


def _rings(ply: Ply) -> tuple[str, ...]:
    return (ply.kind, ply.ring, *(jump.ring for jump in ply.jumps))
