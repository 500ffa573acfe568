"""Show the kind of a player (human, bot, guest), and let the reader state it if the dashboard may write."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.sections.decisions.pair_controls import report_errors
from zertz_db.dashboards.state.database import get_database, is_writable
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.edit.claim_names import set_kind
from zertz_db.store.annotations.people_file import KINDS, UNKNOWN_KIND

MEANINGS = {
    "human": "Human",
    "bot": "Bot: a program",
    "guest": "Guest: a name that many people share",
    UNKNOWN_KIND: "Not stated: the name and the records decide",
}


def show_kind_choice(name: str, kind: str) -> None:
    """Draw a choice of the kind of a player, if the dashboard may write. kind: the kind now."""
    if not is_writable():
        return
    with st.popover("Change the kind", icon=":material/smart_toy:"):
        choices = [*KINDS, UNKNOWN_KIND]
        wanted = st.radio(
            "Kind of player", choices, choices.index(kind), key=f"kind of {name}", format_func=MEANINGS.__getitem__
        )
        st.caption("It counts at once, in lists, filters and ratings. Guests are not rated. Records stay as they are.")
        st.button(
            "Set the kind",
            key="set kind",
            icon=":material/check:",
            on_click=guard_callback(report_errors),
            args=(save_kind, name, wanted),
        )


def save_kind(name: str, kind: str) -> str:
    """State the kind of a player; return the answer."""
    set_kind(get_database().folder, name, kind)
    return f"{name}: {MEANINGS[kind]}."
