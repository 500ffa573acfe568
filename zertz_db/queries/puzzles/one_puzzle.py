"""One puzzle: its position, its solution, and the game that it is from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zertz_db.queries.errors import QueryError
from zertz_db.queries.puzzles.puzzle_list import BEST_FIRST
from zertz_db.queries.puzzles.selection import Selection, select_puzzles
from zertz_db.queries.replay_moves import moves, replayed
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text, to_text
from zertz_db.tactics.puzzles.find import GRADES


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with a forced win in `length` plies to find.

    id: equal for equal and symmetric positions. ring, colours: the placements that win within that length. line: a solution, the shortest
    win against the longest defence. difficulty: the estimate before any attempt. game, ply, player, opponent, date: where it is from, and
    who was to move. played: the move of the game; missed: it let the win go.
    """

    id: str
    position: Position
    length: int
    grade: str
    ring: str
    colours: str
    line: tuple[str, ...]
    themes: tuple[str, ...]
    legal_moves: int
    difficulty: int
    game: str
    ply: int
    player: str | None
    opponent: str | None
    date: str | None
    played: str
    missed: bool

    @property
    def goal(self) -> str:
        """Return the task as a sentence."""
        return f"Player {self.position.side} to move wins by force within {self.length} plies."

    def as_json(self, *, with_solution: bool) -> dict[str, Any]:
        """Return the puzzle as plain values, and with its solution if that is wanted."""
        shown = {
            "id": self.id, "position": self.position.text, "side": self.position.side, "goal": self.goal, "length": self.length,
            "grade": self.grade, "difficulty": self.difficulty, "legal_moves": self.legal_moves, "game": self.game, "ply": self.ply,
            "player": self.player, "opponent": self.opponent, "date": self.date,
        }  # fmt: skip
        if not with_solution:
            return shown
        return {
            **shown, "themes": [*self.themes], "ring": self.ring, "colours": self.colours, "line": [*self.line],
            "played": self.played, "missed": self.missed,
        }  # fmt: skip


def find_puzzle(database: Database, text: str) -> Puzzle:
    """Return the puzzle with an id. QueryError for no such puzzle."""
    try:
        number = from_text(text)
    except ValueError as error:
        raise QueryError(str(error)) from error
    for puzzle in _read(database, Selection(), limit=1, only=number):
        return puzzle
    raise QueryError(f"there is no puzzle {text} in this database; `zertz puzzles` lists its puzzles")


def find_puzzles(database: Database, selection: Selection = Selection(), limit: int | None = None) -> Iterator[Puzzle]:  # noqa: B008
    """Yield the puzzles that meet the conditions, in the order of `list_puzzles`. QueryError for an invalid condition."""
    return _read(database, selection, limit=limit)


def find_daily(database: Database, day: dt.date) -> Puzzle | None:
    """Return the puzzle of a day: one of grade A or better; None if there is none.

    It depends on the day and the puzzles alone: each puzzle has a number, a hash of the day and its id, and the least one is chosen. One
    puzzle more among n changes the puzzle of a day with a probability of 1 to n + 1.
    """
    order = f"md5(concat('{day.isoformat()} ', puzzle::VARCHAR)), puzzle"
    return next(_read(database, Selection(grade=GRADES[1]), limit=1, order=order), None)


def _read(
    database: Database, selection: Selection, *, limit: int | None, order: str = BEST_FIRST, only: int | None = None
) -> Iterator[Puzzle]:
    for row in select_puzzles(database, selection, "*", order=order, limit=limit, only=only):
        position = replayed(row, moves(row["movetext"])[: row["ply"]])[-1]
        side = row["mover"]
        yield Puzzle(
            id=to_text(row["puzzle"]),
            position=position,
            length=row["length"],
            grade=row["grade"],
            ring=row["ring"],
            colours=row["colours"],
            line=tuple(moves(row["line"])),
            themes=tuple(row["themes"].split()),
            legal_moves=row["legal_moves"],
            difficulty=row["difficulty"],
            game=to_text(row["game"]),
            ply=row["ply"],
            player=row[f"player{side}"],
            opponent=row[f"player{3 - side}"],
            date=row["date"],
            played=row["played"],
            missed=row["missed"],
        )
