"""Show the other games with the position on the board, and links that use the position."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.components.listing import show_listing
from zertz_db.dashboards.components.verbatim import show_verbatim
from zertz_db.dashboards.sections.game_rows import POSITION_COLUMNS, build_position_rows
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.games.one_game import Game
from zertz_db.queries.search.positions import find_position
from zertz_db.rules.position import Position

MAX_GAMES = 30


def show_position_games(game: Game, position: Position) -> None:
    """Show the games with this position, turned or mirrored too; each opens there."""
    hits = run_query(
        find_position, position.text, pool=True, captures=True, side=True, limit=MAX_GAMES + 1
    ).hits.dicts()
    others = [hit for hit in hits if hit["id"] != game.id][:MAX_GAMES]
    if not others:
        st.write("No other game has this position, also not turned or mirrored.")
    else:
        limit = "The latest " if len(hits) > MAX_GAMES else ""
        st.caption(f"{limit}{format_count(len(others), 'other game')} with this position, turned or mirrored too.")
        show_listing(
            POSITION_COLUMNS,
            build_position_rows(others),
            key="position elsewhere",
            label="Games with this position",
            height=420,
        )
    show_verbatim(position.text, key="position")
    with st.container(horizontal=True):
        st.page_link(
            "views/search.py",
            label="Search for it in other ways",
            icon=":material/search:",
            query_params={"what": position.text},
        )
        if not position.is_over:
            st.page_link(
                "views/enter.py",
                label="Play on from here",
                icon=":material/edit:",
                query_params={"start": position.text},
            )
