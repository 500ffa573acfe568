"""Marks that are made where a game or a position is shown."""

from __future__ import annotations

import getpass
from typing import Any

import streamlit as st

from dashboards.state.database import get_database, is_writable
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.write_tokens import guard_callback
from zertz_db.edit.marks import add_mark
from zertz_db.errors import ZertzError
from zertz_db.rules.position import Position

TYPING_DELAY = "500ms"
"""So long after a key what is typed counts."""


def mark_position(position: Position) -> None:
    """A label and a note on a position, where the dashboard may write."""
    if not is_writable():
        return
    with st.popover("Mark this position", icon=":material/bookmark_add:"):
        show_fields(position.text)
        where = {"position": position.text}
        st.button(
            "Mark it",
            icon=":material/bookmark:",
            key="mark it",
            on_click=guard_callback(save_mark),
            args=(position.text,),
            kwargs=where,
        )


def show_fields(about: str) -> None:
    """Draw a label and a note to type about a game or position. What is typed stays while tabs and pages change, until it is kept."""
    label, note = _keys(about)
    st.text_input("Label", placeholder="study", key=label, live=TYPING_DELAY, persist_state="session")
    st.text_area("Note", height=80, key=note, persist_state="session")


def save_mark(about: str, **where: Any) -> None:
    """Keep the label and the note that were typed, on that game or position (see `ingest.marking.mark`)."""
    label, note = ((st.session_state.get(key) or "").strip() for key in _keys(about))
    if not label and not note:
        st.toast("A mark has a label or a note: type one.", icon=":material/edit:")
        return
    try:
        add_mark(get_database().folder, getpass.getuser(), label=label, text=note, **where)
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
    else:
        st.toast("Marked: it stands among the bookmarks.", icon=":material/bookmark:")
        st.session_state.update(dict.fromkeys(_keys(about), ""))


def _keys(about: str) -> tuple[str, str]:
    return f"label on {about}", f"note on {about}"
