"""Show where a game leaves all games that were played before it."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.components.location import build_link
from zertz_db.dashboards.sections.game_page.links import build_game_link
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.games.novelty import Novelty, find_novelty
from zertz_db.queries.games.one_game import Game
from zertz_db.store.folder.database import Database


def show_novelty(game: Game) -> None:
    """Show the first new move, with a link to it, and the earlier game that first reached the position before it."""

    def find(database: Database, _game_id: str) -> Novelty:
        return find_novelty(database, game)  # which is replayed already

    st.caption(describe_novelty(game.id, run_query(find, game.id)))


def describe_novelty(game: str, found: Novelty) -> str:
    """Return a sentence in Markdown. game: id of the game that `found` is about."""
    if found.ply is None or found.first is None:
        return "No earlier game began with this position."
    first = found.first
    link = build_game_link(first.id, first.ply, (first.player1, first.player2), first.date)
    reached = f"{format_count(found.games, 'earlier game')} reached the position"
    if found.move is None:
        return f"Nothing new: {reached} after the last ply, {link} first."
    move = build_link(found.move, "game", {"id": game, "ply": str(found.ply + 1)})
    return f"New with {move}, ply {found.ply + 1}: {reached} before it, {link} first."
