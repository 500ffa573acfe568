"""Choose the next puzzle for a visitor, by difficulty, without repeats."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random

from zertz_db.queries.puzzles.one_puzzle import Puzzle, find_puzzle
from zertz_db.queries.puzzles.selection import Selection, select_puzzles
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text

CLOSEST = 20
"""Number of puzzles among which one is chosen at random: those whose difficulty is closest to the wanted one."""


def choose_puzzle(
    database: Database,
    selection: Selection = Selection(),  # noqa: B008
    *,
    difficulty: float | None = None,
    seen: Collection[str] = (),
    ratings: Mapping[str, float] | None = None,
    chance: Random | None = None,
) -> Puzzle | None:
    """Return one of the puzzles that meet the conditions at random; None if all of them were seen.

    difficulty: the puzzle is one of the CLOSEST to it (None: any). seen: ids to leave out. ratings: difficulties that attempts have
    changed, by id. chance: the source of chance. QueryError for an invalid condition.
    """
    rows = select_puzzles(database, selection, "puzzle, difficulty", order="puzzle")
    rated = ratings or {}
    known = {to_text(row["puzzle"]): float(row["difficulty"]) for row in rows}
    ids = [puzzle for puzzle in known if puzzle not in seen]
    if not ids:
        return None
    if difficulty is not None:
        ids.sort(key=lambda puzzle: (abs(rated.get(puzzle, known[puzzle]) - difficulty), puzzle))
        ids = ids[:CLOSEST]
    chosen = (chance or Random()).choice(ids)  # noqa: S311 - not a secret
    return find_puzzle(database, chosen)
