"""Page of marks: games and positions with labels and notes, filters with names."""

from __future__ import annotations

import getpass
from typing import Any

import streamlit as st

from zertz_db.dashboards.components.listing import Column, Row, show_listing
from zertz_db.dashboards.components.location import bind_widget, get_value
from zertz_db.dashboards.sections.filter_bar import build_term
from zertz_db.dashboards.state.database import get_database, is_writable
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.edit.marks import remove_mark
from zertz_db.errors import ZertzError
from zertz_db.queries.marks import list_marks

COLUMNS = (
    Column("Label", "strong"),
    Column("Note", "long"),
    Column("About", "quiet"),
    Column("Target", "code", wide=True),
    Column("By", "quiet", wide=True),
    Column("When (UTC)", "quiet", wide=True),
)
HELP = "To add one, open a game and its tab Marks; to save a filter, use the bookmark button next to it."


def show_page() -> None:
    """Draw the page."""
    st.title("Bookmarks")
    marks = run_query(list_marks).dicts()
    if not marks:
        st.info(f"No marks yet. {HELP}", icon=":material/bookmark:")
        return
    labels = list(dict.fromkeys(row["label"] for row in marks if row["label"]))
    named = get_value("label")
    if named and named not in labels:
        st.info(f"No mark has the label “{escape_markdown(named)}”. These are all marks.", icon=":material/search_off:")
    label = (
        bind_widget(
            "label",
            lambda key, first: st.pills(
                "Label", labels, default=first, format_func=escape_markdown, key=key, label_visibility="collapsed"
            ),
            default=None,
            options=labels,
        )
        if labels
        else None
    )
    shown = [row for row in marks if label in (None, row["label"])]
    show_listing(
        COLUMNS, [Row(row["mark"], get_cells(row), *get_target(row)) for row in shown], key="marks", label="Marks"
    )
    st.caption(HELP)
    if label:
        st.page_link(
            "views/games.py",
            label=f"Games with this label: {escape_markdown(label)}",
            icon=":material/view_list:",
            query_params={"filter": build_term("label", label)},
        )
    if is_writable():
        with st.popover("Remove a mark", icon=":material/delete:"):
            names = {
                row[
                    "mark"
                ]: f"{row['label'] or row['note'] or 'bookmark'}, {row['about']}, {row['made_at']:%Y-%m-%d %H:%M}"
                for row in shown
            }
            mark = st.selectbox("Mark", names, format_func=lambda mark: names[mark], key="mark to remove")
            st.button("Remove it", key="remove mark", on_click=guard_callback(delete_mark), args=(mark,))


def get_cells(row: dict[str, Any]) -> tuple[Any, ...]:
    """Return a mark's values for the columns."""
    after = f" after ply {row['ply']}" if row["ply"] is not None else ""
    target = row["filter"] if row["filter"] is not None else f"{row['game'] or row['position']}{after}"
    return row["label"] or None, row["note"], row["about"], target, row["author"], f"{row['made_at']:%Y-%m-%d %H:%M}"


def get_target(row: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the page that shows a mark's target, and its URL query."""
    if row["filter"] is not None:
        return "games", {"filter": row["filter"]}
    if row["game"]:
        return "game", {"id": row["game"], **({} if row["ply"] is None else {"ply": str(row["ply"])})}
    return "find", {"what": row["position"]}


def delete_mark(mark: str) -> None:
    """Remove a mark."""
    try:
        remove_mark(get_database().folder, mark, getpass.getuser())
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")


show_page()
