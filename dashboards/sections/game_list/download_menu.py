"""Draw a menu with downloads of the games that pass a filter."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.sections.downloads import build_csv, build_notation, build_parquet
from zertz_db.dashboards.state.database import get_database
from zertz_db.plurals import format_count

NOTATION_KEY = "games in official notation"
"""Session state: a selection (filter, order), its games in official notation, the number of games left out."""
SLOW_COUNT = 5_000
"""Number of games above which writing official notation takes more than some seconds."""


def show_downloads(filters: str, sort: str, total: int, label: str = "Download") -> None:
    """Draw downloads of the games that pass a filter. label: of the menu, one of each on a page."""
    database = get_database()
    with st.popover(label, icon=":material/download:"):
        st.caption(format_count(total, "game"))
        st.download_button(
            "CSV",
            lambda: build_csv(database, filters, sort),
            "games.csv",
            "text/csv",
            on_click="ignore",
            key=f"{label} CSV",
            icon=":material/table:",
        )
        st.download_button(
            "Parquet",
            lambda: build_parquet(database, filters, sort),
            "games.parquet",
            on_click="ignore",
            key=f"{label} Parquet",
            icon=":material/database:",
        )
        if total <= SLOW_COUNT:
            st.download_button(
                "Official notation",
                lambda: build_notation(database, filters, sort)[0],
                "games.txt",
                "text/plain",
                on_click="ignore",
                key=f"{label} official notation",
                icon=":material/description:",
            )
        elif st.button("Write official notation", icon=":material/description:", key=f"{label} write"):
            write_notation(filters, sort)
            st.rerun()
        else:
            st.caption("Writing this many games takes a while.")
        offer_notation((filters, sort))


def write_notation(filters: str, sort: str) -> None:
    """Write many games in official notation, with a progress bar."""
    bar = st.progress(0.0, "Writing …")

    def watch(done: int, total: int) -> None:
        bar.progress(done / total, f"{done:,} of {format_count(total, 'game')}")

    text, left_out = build_notation(get_database(), filters, sort, watch)
    bar.empty()
    st.session_state[NOTATION_KEY] = ((filters, sort), text, left_out)


def offer_notation(selection: tuple[str, str]) -> None:
    """Draw a download of the written games, as long as the list shows their selection."""
    written, text, left_out = st.session_state.get(NOTATION_KEY, (None, "", 0))
    if written != selection:
        return
    if left_out:
        st.caption(
            f"{format_count(left_out, 'game')} left out: this version reads their records differently. Run `zertz recheck` to update them."
        )
    st.download_button("Download games.txt", text, "games.txt", "text/plain", on_click="ignore", type="primary")
