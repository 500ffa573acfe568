"""Find puzzles among the positions of games: forced wins that the opponent's last move allowed, with one winning ring.

A position of a game is a puzzle if

- it has a forced win in three or more plies;
- the player to move had none a turn earlier, as far as the search found: the opponent's last move was the mistake (the onset);
- the turn is free: no capture is due, and there is a choice;
- the placements that win within that many plies are all on one ring. Their colours and removed rings may differ.

Grades: `B` one ring, `A` one colour and ring, `A+` none but these within two plies more either. A game has one puzzle at most: that of
the best grade, of these the longest, of these the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from zertz_db.rules.board import Board
from zertz_db.rules.canonical import canonicalise
from zertz_db.rules.kernel import STATE_SIZE
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS, RuleSet
from zertz_db.tactics.compiled_search import open_search, run_search
from zertz_db.tactics.ply_kernel import CLASSES_NODES, YES
from zertz_db.tactics.puzzle_kernel import (
    ANSWER_SIZE,
    IS_ONLY_LATER,
    IS_PUZZLE,
    LEGAL_MOVES,
    RING,
    WINNING_COLOURS,
)
from zertz_db.tactics.puzzles.difficulty import estimate_difficulty
from zertz_db.tactics.puzzles.themes import name_themes
from zertz_db.tactics.solver import find_line

SHORTEST = 3
"""Plies of the shortest forced win that is a puzzle."""
GRADES = ("A+", "A", "B")
"""Grades, the best first."""
_MORE_PLIES = 2


class Onset(NamedTuple):
    """A position of a game that may be a puzzle. ply: plies before it. length: plies of its shortest forced win."""

    ply: int
    length: int
    state: Any


class Puzzle(NamedTuple):
    """A puzzle of a game.

    key: of the position, up to symmetry. ring, colours: the placements that win within `length` plies. line: the shortest win against the
    longest defence, in official notation. legal_moves: number of moves to choose from. difficulty: see `estimate_difficulty`.
    """

    ply: int
    key: int
    length: int
    grade: str
    ring: str
    colours: str
    line: tuple[str, ...]
    themes: tuple[str, ...]
    legal_moves: int
    difficulty: int


def list_onsets(states: Sequence[Any], forced: Sequence[int], is_free: Sequence[bool]) -> list[Onset]:
    """Return the positions of one game that may be puzzles.

    states: of all positions of the game, in order. forced: for each the plies of the forced win of its player to move, 0 if none was
    found. is_free: for each whether its move was a placement with an alternative.
    """
    return [
        Onset(ply, int(forced[ply]), states[ply])
        for ply in range(1, len(states))
        if forced[ply] >= SHORTEST and is_free[ply] and (ply < 2 or not forced[ply - 2])
    ]


def find_puzzles(
    board: Board, rules: RuleSet, games: Sequence[Sequence[Onset]], nodes: int, *, interpreted: bool = False
) -> list[Puzzle | None]:
    """Return the puzzle of each game, or None. games: the onsets of each, all on one board under one rule set.

    nodes: limit of a search of one position, as it was for the forced wins; all moves of a position may take ten times as many.
    """
    onsets = [onset for game in games for onset in game]
    answers = iter(_judge(board, rules, onsets, nodes, interpreted) if onsets else [])
    return [_choose(board, rules, [(onset, next(answers)) for onset in game], nodes, interpreted) for game in games]


def _judge(board: Board, rules: RuleSet, onsets: Sequence[Onset], nodes: int, interpreted: bool) -> list[list[int]]:
    def judge_all(interpreted: bool) -> list[list[int]]:
        longest = max(onset.length for onset in onsets) + _MORE_PLIES
        search = open_search(board, rules, longest, CLASSES_NODES * nodes, interpreted)
        answers = search.memory.rows(len(onsets), ANSWER_SIZE)
        states = search.memory.rows(len(onsets), STATE_SIZE)
        for row, onset in enumerate(onsets):
            states[row][:] = onset.state[:STATE_SIZE]
        lengths = search.memory.row([onset.length for onset in onsets])
        search.functions.judge_puzzles(search.tables, search.rules, search.work, states, lengths, nodes, answers)
        return [[int(number) for number in answer] for answer in answers]

    return run_search(judge_all, interpreted)


def _choose(
    board: Board, rules: RuleSet, judged: Iterable[tuple[Onset, list[int]]], nodes: int, interpreted: bool
) -> Puzzle | None:
    """Return the best puzzle of a game whose solution the limit lets be written down whole."""
    found = [(onset, answer) for onset, answer in judged if answer[IS_PUZZLE] == YES]
    found.sort(key=lambda pair: (GRADES.index(_grade(pair[1])), -pair[0].length, pair[0].ply))
    puzzles = (_build(board, rules, onset, answer, nodes, interpreted) for onset, answer in found)
    return next((puzzle for puzzle in puzzles if puzzle), None)


def _build(
    board: Board, rules: RuleSet, onset: Onset, answer: list[int], nodes: int, interpreted: bool
) -> Puzzle | None:
    position = Position(board, rules, tuple(int(number) for number in onset.state[:STATE_SIZE]))
    line = find_line(position, onset.length, CLASSES_NODES * nodes, interpreted=interpreted)
    if line is None:
        return None
    themes, colours = name_themes(position, line), "".join(_colours(answer))
    return Puzzle(
        ply=onset.ply,
        key=canonicalise(position).key,
        length=onset.length,
        grade=_grade(answer),
        ring=board.rings[answer[RING]],
        colours=colours,
        line=line,
        themes=themes,
        legal_moves=answer[LEGAL_MOVES],
        difficulty=estimate_difficulty(position, onset.length, len(colours), isolates="isolation" in themes),
    )


def _grade(answer: Sequence[int]) -> str:
    if len([*_colours(answer)]) > 1:
        return "B"
    return "A+" if answer[IS_ONLY_LATER] == YES else "A"


def _colours(answer: Sequence[int]) -> Iterator[str]:
    return (colour for bit, colour in enumerate(COLOURS) if answer[WINNING_COLOURS] >> bit & 1)
