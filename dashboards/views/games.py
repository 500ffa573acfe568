"""The page with the list of games: filter, sort, turn over, open one, take them away. All of it is in the URL."""

from __future__ import annotations

import streamlit as st

from dashboards.components.listing import PAGE_SIZE, Pages, show_listing
from dashboards.components.location import get_number, get_value
from dashboards.sections.downloads import build_csv, build_notation, build_parquet
from dashboards.sections.filter_bar import show_filter
from dashboards.sections.game_rows import COLUMNS, VIEW_COLUMNS, build_rows
from dashboards.state.database import get_database
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.games.game_list import NEWEST, SUMMARY, count_games, list_games

NOTATION_KEY = "games that were written"
"""In the session's state: a selection (filter, order), its games in official notation, how many were left out."""
SLOW_COUNT = 5_000
"""Official notation of more games than this takes more than some seconds."""


def show_page() -> None:
    """The page."""
    st.title("Games")
    asked = show_filter()
    total = run_query(count_games, asked)
    if not total:
        explain_empty_list(asked)
        return
    sort, at = get_order(), get_number("page", -(-total // PAGE_SIZE))
    found = run_query(list_games, asked, sort=sort, limit=PAGE_SIZE, offset=(at - 1) * PAGE_SIZE, columns=VIEW_COLUMNS)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{format_count(total, 'game')}{', newest first' if sort == NEWEST else ''}")
        st.space("stretch")
        show_downloads(asked, sort, total)
    show_listing(COLUMNS, build_rows(found.dicts()), key="games", sort=sort, pages=Pages(at, total), label="Games")


def get_order() -> str:
    """The order that the URL names, else the newest first."""
    named = get_value("sort", NEWEST)
    return named if named.removeprefix("-") in SUMMARY else NEWEST


def explain_empty_list(asked: str) -> None:
    """Why the list is empty."""
    if asked:
        st.info(escape_markdown(run_query(absence, asked)), icon=":material/search_off:")
    else:
        st.info("There are no games yet: `zertz import RECORDS` brings some.", icon=":material/inbox:")


def show_downloads(asked: str, sort: str, total: int) -> None:
    """The selection as files."""
    opened = get_database()
    with st.popover("Download", icon=":material/download:"):
        st.caption(f"{format_count(total, 'game')} that this filter lets pass.")
        st.download_button(
            "CSV",
            lambda: build_csv(opened, asked, sort),
            "games.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/table:",
        )
        st.download_button(
            "Parquet",
            lambda: build_parquet(opened, asked, sort),
            "games.parquet",
            on_click="ignore",
            icon=":material/database:",
        )
        if total <= SLOW_COUNT:
            st.download_button(
                "Official notation",
                lambda: build_notation(opened, asked, sort)[0],
                "games.txt",
                "text/plain",
                on_click="ignore",
                icon=":material/description:",
            )
        elif st.button("Write official notation", icon=":material/description:", key="write"):
            write_notation(asked, sort)
            st.rerun()
        else:
            st.caption("So many games take a while to be written.")
        offer_notation((asked, sort))


def write_notation(asked: str, sort: str) -> None:
    """Write many games in official notation, with a bar that tells how far that is."""
    bar = st.progress(0.0, "Writing …")

    def watch(done: int, total: int) -> None:
        bar.progress(done / total, f"{done:,} of {format_count(total, 'game')}")

    text, left_out = build_notation(get_database(), asked, sort, watch)
    bar.empty()
    st.session_state[NOTATION_KEY] = ((asked, sort), text, left_out)


def offer_notation(selection: tuple[str, str]) -> None:
    """Offer what was written, as long as the list shows that selection."""
    written, text, left_out = st.session_state.get(NOTATION_KEY, (None, "", 0))
    if written != selection:
        return
    if left_out:
        st.caption(
            f"{format_count(left_out, 'game')} left out: this version reads their records otherwise; `zertz recheck` settles that."
        )
    st.download_button("Download games.txt", text, "games.txt", "text/plain", on_click="ignore", type="primary")


show_page()
