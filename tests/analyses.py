"""Rows of forced wins for test databases: the solver judges every ply, and the tables are filled by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from tests.queries import club
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.rules.board import LARGEST_COMPILED_BOARD
from zertz_db.rules.position import Position
from zertz_db.store.ids import from_text
from zertz_db.store.open_database import open_database
from zertz_db.tactics import SOLVER_VERSION, judge_states
from zertz_db.tactics.move_classes import unpack
from zertz_db.tactics.ply_kernel import BETTER, BLUNDER, KEEPS, LOST_BEFORE, MISSED, ONLY_MOVE, YES
from zertz_db.tactics.search_kernel import FORCED

DEPTH, NODES = 5, 1000
COLUMNS = ("game", "ply", "forced", "kept", "missed", "only_move", "blunder", "better", "lost")


ANALYSED = "date:2010"
"""The games of the club that are analysed; the others are not."""


class JudgedClub(NamedTuple):
    """The folder of a database whose games of 2010 are analysed, the rows of these, and the game that was skipped."""

    folder: Path
    rows: list[dict[str, Any]]
    skipped: str


def build_judged_club(folder: Path) -> JudgedClub:
    """Build the club's database, analyse the games of 2010, and pretend that one of 2011 has written claims."""
    built = club.build(folder)
    rows = analyse(built, ANALYSED)
    with open_database(built) as database:
        path = database.generation.path
        ((skipped,),) = list_games(database, "date:2011", columns=["id"], limit=1).rows
    with duckdb.connect(path) as connection:
        connection.execute(
            "INSERT INTO _analysis VALUES (?, ?, 0, ?, 'written-claims', NULL, NULL, NULL, NULL)",
            [from_text(skipped), SOLVER_VERSION, NODES],
        )
    return JudgedClub(built, rows, skipped)


def analyse(folder: Path, filters: str = "") -> list[dict[str, Any]]:
    """Judge the games of a database that pass a filter, store the rows in its file, and return those of `_tactic`."""
    with open_database(folder) as database:
        path = database.generation.path
        games = [find_game(database, game) for (game,) in list_games(database, filters, columns=["id"]).rows]
    courses = [(from_text(game.id), game.row["claims"], game.positions) for game in games]
    analyses = [(game, *_skipped(claims, positions)) for game, claims, positions in courses]
    searched = [(game, positions) for game, claims, positions in courses if _skipped(claims, positions)[-1] is None]
    rows = [row for game, positions in searched for row in judge(game, positions)]
    with duckdb.connect(path) as connection:
        for game, depth, skipped in analyses:
            connection.execute(
                "INSERT INTO _analysis VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL, NULL)",
                [game, SOLVER_VERSION, depth, NODES, skipped],
            )
        for row in rows:
            connection.execute(f"INSERT INTO _tactic VALUES ({', '.join('?' * len(COLUMNS))})", [*row.values()])
    return rows


def _skipped(claims: str, positions: list[Position]) -> tuple[int, str | None]:
    reason = "written-claims" if claims == "written" else None
    if len(positions[0].board.rings) > LARGEST_COMPILED_BOARD:
        reason = "large-board"
    return (0 if reason else DEPTH), reason


def judge(game: int, positions: list[Position]) -> list[dict[str, Any]]:
    """Return a row for each notable ply of a game."""
    return [{**row, "game": game} for row in _judge(tuple(positions))]


@cache
def _judge(positions: tuple[Position, ...]) -> list[dict[str, Any]]:
    states = [position.state for position in positions]
    follows = [1] * (len(states) - 1) + [0]
    first = positions[0]
    verdicts = judge_states(first.board, first.rules, states, follows, DEPTH, NODES)
    rows = []
    for ply, (position, found) in enumerate(zip(positions[:-1], verdicts[:-1], strict=True)):
        verdict = [int(number) for number in found]
        if not (verdict[FORCED] or verdict[BLUNDER] or verdict[LOST_BEFORE] == YES):
            continue
        better = verdict[BETTER]
        values = (
            0,
            ply,
            verdict[FORCED] or None,
            decided(verdict[KEEPS]) if verdict[FORCED] else None,
            verdict[MISSED] == YES,
            decided(verdict[ONLY_MOVE]) if verdict[FORCED] else None,
            verdict[BLUNDER] or None,
            position.notation(unpack(position, (better, 0))) if verdict[BLUNDER] else None,
            verdict[LOST_BEFORE] == YES,
        )
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


def decided(answer: int) -> bool | None:
    """Return an answer of the solver; None where the limits did not suffice."""
    return None if answer < 0 else answer == YES
