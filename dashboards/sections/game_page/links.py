"""URL queries that lead from a game to other pages."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.dashboards.components.location import build_link
from zertz_db.queries.games.one_game import Game
from zertz_db.rules.position import Position


def build_openings_query(game: Game, ply: int, more: Sequence[str] = ()) -> dict[str, str] | None:
    """Return the query of the opening tree after a number of plies and more moves.

    None for a game that the tree can't show: on a custom board, or from another start than its board and rule set have.
    """
    start = game.positions[0]
    board, rules = start.board.name, game.row["rule_set"]
    if start.board.is_custom or start != Position.start(board, rules):
        return None
    return {"board": board, "rules": rules, "moves": " ".join((*game.moves[:ply], *more))}


def build_game_link(game: str, ply: int, players: Sequence[str | None], date: str | None) -> str:
    """Return a link to a game at a ply in Markdown: its players and date."""
    names = " – ".join(name or "?" for name in players)
    return build_link(f"{names}, {date or 'without a date'}", "game", {"id": game, "ply": str(ply)})


def build_analysis_query(position: Position) -> dict[str, str]:
    """Return the query of the analysis board with a position."""
    return {"start": position.text}
