"""Compare the two games of a pair of duplicates, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from zertz_db.queries.replay_moves import moves
from zertz_db.queries.result import run_query
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text

MAX_FILES = 3
"""Maximum number of files listed for a game."""


class GamePair(NamedTuple):
    """Two games of equal positions, as far as the shorter one goes.

    first, second: their rows: id, player1, player2, date, event, site, round, board, rule_set, plies, result, records (their number),
    files (the first ones). common: number of plies of both. written_alike: number of plies before the first one that is written in
    another way. moves: all moves of each.
    """

    first: dict[str, Any]
    second: dict[str, Any]
    common: int
    written_alike: int
    moves: tuple[list[str], list[str]]

    @property
    def sentences(self) -> list[str]:
        """Return where the moves differ, in words."""
        one, two = self.moves
        found = []
        if self.written_alike == self.common:
            found.append(f"{'All' if len(one) == len(two) else 'The first'} {self.common} plies are the same.")
        else:
            at = self.written_alike
            found.append(
                f"The positions are the same for {self.common} plies. The moves are turned, mirrored or written in another way "
                f"from ply {at + 1} on: {one[at]} and {two[at]}."
            )
        if len(one) != len(two):
            ends, goes, longer = ("first", "second", two) if len(one) < len(two) else ("second", "first", one)
            found.append(
                f"Then the {ends} game ends. The {goes} goes on with {longer[self.common]} (ply {self.common + 1}) "
                f"and has {len(longer)} plies."
            )
        return found


def compare_games(database: Database, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], GamePair]:
    """Return the comparison of each pair of ids (in letters) whose games the database has."""
    numbers = {from_text(game) for pair in pairs for game in pair}
    wanted = ", ".join(f"{number:d}" for number in numbers)
    rows = run_query(database.connection(), _GAMES.format(wanted)).dicts() if wanted else []
    games = {row["id"]: {**row, "files": row["files"][:MAX_FILES]} for row in rows}
    return {
        (game, other): _compare(games[from_text(game)] | {"id": game}, games[from_text(other)] | {"id": other})
        for game, other in pairs
        if from_text(game) in games and from_text(other) in games
    }


def _compare(first: dict[str, Any], second: dict[str, Any]) -> GamePair:
    one, two = moves(first.pop("movetext")), moves(second.pop("movetext"))
    common = min(len(one), len(two))
    alike = next((ply for ply in range(common) if one[ply] != two[ply]), common)
    return GamePair(first, second, common, alike, (one, two))


_GAMES = """
    SELECT g.id, player1, player2, date, event, site, round, board, rule_set, plies, result, movetext, f.records, f.files
    FROM _game g JOIN (
        SELECT r.game, count(*) AS records, list(DISTINCT path ORDER BY path) AS files
        FROM _record r JOIN _source s ON s.id = r.source WHERE r.game IN ({0}) GROUP BY r.game
    ) f ON f.game = g.id WHERE g.id IN ({0})
"""
