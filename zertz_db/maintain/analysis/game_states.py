"""Read games for the search: their positions as states of the rules kernel, from the table of positions, without a replay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.parser.vocabulary.terms import WINNERS, Ending, GameResult, MoveKind
from zertz_db.rules import kernel
from zertz_db.rules.position import Position
from zertz_db.store.schema.ply_columns import plies_of
from zertz_db.store.schema.position_columns import STATE_SQL

_ENDINGS = {
    Ending.SET: kernel.BY_SET,
    Ending.BOARD_FILLED: kernel.BOARD_FILLED,
    Ending.BOTH_LOSE: kernel.BOTH_LOSE,
    Ending.NO_MOVE: kernel.NO_MOVE,
}
"""The endings that the moves cause; after any other a position could be played on."""


class StoredGame(NamedTuple):
    """What the search must know of a stored game besides its positions. start: as in the column, or None."""

    id: int
    board: str
    rule_set: str
    tournament: bool
    claims: str
    start: str | None
    plies: int
    ending: str | None
    result: str | None
    """The result by the rules."""

    def start_text(self) -> str:
        """Return the position string of its start."""
        if self.start:
            return self.start
        rules = self.rule_set + "+tournament" * self.tournament + "+written" * (self.claims == "written")
        return str(Position.start(self.board, rules))

    @property
    def winner(self) -> int:
        """Return the winner by the rules: 1, 2, or 0 without one."""
        return WINNERS.get(GameResult(self.result), 0) if self.result else 0


class GameStates(NamedTuple):
    """Games of one board and rule set, with their positions one after the other.

    start: a position string with the board and the rules. games: ids. sizes: number of positions of each, one more than its plies. states:
    int64 array (positions, STATE_SIZE). is_free: for each position whether its move was a placement with an alternative.
    """

    start: str
    games: list[int]
    sizes: list[int]
    states: Any
    is_free: Any


GAME_COLUMNS = "id, board, rule_set, tournament, claims, start, plies, ending, result_computed"
"""The columns of a StoredGame."""


def read_game_states(
    connection: duckdb.DuckDBPyConnection, games: Sequence[StoredGame], at_once: int
) -> Iterator[GameStates]:
    """Yield the positions of games in batches of at most `at_once` games of one board and rule set.

    Skip games that don't have all their positions: the database changed, or `doctor` reports it.
    """
    rows = _read_positions(connection, [game.id for game in games])
    first = _find_games(rows["game"])
    alike: dict[str, list[StoredGame]] = defaultdict(list)
    for game in games:
        low, high = first.get(game.id, (0, 0))
        if high - low == game.plies + 1:
            alike[_kind(game)].append(game)
    states = _states(rows)
    is_free = np.asarray(rows["is_free"], bool)
    for those in alike.values():
        for at in range(0, len(those), at_once):
            some = those[at : at + at_once]
            places = [first[game.id] for game in some]
            own = np.concatenate([states[low:high] for low, high in places])
            ends = np.cumsum([high - low for low, high in places]) - 1
            for game, end in zip(some, ends, strict=True):
                _mark_end(own[end], game)
            yield GameStates(
                some[0].start_text(),
                [game.id for game in some],
                [high - low for low, high in places],
                own,
                np.concatenate([is_free[low:high] for low, high in places]),
            )


def _find_games(column: Any) -> dict[int, tuple[int, int]]:
    """Return the first row of each game, and the row after its last."""
    starts = [*np.flatnonzero(np.diff(column, prepend=column[:1] - 1)).tolist(), len(column)] if len(column) else []
    return {int(column[low]): (low, high) for low, high in pairwise(starts)}


def _kind(game: StoredGame) -> str:
    """Return a text that is equal for games of one board and rule set: the first words of their starts."""
    if game.start is None:
        return f"{game.board} {game.rule_set} {game.tournament} {game.claims}"
    return game.start if game.board == "custom" else " ".join(game.start.split(" ")[:2])


def _read_positions(connection: duckdb.DuckDBPyConnection, games: list[int]) -> dict[str, Any]:
    """Return the positions of games as columns, sorted by game and ply."""
    connection.register("games_to_search", pa.table({"game": pa.array(games, pa.int64())}))
    columns = ", ".join(f"({sql})::BIGINT AS {name}" for name, sql in STATE_SQL.items())
    found = connection.execute(f"""
        SELECT p.game, p.side::BIGINT - 1 AS side, {columns}, coalesce(kind = '{MoveKind.PLACEMENT}' AND NOT forced, false) AS is_free
        FROM _position p SEMI JOIN games_to_search USING (game) LEFT JOIN {plies_of("(FROM games_to_search)")} USING (game, ply)
        ORDER BY p.game, p.ply
    """).fetchnumpy()
    connection.unregister("games_to_search")
    return found


def _states(rows: dict[str, Any]) -> Any:
    """Return the kernel's states of these rows: not those of ended games, see `_mark_end`."""
    states = np.zeros((len(rows["game"]), kernel.STATE_SIZE), np.int64)
    for place, name in enumerate(STATE_SQL):
        states[:, place] = rows[name]
    states[:, kernel.SIDE] = rows["side"]
    _count_passes(states, rows["game"])
    return states


def _count_passes(states: Any, games: Any) -> None:
    """Write the passes in a row before each position: a pass changes nothing but the side to move."""
    if len(states) < 2:
        return
    fields = len(STATE_SQL)
    passed = (states[1:, :fields] == states[:-1, :fields]).all(axis=1) & (games[1:] == games[:-1])
    for row in np.flatnonzero(passed) + 1:
        states[row, kernel.PASSES] = states[row - 1, kernel.PASSES] + 1


def _mark_end(state: Any, game: StoredGame) -> None:
    ending = _ENDINGS.get(Ending(game.ending)) if game.ending else None
    if ending:
        state[kernel.ENDING] = ending
        state[kernel.WINNER] = game.winner
