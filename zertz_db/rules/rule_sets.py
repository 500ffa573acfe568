"""Define rule sets: the supply of marbles and the winning sets. Source: rules, section 2."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from zertz_db.errors import UserMistake
from zertz_db.parser.vocabulary.rule_words import (
    NO_TIES,
    OPTIONS,
    REPETITION,
    TOURNAMENT,
    WRITTEN,
    parse_rule_words,
    repetition_in,
)
from zertz_db.parser.vocabulary.terms import GameResult

COLOURS = "WGB"
NAMES = {"W": "white", "G": "grey", "B": "black"}
"""The colours in words."""


class Count(NamedTuple):
    """Numbers of white, grey and black marbles."""

    white: int
    grey: int
    black: int

    def __str__(self) -> str:
        return f"{self.white}/{self.grey}/{self.black}"


class RuleSetError(UserMistake):
    """The rule set does not exist or lacks an option."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """`supply` marbles at the start; `goal` of one colour or `each` of every colour win.

    `tournament`: both players lose when every marble is on the board and neither has captured any (rules, section 6). `written_claims`: a
    full group is taken only if a move claims it (rules, section 4); by default all are taken at once. `ties`: whether a game can be a tie;
    if not, both players lose it (section 6). `repetition`: the number of times in a row that the same four turns are made until they end
    the game; 0 if they end it only where the record ends (section 5).
    """

    name: str
    supply: Count
    goal: Count
    each: int
    tournament: bool = False
    written_claims: bool = False
    ties: bool = True
    repetition: int = 0

    def __str__(self) -> str:
        options = {
            TOURNAMENT: self.tournament,
            WRITTEN: self.written_claims,
            NO_TIES: not self.ties,
            f"{REPETITION}{self.repetition}": self.repetition,
        }
        return "+".join([self.name, *(option for option, holds in options.items() if holds)])

    @property
    def tie(self) -> GameResult:
        """Return the result of a game without a winner: a tie, or both lose if ties are not allowed."""
        return GameResult.TIE if self.ties else GameResult.BOTH_LOSE

    @property
    def ends_as_usual(self) -> bool:
        """Return whether no option decides how games without a winner end."""
        return self.ties and not self.repetition

    def with_options(self, other: RuleSet) -> RuleSet:
        """Return these rules with the options of others, as far as these have them."""
        return replace(self, written_claims=other.written_claims, ties=other.ties, repetition=other.repetition)

    def stated(self) -> dict[str, Any]:
        """Return the rule set and its options as the fields of a record; None for usual options."""
        return {
            "rule_set": self.name,
            "tournament": self.tournament or None,
            "claims": "written" if self.written_claims else None,
            "ties": None if self.ties else False,
            "repetition": self.repetition or None,
        }

    def set_names(self, sets: int) -> tuple[str, ...]:
        """Return the names of the winning sets in the kernel's bit set: `4W 5G 6B 3each`, or in blitz `3W 4G 5B 2each`."""
        names = [f"{count}{colour}" for count, colour in zip(self.goal, COLOURS, strict=True)] + [f"{self.each}each"]
        return tuple(name for bit, name in enumerate(names) if sets >> bit & 1)

    def missing(self, held: Count) -> dict[str, int]:
        """Return the number of marbles that each winning set still lacks, by the set's name.

        >>> STANDARD.missing(Count(3, 1, 0))
        {'4W': 1, '5G': 4, '6B': 6, '3each': 5}
        """
        lacking = [max(0, goal - count) for goal, count in zip(self.goal, held, strict=True)]
        lacking.append(sum(max(0, self.each - count) for count in held))
        return dict(zip(self.set_names(0b1111), lacking, strict=True))


STANDARD = RuleSet("standard", supply=Count(6, 8, 10), goal=Count(4, 5, 6), each=3)
BLITZ = RuleSet("blitz", supply=Count(5, 7, 9), goal=Count(3, 4, 5), each=2)
RULE_SETS = {rules.name: rules for rules in (STANDARD, BLITZ)}
REPETITIONS = range(2, 10)
"""Numbers of times that turns can be made until they end the game; the first is at once."""


def rule_set(text: str) -> RuleSet:
    """Return the rule set of a text: `standard` or `blitz`, or another word for it (`rule_words`), with options after `+`.

    Raises RuleSetError. Not checked: that the board suits it. A wrong board is a warning, never an error.

    >>> rule_set("standard+tournament").tournament
    True
    >>> str(rule_set("original")), str(rule_set("tournament+repetition2"))
    ('blitz', 'standard+tournament+repetition2')
    """
    name, *options = parse_rule_words(text)
    if name not in RULE_SETS:
        raise RuleSetError(f"no rule set is called {name!r}; there are {' and '.join(RULE_SETS)}")
    if name == "blitz" and TOURNAMENT in options:
        raise RuleSetError("tournament is an option of standard, not of blitz")
    return replace(
        RULE_SETS[name],
        tournament=TOURNAMENT in options,
        written_claims=WRITTEN in options,
        ties=NO_TIES not in options,
        repetition=_repetition(options),
    )


def _repetition(options: list[str]) -> int:
    """Return the number of times that turns are made until they end the game. Raises RuleSetError for an unknown option."""
    repetition = 0
    for option in options:
        times = repetition_in(option)
        if times is not None and times in REPETITIONS:
            repetition = times
        elif option not in OPTIONS:
            known = f"{', '.join(OPTIONS)} and {REPETITION}{REPETITIONS[0]} to {REPETITION}{REPETITIONS[-1]}"
            raise RuleSetError(f"{option!r} is not an option of a rule set; there are {known}")
    return repetition
