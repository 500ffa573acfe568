"""Marks that are made where a game or a position is shown."""

from __future__ import annotations

import getpass
from typing import Any

import streamlit as st

from dashboards.database import database, may_write
from dashboards.words import plain
from dashboards.writing import once
from zertz_db.ingest.marking import mark
from zertz_db.rules.position import Position
from zertz_db.store.errors import StoreError


def mark_position(position: Position) -> None:
    """A label and a note on a position, where the dashboard may write."""
    if not may_write():
        return
    with (
        st.popover("Mark this position", icon=":material/bookmark_add:"),
        st.form("mark of a position", clear_on_submit=True, border=False),
    ):
        fields()
        st.form_submit_button(
            "Mark it", icon=":material/bookmark:", on_click=once(keep), kwargs={"position": position.text}
        )


def fields() -> None:
    """A label and a note to type."""
    st.text_input("Label", placeholder="study", key="label")
    st.text_area("Note", height=80, key="note")


def keep(**where: Any) -> None:
    """Keep the label and the note that were typed, on that game or position (see `ingest.marking.mark`)."""
    label, note = (st.session_state[name].strip() for name in ("label", "note"))
    if not label and not note:
        return
    try:
        mark(database().folder, getpass.getuser(), label=label, text=note, **where)
    except StoreError as error:
        st.toast(plain(error), icon=":material/error:")
    else:
        st.toast("Marked: it stands among the bookmarks.", icon=":material/bookmark:")
