"""Select puzzles: by the games that they are from, by their themes, grade and length, and by the player who missed them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.player_conditions import Condition, all_of, called, one_of
from zertz_db.queries.result import run_query
from zertz_db.queries.sql_params import Value
from zertz_db.store.folder.database import Database
from zertz_db.store.schema.ply_columns import plies_of
from zertz_db.tactics.puzzles.find import GRADES, SHORTEST
from zertz_db.tactics.puzzles.themes import THEMES


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions on puzzles, which hold together.

    filters: a filter of their games. themes: all of them are in the solution. grade: this one or a better one. length: plies of the forced
    win. missed_by: the name of a player who had the puzzle in a game and let the win go.
    """

    filters: str = ""
    themes: tuple[str, ...] = ()
    grade: str = GRADES[-1]
    length: int | None = None
    missed_by: str = ""

    def conditions(self) -> list[Condition]:
        """Return the conditions on rows of a puzzle with its game, as SQL. QueryError for an invalid value."""
        return [
            *map(_has_theme, self.themes),
            *_has_grade(self.grade),
            *([] if self.length is None else [_has_length(self.length)]),
            *([_is_missed_by(self.missed_by.strip())] if self.missed_by.strip() else []),
        ]


def _has_theme(theme: str) -> Condition:
    if theme not in THEMES:
        raise QueryError(f"no theme is called {theme!r}; valid: {', '.join(THEMES)}")
    return "list_contains(string_split(themes, ' '), ?)", [theme]


def _has_grade(grade: str) -> list[Condition]:
    if grade not in GRADES:
        raise QueryError(f"no grade is called {grade!r}; valid: {', '.join(GRADES)}")
    accepted = GRADES[: GRADES.index(grade) + 1]
    return [] if accepted == GRADES else [(f"grade IN ({', '.join('?' * len(accepted))})", [*accepted])]


def _has_length(length: int) -> Condition:
    if length < SHORTEST or length % 2 == 0:
        raise QueryError(f"the length of a puzzle is an odd number of plies from {SHORTEST} on, not {length}")
    return "length = ?", [length]


def _is_missed_by(name: str) -> Condition:
    own = [all_of([(f"mover = {side}", []), called(side, name)]) for side in (1, 2)]
    return all_of([("missed", []), one_of(own)])


def select_puzzles(
    database: Database,
    selection: Selection,
    columns: str,
    *,
    order: str,
    limit: int | None = None,
    only: int | None = None,
) -> list[dict[str, Any]]:
    """Return columns (SQL) of the puzzles that meet the conditions, in an order (SQL). QueryError for an invalid condition.

    Of puzzles with equal or symmetric positions the one of one game is returned. limit: maximum number of rows. only: the id of a puzzle.
    """
    games, values = condition(selection.filters)
    conditions = selection.conditions()
    one, own = ("WHERE id = ?", [only]) if only is not None else ("", [])
    where, more = all_of(conditions)
    most = "" if limit is None else f"LIMIT {limit:d}"
    sql = _SELECT.format(games=games, one=one, where=where, columns=columns, order=order, most=most, plies=_PLIES)
    every: list[Value] = [*own, *values, *more]
    return run_query(database.connection(), sql, every).dicts()


_PLIES = plies_of("(SELECT game FROM z)")
_SELECT = """
    WITH z AS (SELECT id AS puzzle, * EXCLUDE id FROM _puzzle {one}),
    chosen AS (SELECT id AS game, * EXCLUDE id FROM _game WHERE id IN (SELECT game FROM z) AND ({games})),
    turn AS (
        SELECT game, ply, mover, notation AS played, kept, missed
        FROM (SELECT game, ply, kept, missed FROM _tactic SEMI JOIN z USING (game, ply)) JOIN {plies} USING (game, ply)
    ),
    selected AS (
        SELECT * FROM z JOIN turn USING (game, ply) JOIN chosen USING (game) WHERE {where}
        QUALIFY row_number() OVER (PARTITION BY puzzle ORDER BY game) = 1
    )
    SELECT {columns} FROM selected ORDER BY {order} {most}
"""
