"""Define the closed vocabularies, each once: kinds of moves, results, endings, verdicts, severities.

A term is a string with the value that texts, JSON, SQL and CSV have, so it can replace that string everywhere. Lists of choices, maps and
help texts derive from these enums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum


class Term(StrEnum):
    """A word of a closed vocabulary. Its `repr` is that of its value, so messages and doctests show a plain string."""

    def __repr__(self) -> str:
        return repr(self.value)


class MoveKind(Term):
    """A kind of move."""

    PLACEMENT = "placement"
    CAPTURE = "capture"
    PASS = "pass"  # noqa: S105 - not a password


class GameResult(Term):
    """A result as the official notation writes it. UNKNOWN: the record states that it has none."""

    FIRST_WINS = "1-0"
    SECOND_WINS = "0-1"
    TIE = "1/2-1/2"
    BOTH_LOSE = "0-0"
    UNKNOWN = "*"


RESULT_OF = {1: GameResult.FIRST_WINS, 2: GameResult.SECOND_WINS}
"""The result, by the winner."""
WINNERS: Mapping[str, int] = {result: winner for winner, result in RESULT_OF.items()}
"""The winner, by the result of a game that a player won."""
WINNER_OF: Mapping[str, int] = {**WINNERS, GameResult.TIE: 0, GameResult.BOTH_LOSE: 0}
"""The winner, 0 for none, by the result of a game that is over."""


class Ending(Term):
    """The way in which a game ended."""

    SET = "set"
    BOARD_FILLED = "board-filled"
    RESIGN = "resign"
    TIME = "time"
    AGREED = "agreed"
    REPETITION = "repetition"
    BOTH_LOSE = "both-lose"
    ABANDONED = "abandoned"
    NO_MOVE = "no-move"


ENDINGS_BY_MOVES = (Ending.SET, Ending.BOARD_FILLED, Ending.BOTH_LOSE, Ending.NO_MOVE)
"""Endings that only the moves can cause."""
WINS_BY_MOVES = (Ending.SET, Ending.BOARD_FILLED)
"""Endings by which the player who moved last wins."""
LOSSES = (Ending.RESIGN, Ending.TIME)
"""Endings that a player causes who loses by them."""
TIES = (Ending.AGREED, Ending.REPETITION)
"""Endings without a winner that a record can state."""


class Verdict(Term):
    """The verdict on a record."""

    VERIFIED = "verified"
    UNFINISHED = "unfinished"
    ILLEGAL = "illegal"
    UNREADABLE = "unreadable"


GAMES = (Verdict.VERIFIED, Verdict.UNFINISHED)
"""Verdicts on records whose every ply is legal: an import stores their games."""


class Severity(Term):
    """The severity of a finding; its code begins with the first letter."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


SEVERITY_OF = {severity[0].upper(): severity for severity in Severity}
"""The severity, by the first letter of a code."""


def list_terms(terms: Iterable[Term]) -> str:
    """Return terms as a list in words.

    >>> list_terms(Severity)
    'error, warning or note'
    """
    *others, last = terms
    return f"{', '.join(others)} or {last}"


def win_against(player: int) -> GameResult:
    """Return the result of a game that this player, 1 or 2, lost.

    >>> win_against(1)
    '0-1'
    """
    return RESULT_OF[3 - player]
