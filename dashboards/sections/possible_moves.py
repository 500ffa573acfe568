"""Show what can be played in a position."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.queries.legal_moves import sections, sentences
from zertz_db.queries.result import Result
from zertz_db.rules.moves import list_moves
from zertz_db.rules.position import Position

MOST = 100
"""Maximum number of rows of a table."""


def show_moves(position: Position) -> None:
    """Show why the moves are of their kind and their number; list captures, claims, ends, and what both players lack."""
    found = list_moves(position)
    st.write("  \n".join(map(escape_markdown, sentences(found))))
    for heading, table in sections(found, MOST):
        st.caption(escape_markdown(heading[0].upper() + heading[1:]))
        show_table(Result(table.columns, table.rows[:MOST]))
        if len(table.rows) > MOST:
            st.caption(f"The first {MOST} of {len(table.rows):,} are shown.")
    if not found.is_complete or len(found.choices) > MOST:
        st.caption("`zertz moves` lists them all.")
