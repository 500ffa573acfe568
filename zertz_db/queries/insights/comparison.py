"""Compare the games of two filters: how they are won, how they end, and what is played in a position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.errors import suggestion
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.insights.significance import LEVEL, correct_for_many, find_probability
from zertz_db.queries.openings.tree import BOARD, RULES, find_openings
from zertz_db.queries.result import Column, Result
from zertz_db.queries.statistics.win_conditions import endings, first_mover, winning_sets
from zertz_db.queries.wilson import ENOUGH, share
from zertz_db.store.folder.database import Database


class Line(NamedTuple):
    """A position of the opening tree: the moves from the start, the board and the rule set."""

    moves: str = ""
    board: str = BOARD
    rules: str = RULES


NO_MOVES = Line()
"""The start of the usual board."""


class _Counts(NamedTuple):
    """Number of games by category, and of all games of the filter that could have one."""

    hits: dict[str, int]
    trials: int


class Subject(NamedTuple):
    """What is compared: its title, the name of the categories, their meaning, and the function that counts them."""

    title: str
    category: str
    meaning: str
    find: Callable[[Database, str, Line], _Counts]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The shares of two filters. table: a row for each category. games: of each filter; common: games that pass both."""

    subject: Subject
    table: Result
    games: tuple[int, int]
    common: int


def compare_filters(database: Database, subject: str, one: str, other: str, line: Line = NO_MOVES) -> Comparison:
    """Compare the shares of each category in the games of two filters.

    subject: a name of SUBJECTS. line: the position whose continuations are compared. A difference is significant if the test of two
    proportions, with Holm's correction for all rows of the table, gives less than LEVEL. QueryError for an unknown subject, an invalid
    filter and an invalid line.
    """
    require_subject(subject)
    compared = SUBJECTS[subject]
    first, second = compared.find(database, one, line), compared.find(database, other, line)
    most = {name: max(first.hits.get(name, 0), second.hits.get(name, 0)) for name in (*first.hits, *second.hits)}
    names = sorted(most, key=lambda name: (-most[name], name))
    pairs = [(first.hits.get(name, 0), second.hits.get(name, 0)) for name in names]
    probabilities = correct_for_many([find_probability(a, first.trials, b, second.trials) for a, b in pairs])
    rows = [
        _row(name, (a, first.trials), (b, second.trials), probability)
        for name, (a, b), probability in zip(names, pairs, probabilities, strict=True)
    ]
    both = " ".join(f"({text})" for text in (one, other) if text.strip())
    return Comparison(
        compared,
        Result((Column(compared.category, compared.meaning), *_COLUMNS), rows),
        (count_games(database, one), count_games(database, other)),
        count_games(database, both),
    )


def require_subject(name: str) -> None:
    """Raise QueryError unless it is a name of SUBJECTS."""
    if name not in SUBJECTS:
        raise QueryError(f"unknown subject {name!r}; valid: {', '.join(SUBJECTS)}{suggestion(name, SUBJECTS)}")


def _row(
    name: str, one: tuple[int, int], other: tuple[int, int], probability: float | None
) -> tuple[str | int | float | bool | None, ...]:
    shares = [share(*counts) or (None, None, None) for counts in (one, other)]
    (first, *_), (second, *_) = shares
    difference = None if first is None or second is None else round(first - second, 4)
    is_significant = None if probability is None else probability < LEVEL
    return name, *one, *shares[0], *other, *shares[1], difference, _round(probability), is_significant


def _round(probability: float | None) -> float | None:
    return None if probability is None else round(probability, 6)


def _columns(which: str) -> tuple[Column, ...]:
    return (
        Column(f"games_{which}", f"games of {which} with this category"),
        Column(f"of_{which}", f"games of {which} that have a category"),
        Column(f"share_{which}", f"share in {which}; empty for fewer than {ENOUGH} games"),
        Column(f"low_{which}", f"the true share in {which} is above this with 97.5 % confidence (Wilson's interval)"),
        Column(f"high_{which}", f"the true share in {which} is below this with 97.5 % confidence (Wilson's interval)"),
    )


_COLUMNS = (
    *_columns("a"),
    *_columns("b"),
    Column("difference", "share in a less share in b"),
    Column(
        "probability",
        "probability of such a difference between equal shares: test of two proportions, Holm's correction; empty for too few games",
    ),
    Column("significant", f"whether the probability is below {LEVEL}"),
)


def _count_first_mover(database: Database, filters: str, _line: Line) -> _Counts:
    [row] = first_mover(database, filters).dicts()
    return _Counts({"first mover wins": row["first"]}, row["decided"])


def _count_sets(database: Database, filters: str, _line: Line) -> _Counts:
    rows = winning_sets(database, filters).dicts()
    return _Counts({row["set"]: row["games"] for row in rows}, rows[0]["of"] if rows else 0)


def _count_endings(database: Database, filters: str, _line: Line) -> _Counts:
    rows = [row for row in endings(database, filters).dicts() if row["ending"] is not None]
    return _Counts({row["ending"]: row["games"] for row in rows}, rows[0]["of"] if rows else 0)


def _count_continuations(database: Database, filters: str, line: Line) -> _Counts:
    found = find_openings(database, line.moves, board=line.board, rules=line.rules, filters=filters)
    hits = {row["move"]: row["games"] for row in found.continuations.dicts() if row["move"] is not None}
    return _Counts(hits, sum(hits.values()))


SUBJECTS = {
    "first-mover": Subject("how often the first mover wins", "result", "the first mover won", _count_first_mover),
    "sets": Subject("which set wins", "set", "the winning set", _count_sets),
    "endings": Subject("how games end", "ending", "how the game ended", _count_endings),
    "continuations": Subject(
        "what is played", "move", "the move, or one that the board's symmetries turn it into", _count_continuations
    ),
}
"""Subjects by name."""
