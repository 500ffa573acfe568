"""Replay a game's moves: this is the fastest way to its positions, which are stored by appearance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import accumulate
from typing import Any

from zertz_db.queries.errors import QueryError
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RuleSet, rule_set


def moves(movetext: str) -> list[str]:
    """Return the plies of a game from its column `movetext`.

    >>> moves("Wd4,d1 x d3Wd5 Gg4,g3 x Wg2Bg1 -")
    ['Wd4,d1', 'x d3Wd5', 'Gg4,g3 x Wg2Bg1', '-']
    """
    return _BETWEEN.split(movetext) if movetext else []


def replayed(game: Mapping[str, Any], played: Iterable[str]) -> list[Position]:
    """Return the positions before each of a game's plies, and after the last.

    game: its row of the view `games`. QueryError for a database that was written by other rules.
    """
    rules = _rules(game)
    start = Position.parse(game["start"]) if game["start"] else Position.start(game["board"], rules)
    try:
        return list(accumulate(played, partial(Position.play, lenient=True), initial=start))
    except IllegalMove as error:
        raise QueryError(
            f"a move of this game is illegal under the current rules: {error}; run zertz recheck"
        ) from error


_BETWEEN = re.compile(r"(?<!x) (?=[WGB]|x [a-z]|-)")
"""Space before a ply. Spaces in a claim are not: they precede or follow an `x` with marbles."""


def _rules(game: Mapping[str, Any]) -> RuleSet:
    return rule_set(game["rule_set"] + "+tournament" * game["tournament"] + "+written" * (game["claims"] == "written"))
