"""What a session knows of puzzles: which were seen, how the first try of each ended, and the visitor's rating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

from zertz_db.queries.puzzles.attempts import NEWCOMER, Rated, rate_attempt
from zertz_db.tactics.puzzles.judge import Judgement

_KEY = "puzzles of this session"


@dataclass(slots=True)
class PuzzleProgress:
    """A puzzle in this session.

    is_solved: how the first try ended: False after a wrong move, a hint or a look at the solution; None while it is open. hints: by number
    of moves made, 1 if the ring of the next one was shown, 2 if its colour was, too. is_shown: the solution was shown. is_stored: the
    attempt is in the database. clicked: number of moves that the visitor made. judged: the moves after the latest judgement, with the
    defender's reply, and that judgement.
    """

    is_solved: bool | None = None
    hints: dict[int, int] = field(default_factory=dict)
    is_shown: bool = False
    is_stored: bool = False
    clicked: int = 0
    judged: tuple[Sequence[str], Judgement] | None = None

    def recall(self, moves: Sequence[str]) -> Judgement | None:
        """Return the latest judgement if these are still the moves after it."""
        return self.judged[1] if self.judged and self.judged[0] == moves else None


@dataclass(slots=True)
class _Session:
    """puzzles: progress by id. current: the puzzle on the page, None after it was left. seen: puzzles that don't come again."""

    puzzles: dict[str, PuzzleProgress] = field(default_factory=dict)
    rating: Rated | None = None
    current: str | None = None
    seen: set[str] = field(default_factory=set)


def get_progress(puzzle: str) -> PuzzleProgress:
    """Return the progress with a puzzle (its id)."""
    return _get().puzzles.setdefault(puzzle, PuzzleProgress())


def get_current() -> str | None:
    """Return the puzzle that the visitor has not left, to return to it from another page."""
    return _get().current


def set_current(puzzle: str | None) -> None:
    """Note the puzzle on the page; None if it was left."""
    _get().current = puzzle


def list_seen() -> tuple[str, ...]:
    """Return the ids of the puzzles that were tried to the end or skipped."""
    return tuple(sorted(_get().seen))


def add_seen(puzzle: str) -> None:
    """Note that a puzzle shall not come again."""
    _get().seen.add(puzzle)


def forget_seen() -> None:
    """Let all puzzles come again, without their hints; how their first tries ended stays."""
    _get().seen.clear()
    for progress in _get().puzzles.values():
        progress.hints.clear()
        progress.is_shown = False


def get_rating() -> Rated:
    """Return the visitor's rating."""
    return _get().rating or NEWCOMER


def begin_rating(known: Rated | None) -> None:
    """Set the rating at the first visit of a session, if the visitor has one."""
    if known and _get().rating is None:
        _get().rating = known


def end_try(puzzle: str, rated: Rated, *, solved: bool) -> None:
    """Note how a try ended; only the first one of a puzzle counts. rated: the puzzle's rating."""
    progress = get_progress(puzzle)
    if progress.is_solved is None:
        progress.is_solved = solved
        add_seen(puzzle)
        _get().rating = rate_attempt(get_rating(), rated, solved=solved)[0]


def _get() -> _Session:
    found: _Session = st.session_state.setdefault(_KEY, _Session())
    return found
