"""Pair the players of a round robin whose names a visitor writes, as a table of rounds to print."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.components.location import bind_widget, get_value
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.export.pairings_page import STYLE, format_pairings, format_pairings_page
from zertz_db.queries.errors import QueryError
from zertz_db.queries.tournaments.round_robin import pair_players


def show_pairings() -> None:
    """Offer a field for names; show who plays whom in each round. The URL has the names."""
    with st.expander("Pairings of a round robin", icon=":material/groups:", expanded=bool(get_value("pair"))):
        written = bind_widget(
            "pair",
            lambda key, first: st.text_area(
                "Players", first, key=key, height=140, placeholder="Ada\nBen\nCy", help="One name per line."
            ),
            default="",
        )
        double = bind_widget(
            "double",
            lambda key, first: st.checkbox("Each pair plays twice", first, key=key),
            default=False,
            options=[False, True],
        )
        names = [name for name in map(str.strip, written.splitlines()) if name]
        if not names:
            return
        try:
            pairings = pair_players(names, double=double)
        except QueryError as error:
            st.error(escape_markdown(str(error)), icon=":material/error:")
            return
        st.download_button(
            "Page to print",
            format_pairings_page(pairings),
            "pairings.html",
            "text/html",
            key="pairings page",
            icon=":material/print:",
            type="tertiary",
        )
        st.html(f"<style>{STYLE}</style>")
        st.html(format_pairings(pairings))
