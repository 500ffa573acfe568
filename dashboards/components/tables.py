"""Show results as tables on a page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from zertz_db.queries.result import Result

MAX_HEIGHT = 600


def show_table(result: Result) -> None:
    """Show a table to read."""
    st.dataframe(result.df(), **_build_column_config(result))


def choose_row(result: Result, key: str) -> int | None:
    """Show a table with selectable rows; return the number of the chosen row from 0, or None."""
    event: Any = st.dataframe(
        result.df(), on_select="rerun", selection_mode="single-row", key=key, **_build_column_config(result)
    )
    rows = event.selection.rows
    return int(rows[0]) if rows else None


def get_height(rows: int) -> int:
    """Return the height of a table in pixels: all of its rows, up to a limit."""
    return min(MAX_HEIGHT, 35 * (rows + 1) + 3)


def _build_column_config(result: Result) -> dict[str, Any]:
    """Return the options of a table: a column's meaning appears when the pointer rests on its name."""
    meanings = {
        column.name: st.column_config.Column(help=column.meaning) for column in result.columns if column.meaning
    }
    return {"hide_index": True, "column_config": meanings, "placeholder": "", "height": get_height(len(result.rows))}
