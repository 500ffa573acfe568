"""List puzzles."""

from __future__ import annotations

from zertz_db.queries.puzzles.selection import Selection, select_puzzles
from zertz_db.queries.result import Column, Result
from zertz_db.queries.sql_params import require_row_count
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text
from zertz_db.store.sql_literals import literal
from zertz_db.tactics.puzzles.find import GRADES

TOP = 20
"""Default number of rows."""
PUZZLES = (
    Column("id", "the puzzle's id"),
    Column("board", "the board"),
    Column("grade", "A+, A or B: how unique the first move is"),
    Column("length", "plies of the forced win"),
    Column("themes", "what happens in the solution"),
    Column("difficulty", "estimate before any attempt, on the scale of ratings"),
    Column("game", "id of its game"),
    Column("ply", "plies before the position: the ply of zertz show and zertz solve"),
    Column("player", "the player to move"),
    Column("opponent", "the other player"),
    Column("date", "the game's date"),
    Column("missed", "whether the player let the win go in the game"),
)
_COLUMNS = """
    puzzle, board, grade, length, themes, difficulty, game, ply, CASE mover WHEN 1 THEN player1 ELSE player2 END AS player,
    CASE mover WHEN 1 THEN player2 ELSE player1 END AS opponent, date, missed
"""
_BY_GRADE = f"list_position([{', '.join(map(literal, GRADES))}], grade)"
BEST_FIRST = f"{_BY_GRADE}, length DESC, date_from DESC NULLS LAST, puzzle"
"""The order of lists: by grade, the longest first."""


def list_puzzles(database: Database, selection: Selection = Selection(), limit: int | None = TOP) -> Result:  # noqa: B008
    """List the puzzles that meet the conditions: the best grades first, of these the longest. limit: maximum number; None for all.

    Columns: PUZZLES. QueryError for an invalid condition.
    """
    require_row_count(limit or 0, "puzzles")
    rows = select_puzzles(database, selection, _COLUMNS, order=BEST_FIRST, limit=limit)
    listed = [{**row, "id": to_text(row["puzzle"]), "game": to_text(row["game"])} for row in rows]
    return Result(PUZZLES, [tuple(row[column.name] for column in PUZZLES) for row in listed])
