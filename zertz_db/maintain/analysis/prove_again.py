"""Prove stored forced wins again: the solver names the winner's moves, and every legal defence is tried by the public `Position`."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from zertz_db.maintain.analysis.game_states import GAME_COLUMNS, StoredGame, read_game_states
from zertz_db.maintain.integrity_checks import MAX_EXAMPLES, IntegrityProblem
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.store.ids import to_text
from zertz_db.tactics.solver import solve

_SAMPLE = 100
"""Number of forced wins to prove again: a second or two."""
_LONGEST = 7
"""Greatest length in plies of those: each ply more multiplies the defences."""
_NODES = 1_000_000


def find_unproven_wins(connection: duckdb.DuckDBPyConnection) -> Iterator[IntegrityProblem]:
    """Yield a problem if wins of a random sample of stored ones can't be proven again."""
    query = f"SELECT game, ply, forced FROM _tactic WHERE forced <= {_LONGEST} USING SAMPLE reservoir({_SAMPLE} ROWS)"
    sample = connection.execute(query).fetchall()
    if not sample:
        return
    games = sorted({game for game, _, _ in sample})
    query = f"SELECT {GAME_COLUMNS} FROM _game WHERE id IN (SELECT unnest(?))"
    stored = [StoredGame(*row) for row in connection.execute(query, [games]).fetchall()]
    positions = {batch.games[0]: batch for batch in read_game_states(connection, stored, 1)}
    unproven = []
    for game, ply, forced in sample:
        batch = positions.get(game)
        if batch is None:
            continue  # another check reports its positions
        start = Position.parse(batch.start)
        before = Position(start.board, start.rules, tuple(batch.states[ply].tolist()))
        if before.is_over or not is_won(before, forced):
            unproven.append(f"game {to_text(game)}, ply {ply}, {forced} plies")
    if unproven:
        yield IntegrityProblem(
            "a stored forced win can't be proven again", len(unproven), tuple(unproven[:MAX_EXAMPLES])
        )


def is_won(position: Position, plies: int) -> bool:
    """Return whether the player to move wins within `plies` plies against every legal defence, by the solver's moves."""
    found = solve(position, plies, _NODES)
    if not found.line:
        return False
    after = position.play(position.move(found.line[0]))
    if after.is_over:
        return after.winner == position.side
    return plies > 2 and all(_is_lost(after, defence, plies - 2) for defence in after.legal_moves())


def _is_lost(position: Position, defence: Move, plies: int) -> bool:
    """Return whether the opponent of the player to move wins within `plies` plies after this defence."""
    after = position.play(defence)
    return after.winner == 3 - position.side if after.is_over else is_won(after, plies)
