"""Show results as tables on a page."""

from __future__ import annotations

import streamlit as st

from zertz_db.queries.result import Result

MAX_HEIGHT = 600
"""Height in pixels of a table with more rows than fit; others show all of their rows."""


def show_table(result: Result) -> None:
    """Show a table to read: a column's meaning appears when the pointer rests on its name."""
    meanings = {
        column.name: st.column_config.Column(help=column.meaning) for column in result.columns if column.meaning
    }
    st.dataframe(
        result.df(),
        hide_index=True,
        column_config=meanings,
        placeholder="",
        height=min(MAX_HEIGHT, 35 * (len(result.rows) + 1) + 3),
    )
