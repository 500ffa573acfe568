"""Page with the list of games: filter, sort, turn pages, open a game, download them. The URL has all of it."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.components.listing import PAGE_SIZE, Pages, count_pages, show_listing
from zertz_db.dashboards.components.location import check_value, get_number, get_value
from zertz_db.dashboards.sections.filter_bar import show_absence, show_filter
from zertz_db.dashboards.sections.game_list.download_menu import show_downloads
from zertz_db.dashboards.sections.game_list.selected_games import get_selected, select_shown, show_actions, show_toggle
from zertz_db.dashboards.sections.game_rows import COLUMNS, VIEW_COLUMNS, GameList, build_rows
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.games.game_list import NEWEST, SUMMARY, count_games, list_games


def show_page() -> None:
    """Draw the page."""
    st.title("Games")
    filters = show_filter()
    total = run_query(count_games, filters)
    if not total:
        show_absence(filters)
        return
    sort, at = get_order(), get_number("page", count_pages(total, PAGE_SIZE))
    games = run_query(
        list_games, filters, sort=sort, limit=PAGE_SIZE, offset=(at - 1) * PAGE_SIZE, columns=VIEW_COLUMNS
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{format_count(total, 'game')}{', newest first' if sort == NEWEST else ''}")
        st.space("stretch")
        is_selecting = show_toggle()
        show_downloads(filters, sort, total)
    if is_selecting:
        show_actions(filters, sort, total)
    rows = build_rows(games.dicts(), GameList(filters, sort))
    show_listing(
        COLUMNS,
        rows,
        key="games",
        sort=sort,
        pages=Pages(at, total),
        label="Games",
        selected=get_selected() if is_selecting else None,
        on_select=lambda ticked: select_shown([row.key for row in rows], ticked),
    )


def get_order() -> str:
    """Return the order in the URL, by default the newest first."""
    sort = get_value("sort", NEWEST)
    check_value("sort", is_known=sort.removeprefix("-") in SUMMARY)
    return sort if sort.removeprefix("-") in SUMMARY else NEWEST


show_page()
