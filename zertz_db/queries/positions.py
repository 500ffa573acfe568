"""Positions as they are stored, made into positions to play from."""

from __future__ import annotations

from typing import Any

from zertz_db.queries.result import Result
from zertz_db.rules import kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD
from zertz_db.rules.position import ENDINGS, Position
from zertz_db.rules.ruleset import RuleSet, rule_set

_SETS = (
    ("rings", kernel.RINGS),
    ("white", kernel.MARBLES),
    ("grey", kernel.MARBLES + 1),
    ("black", kernel.MARBLES + 2),
)
_COUNTS = (("pool", kernel.POOL), ("captured1", kernel.CAPTURED), ("captured2", kernel.CAPTURED + 3))
_COLOURS = ("white", "grey", "black")
_NUMBER_OF_ENDING = {name: number for number, name in ENDINGS.items() if name is not None}


def positions(game: dict[str, Any], stored: Result) -> list[Position]:
    """A game's positions, by ply.

    game: its row of the view `games`. stored: its rows of the table `position`. The last one is over if the rules say
    so. How many passes went before is not stored, and not needed to show a position.
    """
    rules = _rules(game)
    start = Position.parse(game["start"]) if game["start"] else Position.start(game["board"], rules)
    rows = stored.dicts()
    states = [_state(row) for row in rows]
    ending = _NUMBER_OF_ENDING.get(game["ending"] or "")
    if states and ending is not None:
        states[-1][kernel.ENDING] = ending
        states[-1][kernel.WINNER] = game["winner"] or 0
        states[-1][kernel.SETS] = _sets(rules, game["winning_sets"])
    return [Position(start.board, rules, tuple(state)) for state in states]


def _rules(game: dict[str, Any]) -> RuleSet:
    return rule_set(game["rule_set"] + "+tournament" * game["tournament"] + "+written" * (game["claims"] == "written"))


def _state(row: dict[str, Any]) -> list[int]:
    state = [0] * kernel.STATE_SIZE
    for name, place in _SETS:
        state[place] = row[name] | (row[f"{name}_high"] or 0) << LARGEST_COMPILED_BOARD
    for name, place in _COUNTS:
        for number, colour in enumerate(_COLOURS):
            state[place + number] = row[f"{name}_{colour}"]
    state[kernel.SIDE] = row["side"] - 1
    return state


def _sets(rules: RuleSet, held: str | None) -> int:
    names = (held or "").split("+")
    return sum(1 << bit for bit, name in enumerate(rules.set_names(0b1111)) if name in names)
