"""Find one game with all its data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import duckdb

from zertz_db.parser.vocabulary.terms import WINNERS, Ending, GameResult
from zertz_db.queries.corrections import corrected_tags
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.close_texts import close_ids
from zertz_db.queries.memory.cached_games import CachedGames, cache_games
from zertz_db.queries.replay_moves import moves, replayed
from zertz_db.queries.result import Result, run_query
from zertz_db.queries.sql_params import execute
from zertz_db.rules.position import Position
from zertz_db.store import ids
from zertz_db.store.folder.database import Database
from zertz_db.store.loading import game_courses
from zertz_db.store.schema import ply_columns

SHORTEST_PREFIX = 4
"""Minimum length of the prefix of an id."""

_CANDIDATES = 5


@dataclass(frozen=True)
class Game:
    """Game with all its data.

    row: the columns of the view `games`. tags: name, value. plies: ply (from 1), mover, kind, notation, clock
    (milliseconds), forced, claim, sacrifice. findings: those of every record of the game. sightings: where its records
    were found. corrections: which facts and tags are not as the leading record has them (`old`), but corrected.
    """

    row: dict[str, Any]
    tags: Result
    plies: Result
    findings: Result
    sightings: Result
    corrections: Result

    @property
    def id(self) -> str:
        """Return the game's id in letters."""
        return str(self.row["id"])

    @property
    def moves(self) -> list[str]:
        """Return the plies in official notation."""
        return moves(self.row["movetext"])

    @property
    def clocks(self) -> list[int | None]:
        """Return the mover's clock after each ply in milliseconds (None: unknown)."""
        return [row["clock"] for row in self.plies.dicts()]

    @property
    def outcome(self) -> str:
        """Return the result in words, for example `1-0, set (4W)`; if moves and record disagree, both results."""
        row = self.row
        if row["result"] is None and row["result_claimed"] and row["result_computed"]:
            return f"the record states {row['result_claimed']}, the moves give {row['result_computed']}"
        sets = f" ({row['winning_sets']})" if row["winning_sets"] else ""
        return (row["result"] or GameResult.UNKNOWN) + (f", {row['ending']}{sets}" if row["ending"] else "")

    @property
    def end(self) -> str | None:
        """Return the end of the game as a sentence for after its last move, for example `Player 2 resigns.`; None if unknown."""
        ending = self.row["ending"]
        winner = self.row["winner"]
        if self.row["result"] is None:  # contradicted: the ending is of the moves
            winner = WINNERS.get(self.row["result_computed"])
        if ending is None:
            return None
        said = SENTENCES.get(ending, str(ending))
        if self.row["result_computed"] == GameResult.BOTH_LOSE:
            said = said.replace("a tie", "a tie, which both players lose")
        if not winner and "{" in said:
            return f"It is said to have ended by {ending}."
        return said.format(winner=winner, loser=3 - (winner or 0), sets=self.row["winning_sets"])

    @cached_property
    def positions(self) -> list[Position]:
        """Return the positions: at the start, and after each ply."""
        return replayed(self.row, self.moves)


class Course(NamedTuple):
    """Course of a game. moves: its plies in official notation."""

    row: dict[str, Any]
    moves: list[str]

    def positions(self) -> list[Position]:
        """Return the positions: at the start, and after each ply."""
        return replayed(self.row, self.moves)

    def position(self, ply: int | None = None) -> Position:
        """Return the position after a number of plies (None: at the end). QueryError if the game is shorter."""
        last = len(self.moves)
        if ply is not None and ply > last:
            raise QueryError(
                f"the game has {last} {'ply' if last == 1 else 'plies'}: ply takes 0 (the start) to {last} (the end)"
            )
        return replayed(self.row, self.moves[:ply])[-1]


def find_game(database: Database, text: str) -> Game:
    """Return the game with an id, or with the only id of a prefix (at least 4 letters).

    QueryError for no game, and for several; the message names them.
    """
    connection = database.connection()
    number = find_id(connection, text)
    row = run_query(connection, _ROW, [number], about="games", ids=("id", "record")).dicts()[0]
    corrections = run_query(connection, _CORRECTIONS, [number], about="corrections")
    return Game(
        row=row,
        tags=corrected_tags(run_query(connection, _TAGS, [number], about="tags"), corrections),
        plies=run_query(connection, _PLIES, [number], about="plies"),
        findings=run_query(connection, _FINDINGS, [number, number], about="findings", ids=("record",)),
        sightings=run_query(connection, _SIGHTINGS, [number], about="records", ids=("record",)),
        corrections=corrections,
    )


def course(database: Database, text: str) -> Course:
    """Return the course of a game; faster than `find_game`, because it reads less. QueryError: as `find_game`."""
    number, kept = find_number(database, text)
    row = kept.row(number, _PLAYED_COLUMNS) if kept else run_query(database.connection(), _PLAYED, [number]).dicts()[0]
    return Course(row, moves(row["movetext"]))


def find_number(database: Database, text: str) -> tuple[int, CachedGames | None]:
    """Return the id of a game as `find_id`, and the facts of all games if they are kept."""
    kept = cache_games(database)
    number = _read_whole_id(text) if kept else None
    if kept is None or number is None or number not in kept:
        number = find_id(database.connection(), text)
    return number, kept


def _read_whole_id(text: str) -> int | None:
    """Return the number of a whole id; None for a part of one, and for no id."""
    try:
        return ids.from_text(text)
    except ValueError:
        return None


def find_id(connection: duckdb.DuckDBPyConnection, text: str) -> int:
    """Return the id, as a number, of the only game with a prefix of an id. QueryError for no game, and for several."""
    if len(text.strip()) < SHORTEST_PREFIX:
        raise QueryError(f"{text!r} is too short: give at least {SHORTEST_PREFIX} letters of the game's id")
    try:
        first, last = ids.beginning_with(text)
    except ValueError as error:
        raise QueryError(str(error)) from error
    where, values = ("id = ?", [first]) if first == last else ("id BETWEEN ? AND ?", [first, last])
    rows = execute(
        connection, f"SELECT id FROM _game WHERE {where} ORDER BY id LIMIT {_CANDIDATES + 1}", values
    ).fetchall()
    found = [number for (number,) in rows]
    if not found:
        close = close_ids(connection, text)
        hint = f"did you mean {' or '.join(close)}?" if close else "`zertz games` lists its games"
        raise QueryError(f"there is no game {text} in this database; {hint}")
    if len(found) > 1:
        names = ", ".join(ids.to_text(number) for number in found[:_CANDIDATES])
        more = " and more" if len(found) > _CANDIDATES else ""
        raise QueryError(f"several games begin with {text}: {names}{more}; give more letters")
    return int(found[0])


SENTENCES = {
    Ending.SET: "Player {winner} has a winning set: {sets}.",
    Ending.BOARD_FILLED: "Player {winner} fills the board and wins.",
    Ending.RESIGN: "Player {loser} resigns.",
    Ending.TIME: "Player {loser}'s time runs out.",
    Ending.AGREED: "The players agree on a tie.",
    Ending.REPETITION: "The moves are repeated: a tie.",
    Ending.BOTH_LOSE: "Nobody holds a marble: both players lose.",
    Ending.NO_MOVE: "Nobody can move: a tie.",
    Ending.ABANDONED: "The game is abandoned.",
}
"""The end of a game as a sentence, by the ending."""

_HIDDEN = ", ".join(f"'{name}'" for name in (*game_courses.COLUMNS, *ply_columns.COLUMNS))
_ROW = f"SELECT COLUMNS(name -> name NOT IN ({_HIDDEN})) FROM _game WHERE id = ?"
"""A game's columns without those for statistics and for its plies."""
_PLAYED_COLUMNS = ("board", "rule_set", "tournament", "claims", "start", "movetext")
_PLAYED = f"SELECT {', '.join(_PLAYED_COLUMNS)} FROM _game WHERE id = ?"
_TAGS = "SELECT name, value FROM _tag WHERE record = (SELECT record FROM _game WHERE id = ?) ORDER BY name"
_CORRECTIONS = "SELECT tag, old, new, author, made_at FROM _correction WHERE game = ? ORDER BY tag"
_PLIES = """
    SELECT ply + 1 AS ply, mover, kind, notation, clock, forced, claim, sacrifice
    FROM _ply WHERE game = ? ORDER BY ply
"""
_FINDINGS = """
    SELECT code, severity, line, col, ply, message, rule, suggestion, record
    FROM _finding
    WHERE record IN (SELECT id FROM _record WHERE game = ?)
    ORDER BY record <> (SELECT record FROM _game WHERE id = ?), record, line, col
"""
_SIGHTINGS = """
    SELECT path, member, index, line_from, dialect, status, run, _record.id AS record
    FROM _record JOIN _source ON _source.id = source
    WHERE game = ? ORDER BY status <> 'stored', run, path, member, index
"""
