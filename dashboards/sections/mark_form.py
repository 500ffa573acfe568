"""Mark a game or a position where it is shown."""

from __future__ import annotations

import getpass
from typing import Any

import streamlit as st

from zertz_db.dashboards.state.database import get_database, is_writable
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.edit.marks import add_mark
from zertz_db.errors import ZertzError
from zertz_db.rules.position import Position

TYPING_DELAY = "500ms"
"""Delay after a key until typed text counts."""


def mark_position(position: Position) -> None:
    """Draw a label and a note for a position, if the dashboard may write."""
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
    """Draw a label and a note to type about a game or position. Typed text stays while tabs and pages change, until it is saved."""
    label, note = _keys(about)
    st.text_input("Label", placeholder="study", key=label, live=TYPING_DELAY, persist_state="session")
    st.text_area("Note", height=80, key=note, persist_state="session")


def save_mark(about: str, **where: Any) -> None:
    """Save the label and the note that were typed about a game or position (see `edit.marks.add_mark`)."""
    label, note = take_fields(about)
    if not label and not note:
        st.toast("A mark needs a label or a note.", icon=":material/edit:")
        return
    try:
        add_mark(get_database().folder, getpass.getuser(), label=label, text=note, **where)
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
    else:
        st.toast("Marked. See Bookmarks.", icon=":material/bookmark:")
        take_fields(about, is_done=True)


def take_fields(about: str, *, is_done: bool = False) -> tuple[str, str]:
    """Return the label and the note that were typed about something. is_done: clear the fields, for callbacks only."""
    label, note = ((st.session_state.get(key) or "").strip() for key in _keys(about))
    if is_done:
        st.session_state.update(dict.fromkeys(_keys(about), ""))
    return label, note


def _keys(about: str) -> tuple[str, str]:
    return f"label on {about}", f"note on {about}"
