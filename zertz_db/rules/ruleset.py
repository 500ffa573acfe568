"""Rule sets: the supply of marbles, and what a player needs to win. Source: rules, section 2."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from zertz_db.errors import UserMistake

COLOURS = "WGB"
NAMES = {"W": "white", "G": "grey", "B": "black"}
"""The colours in words."""


class Count(NamedTuple):
    """So many white, grey and black marbles."""

    white: int
    grey: int
    black: int

    def __str__(self) -> str:
        return f"{self.white}/{self.grey}/{self.black}"


class RuleSetError(UserMistake):
    """No such rule set, or an option that it doesn't have."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """`supply` marbles to begin with; `goal` of one colour or `each` of every colour win.

    `tournament`: both players lose when every marble is on the board and nobody has captured any (rules, section 6).
    `written_claims`: full groups are taken only where a move says so (rules, section 4); otherwise all of them at once.
    """

    name: str
    supply: Count
    goal: Count
    each: int
    tournament: bool = False
    written_claims: bool = False

    def __str__(self) -> str:
        return self.name + "+tournament" * self.tournament + "+written" * self.written_claims

    def set_names(self, sets: int) -> tuple[str, ...]:
        """The names of the winning sets in the kernel's bit set: `4W 5G 6B 3each`, or in blitz `3W 4G 5B 2each`."""
        names = [f"{count}{colour}" for count, colour in zip(self.goal, COLOURS, strict=True)] + [f"{self.each}each"]
        return tuple(name for bit, name in enumerate(names) if sets >> bit & 1)

    def missing(self, held: Count) -> dict[str, int]:
        """How many marbles each winning set still lacks, by the set's name.

        >>> STANDARD.missing(Count(3, 1, 0))
        {'4W': 1, '5G': 4, '6B': 6, '3each': 5}
        """
        lacking = [max(0, goal - count) for goal, count in zip(self.goal, held, strict=True)]
        lacking.append(sum(max(0, self.each - count) for count in held))
        return dict(zip(self.set_names(0b1111), lacking, strict=True))


STANDARD = RuleSet("standard", supply=Count(6, 8, 10), goal=Count(4, 5, 6), each=3)
BLITZ = RuleSet("blitz", supply=Count(5, 7, 9), goal=Count(3, 4, 5), each=2)
RULE_SETS = {rules.name: rules for rules in (STANDARD, BLITZ)}


def rule_set(text: str) -> RuleSet:
    """The rule set so written: `standard` or `blitz`, with the options `+tournament` and `+written`.

    Raises RuleSetError. Whether the board suits it is not asked here: the wrong board is a warning, never an error.

    >>> rule_set("standard+tournament").tournament
    True
    """
    name, *options = text.lower().split("+")
    if name not in RULE_SETS:
        raise RuleSetError(f"no rule set is called {name!r}; there are {' and '.join(RULE_SETS)}")
    unknown = set(options) - {"tournament", "written"}
    if unknown:
        raise RuleSetError(f"{min(unknown)!r} is no option of a rule set; there are tournament and written")
    if name == "blitz" and "tournament" in options:
        raise RuleSetError("tournament is an option of standard, not of blitz")
    return replace(RULE_SETS[name], tournament="tournament" in options, written_claims="written" in options)
