"""Search batches of games for forced wins: the work of one process, or of one worker of a cluster."""

from __future__ import annotations

import logging
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from zertz_db.maintain.analysis.game_states import GameStates
from zertz_db.parser import faults
from zertz_db.rules import kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD
from zertz_db.rules.position import Position
from zertz_db.tactics.analysis import BLUNDER_DEPTH, judge_states
from zertz_db.tactics.limits import SearchError
from zertz_db.tactics.move_classes import unpack
from zertz_db.tactics.ply_kernel import BETTER, BLUNDER, KEEPS, LOST_BEFORE, MISSED, ONLY_MOVE, YES
from zertz_db.tactics.puzzles.find import Puzzle, find_puzzles, list_onsets
from zertz_db.tactics.search_kernel import FORCED, SOLVER_VERSION
from zertz_db.tactics.win_chance.accuracy import accuracies

LARGE_BOARD = "large-board"
"""The board has so many rings that the search would not be compiled."""
WRITTEN_CLAIMS = "written-claims"
LARGE_POOL = "large-pool"
INTERNAL_ERROR = "internal-error"

Row = dict[str, Any]


class Limits(NamedTuple):
    """Limits of a search: the greatest length of a forced win in plies, and the nodes for one position."""

    depth: int = 7
    nodes: int = 20_000


class Findings(NamedTuple):
    """What was found in games: rows of the tables `analysis`, `tactic` and `puzzle`."""

    analyses: list[Row]
    tactics: list[Row]
    puzzles: list[Row]


def search_games(batch: GameStates, limits: Limits) -> Findings:
    """Search the positions of games; a game that can't be searched has an analysis that states why, and no other row."""
    start = Position.parse(batch.start)
    obstacle = find_obstacle(start)
    if obstacle:
        return _skip(batch, obstacle)
    try:
        return _search(start, batch, limits)
    except Exception as error:  # one game must not cost the others their analysis
        if len(batch.games) > 1:
            return _search_one_by_one(batch, limits)
        if isinstance(error, SearchError):
            return _skip(batch, LARGE_POOL)
        logging.getLogger(faults.LOGGER).exception("a game could not be searched")
        return _skip(batch, INTERNAL_ERROR)


def find_obstacle(start: Position) -> str | None:
    """Return why games from this start can't be searched, as in the table of analyses; None if they can."""
    if start.rules.written_claims:
        return WRITTEN_CLAIMS
    return LARGE_BOARD if len(start.board.rings) > LARGEST_COMPILED_BOARD else None


def _search_one_by_one(batch: GameStates, limits: Limits) -> Findings:
    found = Findings([], [], [])
    low = 0
    for game, size in zip(batch.games, batch.sizes, strict=True):
        one = GameStates(batch.start, [game], [size], batch.states[low : low + size], batch.is_free[low : low + size])
        own = search_games(one, limits)
        for everything, rows in zip(found, own, strict=True):
            everything.extend(rows)
        low += size
    return found


def _skip(batch: GameStates, reason: str) -> Findings:
    return Findings(
        [{"game": game, "solver": SOLVER_VERSION, "depth": 0, "nodes": 0, "skipped": reason} for game in batch.games],
        [],
        [],
    )


def _search(start: Position, batch: GameStates, limits: Limits) -> Findings:
    follows = np.ones(len(batch.states), np.int64)
    ends = np.cumsum(batch.sizes) - 1
    follows[ends] = 0
    depth, nodes = limits
    verdicts = judge_states(
        start.board, start.rules, batch.states, follows.tolist(), depth, nodes, blunder_depth=min(BLUNDER_DEPTH, depth)
    )
    verdicts = np.asarray(verdicts)
    limits_used = {"solver": SOLVER_VERSION, "depth": depth, "nodes": nodes}
    rated = _rate(start, batch, verdicts)
    analyses = [{"game": game, **limits_used, **row} for game, row in zip(batch.games, rated, strict=True)]
    return Findings(analyses, _rows(start, batch, verdicts, follows), _find_puzzles(start, batch, verdicts, nodes))


def _rate(start: Position, batch: GameStates, verdicts: Any) -> list[Row]:
    """Return the accuracies of both players for each game."""
    first = np.cumsum(batch.sizes) - batch.sizes
    found = accuracies(start.board, start.rules, batch.states, first, batch.is_free, verdicts[:, FORCED])
    rows = []
    for accuracy, moves in zip(found.accuracy.tolist(), found.moves.tolist(), strict=True):
        first_player, second_player = (None if isnan(one) else one for one in accuracy)
        rows.append({"accuracy1": first_player, "accuracy2": second_player, "rated1": moves[0], "rated2": moves[1]})
    return rows


def _rows(start: Position, batch: GameStates, verdicts: Any, follows: Any) -> list[Row]:
    """Return a row for each ply that was played from or to a forced win."""
    notable = (verdicts[:, FORCED] > 0) | (verdicts[:, BLUNDER] > 0) | (verdicts[:, LOST_BEFORE] == YES)
    games = np.repeat(np.arange(len(batch.games)), batch.sizes)
    first = np.cumsum(batch.sizes) - batch.sizes
    rows = []
    for place in np.flatnonzero(notable & (follows == 1)):
        verdict = [int(number) for number in verdicts[place]]
        number = int(games[place])
        forced, blunder = verdict[FORCED] or None, verdict[BLUNDER] or None
        rows.append(
            {
                "game": batch.games[number],
                "ply": int(place - first[number]),
                "forced": forced,
                "kept": _decided(verdict[KEEPS]) if forced else None,
                "missed": verdict[MISSED] == YES,
                "only_move": _decided(verdict[ONLY_MOVE]) if forced else None,
                "blunder": blunder,
                "better": _notation(start, batch.states[place], verdict[BETTER]) if blunder else None,
                "lost": verdict[LOST_BEFORE] == YES,
            }
        )
    return rows


def _find_puzzles(start: Position, batch: GameStates, verdicts: Any, nodes: int) -> list[Row]:
    """Return a row for each game that has a puzzle."""
    ends = np.cumsum(batch.sizes).tolist()
    onsets = []
    for low, high in zip([0, *ends], ends, strict=False):
        forced = verdicts[low:high, FORCED].tolist()
        onsets.append(list_onsets(batch.states[low:high], forced, batch.is_free[low:high]))
    found = find_puzzles(start.board, start.rules, onsets, nodes)
    return [puzzle_row(game, puzzle) for game, puzzle in zip(batch.games, found, strict=True) if puzzle]


def puzzle_row(game: int, puzzle: Puzzle) -> Row:
    """Return the row of the table for a game's puzzle."""
    row = puzzle._asdict()
    return {"id": row.pop("key"), **row, "game": game, "line": " ".join(puzzle.line), "themes": " ".join(puzzle.themes)}


def _notation(start: Position, state: Any, packed: int) -> str:
    """Return a placement in official notation."""
    before = Position(start.board, start.rules, tuple(int(number) for number in state[: kernel.STATE_SIZE]))
    return before.notation(unpack(before, (packed, 0)))


def _decided(answer: int) -> bool | None:
    return None if answer < 0 else answer == YES
