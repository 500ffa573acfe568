"""Results as tables on a page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from zertz_db.queries.result import Result

MAX_HEIGHT = 600


def show_table(result: Result) -> None:
    """A table to read."""
    st.dataframe(result.df(), **_build_column_config(result))


def choose_row(result: Result, key: str) -> int | None:
    """A table in which a row can be chosen: its number from 0, or None."""
    event: Any = st.dataframe(
        result.df(), on_select="rerun", selection_mode="single-row", key=key, **_build_column_config(result)
    )
    rows = event.selection.rows
    return int(rows[0]) if rows else None


def get_height(rows: int) -> int:
    """Pixels that a table of so many rows takes: all of them, up to a limit."""
    return min(MAX_HEIGHT, 35 * (rows + 1) + 3)


def _build_column_config(result: Result) -> dict[str, Any]:
    """What a column means is shown when the pointer rests on its name."""
    meanings = {
        column.name: st.column_config.Column(help=column.meaning) for column in result.columns if column.meaning
    }
    return {"hide_index": True, "column_config": meanings, "placeholder": "", "height": get_height(len(result.rows))}
