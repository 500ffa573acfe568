"""Page with the list of games: filter, sort, turn pages, open a game, download them. The URL has all of it."""

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

NOTATION_KEY = "games in official notation"
"""Session state: a selection (filter, order), its games in official notation, the number of games left out."""
SLOW_COUNT = 5_000
"""Number of games above which writing official notation takes more than some seconds."""


def show_page() -> None:
    """Draw the page."""
    st.title("Games")
    filters = show_filter()
    total = run_query(count_games, filters)
    if not total:
        explain_empty_list(filters)
        return
    sort, at = get_order(), get_number("page", -(-total // PAGE_SIZE))
    games = run_query(
        list_games, filters, sort=sort, limit=PAGE_SIZE, offset=(at - 1) * PAGE_SIZE, columns=VIEW_COLUMNS
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{format_count(total, 'game')}{', newest first' if sort == NEWEST else ''}")
        st.space("stretch")
        show_downloads(filters, sort, total)
    show_listing(COLUMNS, build_rows(games.dicts()), key="games", sort=sort, pages=Pages(at, total), label="Games")


def get_order() -> str:
    """Return the order in the URL, by default the newest first."""
    sort = get_value("sort", NEWEST)
    return sort if sort.removeprefix("-") in SUMMARY else NEWEST


def explain_empty_list(filters: str) -> None:
    """Show why the list is empty."""
    if filters:
        st.info(escape_markdown(run_query(absence, filters)), icon=":material/search_off:")
    else:
        st.info("No games yet. Run `zertz import RECORDS`.", icon=":material/inbox:")


def show_downloads(filters: str, sort: str, total: int) -> None:
    """Draw downloads of the selection."""
    database = get_database()
    with st.popover("Download", icon=":material/download:"):
        st.caption(f"{format_count(total, 'game')} pass this filter." if total > 1 else "1 game passes this filter.")
        st.download_button(
            "CSV",
            lambda: build_csv(database, filters, sort),
            "games.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/table:",
        )
        st.download_button(
            "Parquet",
            lambda: build_parquet(database, filters, sort),
            "games.parquet",
            on_click="ignore",
            icon=":material/database:",
        )
        if total <= SLOW_COUNT:
            st.download_button(
                "Official notation",
                lambda: build_notation(database, filters, sort)[0],
                "games.txt",
                "text/plain",
                on_click="ignore",
                icon=":material/description:",
            )
        elif st.button("Write official notation", icon=":material/description:", key="write"):
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


show_page()
