"""Step to the next and the previous game of the list that a game was opened from. The URL has the list's filter and order."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.components.listing import PAGE_SIZE, count_pages
from zertz_db.dashboards.components.location import get_value
from zertz_db.dashboards.sections.game_rows import GameList
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import NEWEST, SUMMARY, Neighbours, find_neighbours


def get_list() -> GameList | None:
    """Return the list in the URL; None for a game that was opened in another way."""
    if get_value("from") != "games":
        return None
    sort = get_value("sort", NEWEST)
    return GameList(get_value("filter"), sort if sort.removeprefix("-") in SUMMARY else NEWEST)


def show_list_steps(game_id: str) -> None:
    """Draw links to the games before and after this one, and to the list."""
    listed = get_list()
    place = find_place(game_id, listed) if listed else None
    if listed is None or place is None:
        return
    query = {name: value for name, value in listed.build_query().items() if name != "from"}
    page = count_pages(place.number, PAGE_SIZE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="list steps"):
        show_step("Previous game", ":material/chevron_left:", place.previous, listed)
        st.page_link(
            "views/games.py",
            label=f"{place.number:,} of {place.total:,}",
            icon=":material/view_list:",
            help="Back to the list",
            query_params={**query, **({"page": str(page)} if page > 1 else {})},
        )
        show_step("Next game", ":material/chevron_right:", place.next, listed)


def find_place(game_id: str, listed: GameList) -> Neighbours | None:
    """Return the place of a game in a list; None if the list does not have it, or its filter is invalid."""
    try:
        return run_query(find_neighbours, game_id, listed.filters, sort=listed.sort)
    except QueryError:
        return None


def show_step(label: str, icon: str, game_id: str | None, listed: GameList) -> None:
    """Draw a link to a game of the list; without a game it can't be clicked."""
    query = {"id": game_id or "", **listed.build_query()}
    st.page_link("views/game.py", label=label, icon=icon, query_params=query, disabled=game_id is None)
