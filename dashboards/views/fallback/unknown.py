"""Page for a path that is no page: it says so, and leads on."""

from __future__ import annotations

from difflib import get_close_matches

import streamlit as st

from zertz_db.dashboards.components.location import get_path
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.one_game import find_game

PLACES = {
    "overview": ("views/overview.py", "Overview", ":material/dashboard:"),
    "games": ("views/games.py", "Games", ":material/view_list:"),
    "players": ("views/players.py", "Players", ":material/group:"),
    "openings": ("views/openings.py", "Openings", ":material/account_tree:"),
    "find": ("views/search.py", "Position search", ":material/search:"),
    "search": ("views/search.py", "Position search", ":material/search:"),
    "statistics": ("views/stats.py", "Win conditions", ":material/bar_chart:"),
    "insights": ("views/insights.py", "Insights", ":material/insights:"),
    "compare": ("views/compare.py", "A against B", ":material/compare_arrows:"),
    "puzzles": ("views/puzzles.py", "Puzzles", ":material/extension:"),
    "analysis": ("views/analysis.py", "Analysis board", ":material/biotech:"),
    "imports": ("views/imports.py", "Imports", ":material/download:"),
    "check": ("views/check.py", "Check & import", ":material/fact_check:"),
}
"""Pages by words that people may write in a URL."""
USUAL = ("overview", "games", "players", "find")
"""Pages offered for a path that resembles no page."""


def show_page() -> None:
    """Draw the page."""
    path = get_path()
    st.title("No such page")
    st.info(f"This dashboard has no page “{escape_markdown(path)}”.", icon=":material/explore_off:")
    game = find_game_id(path)
    if game:
        st.page_link("views/game.py", label=f"The game {game}", icon=":material/hexagon:", query_params={"id": game})
    close = get_close_matches(path.casefold(), PLACES, n=2)
    st.caption("Did you mean:" if close else "Go on with:")
    for page_file, label, icon in dict.fromkeys(PLACES[name] for name in close or USUAL):
        st.page_link(page_file, label=label, icon=icon)


def find_game_id(path: str) -> str:
    """Return the id of the game that a path names; "" if it names none."""
    try:
        return str(run_query(find_game, path).id)
    except QueryError:
        return ""


show_page()
