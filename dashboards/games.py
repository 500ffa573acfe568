"""The page with the list of games: filter, sort, turn over, open one, take them away. All of it is in the URL."""

from __future__ import annotations

import streamlit as st

from dashboards.answers import ask
from dashboards.database import database
from dashboards.downloads import as_csv, as_notation, as_parquet
from dashboards.filtering import filters
from dashboards.game_list import COLUMNS, SHOWN, rows
from dashboards.listing import PAGE, Pages, listing
from dashboards.location import number, value
from dashboards.words import plain
from zertz_db.cli.words import counted
from zertz_db.queries.games import NEWEST, SUMMARY, count_games, games
from zertz_db.queries.suggestions import absence

WRITTEN = "games that were written"
"""In the session's state: a selection (filter, order), its games in official notation, how many were left out."""
MANY = 5_000
"""Official notation of more games than this takes more than some seconds."""


def page() -> None:
    """The page."""
    st.title("Games")
    asked = filters()
    total = ask(count_games, asked)
    if not total:
        nothing(asked)
        return
    sort, at = order(), number("page", -(-total // PAGE))
    found = ask(games, asked, sort=sort, limit=PAGE, offset=(at - 1) * PAGE, columns=SHOWN)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{counted(total, 'game')}{', newest first' if sort == NEWEST else ''}")
        st.space("stretch")
        download(asked, sort, total)
    listing(COLUMNS, rows(found.dicts()), key="games", sort=sort, pages=Pages(at, total), label="Games")


def order() -> str:
    """The order that the URL names, else the newest first."""
    named = value("sort", NEWEST)
    return named if named.removeprefix("-") in SUMMARY else NEWEST


def nothing(asked: str) -> None:
    """Why the list is empty."""
    if asked:
        st.info(plain(ask(absence, asked)), icon=":material/search_off:")
    else:
        st.info("There are no games yet: `zertz import RECORDS` brings some.", icon=":material/inbox:")


def download(asked: str, sort: str, total: int) -> None:
    """The selection as files."""
    opened = database()
    with st.popover("Download", icon=":material/download:"):
        st.caption(f"{counted(total, 'game')} that this filter lets pass.")
        st.download_button(
            "CSV",
            lambda: as_csv(opened, asked, sort),
            "games.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/table:",
        )
        st.download_button(
            "Parquet",
            lambda: as_parquet(opened, asked, sort),
            "games.parquet",
            on_click="ignore",
            icon=":material/database:",
        )
        if total <= MANY:
            st.download_button(
                "Official notation",
                lambda: as_notation(opened, asked, sort)[0],
                "games.txt",
                "text/plain",
                on_click="ignore",
                icon=":material/description:",
            )
        elif st.button("Write official notation", icon=":material/description:", key="write"):
            write(asked, sort)
            st.rerun()
        else:
            st.caption("So many games take a while to be written.")
        hand_over((asked, sort))


def write(asked: str, sort: str) -> None:
    """Write many games in official notation, with a bar that tells how far that is."""
    bar = st.progress(0.0, "Writing …")

    def watch(done: int, total: int) -> None:
        bar.progress(done / total, f"{done:,} of {counted(total, 'game')}")

    text, left_out = as_notation(database(), asked, sort, watch)
    bar.empty()
    st.session_state[WRITTEN] = ((asked, sort), text, left_out)


def hand_over(selection: tuple[str, str]) -> None:
    """Offer what was written, as long as the list shows that selection."""
    written, text, left_out = st.session_state.get(WRITTEN, (None, "", 0))
    if written != selection:
        return
    if left_out:
        st.caption(
            f"{counted(left_out, 'game')} left out: this version reads their records otherwise; `zertz recheck` settles that."
        )
    st.download_button("Download games.txt", text, "games.txt", "text/plain", on_click="ignore", type="primary")


page()
