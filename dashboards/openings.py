"""The page with the opening tree: a position, what followed it, and the way back. The moves are in the URL."""

from __future__ import annotations

import streamlit as st

from dashboards.database import database, stop
from dashboards.tables import choose, show
from zertz_db.cli.opening import shown
from zertz_db.cli.words import counted
from zertz_db.queries.errors import QueryError
from zertz_db.queries.opening_rows import ORDERS
from zertz_db.queries.openings import Openings, openings
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.picture import svg
from zertz_db.rules.ruleset import RULE_SETS

BOARD_WIDTH = 380  # pixels
MOST = 200
"""So many continuations are listed."""
FILTER = "In the filter language: player:ada date:2010..2012 not ending:resign. Nothing means all games."
ORDER = {"games": "most games", "result": "best score", "date": "last played"}


def page() -> None:
    """The page."""
    opened = database()
    board = st.sidebar.selectbox("Board", STANDARD_BOARDS, on_change=go, args=("",))
    rules = st.sidebar.selectbox("Rule set", list(RULE_SETS), on_change=go, args=("",))
    filters = st.sidebar.text_input("Filter", help=FILTER)
    order = st.sidebar.selectbox("First", ORDERS, format_func=ORDER.__getitem__)
    wanted = st.query_params.get("moves", "")
    typed = st.sidebar.text_input("Moves", value=wanted, help="In official notation: Wd4,d1 Bd3,a1.").strip()
    if typed != wanted:
        go(typed)
    try:
        found = openings(opened, typed, board=board, rules=rules, filters=filters, order=order, limit=MOST)
    except QueryError as error:
        stop(str(error))
    st.title(found.name.capitalize() if found.name else "Openings")
    breadcrumb(found)
    picture, continuations = st.columns([2, 5], gap="large")
    with picture:
        st.image(svg(found.position, found.moves[-1] if found.moves else None), width=BOARD_WIDTH)
    with continuations:
        list_of_continuations(found)


def breadcrumb(found: Openings) -> None:
    """The moves so far as buttons: each leads back to the position after it."""
    with st.container(horizontal=True):
        for number in range(len(found.moves) + 1):
            st.button(
                found.moves[number - 1] if number else "start",
                key=f"back to {number}",
                on_click=go,
                args=(" ".join(found.moves[:number]),),
                disabled=number == len(found.moves),
            )


def list_of_continuations(found: Openings) -> None:
    """What was played here; choosing a row goes on with that move."""
    by_line = "" if found.by_line is None else f", {found.by_line:,} by these moves"
    if found.absence:
        st.info(f"{found.absence[0].upper()}{found.absence[1:]}.")
        return
    listed = f"the first {MOST} of " if found.choices > MOST else ""
    st.caption(
        f"{counted(found.games, 'game')}{by_line}; {listed}{counted(found.choices, 'continuation')}. The box before one goes on. "
        "Scores are those of the side to move; fewer than ten games have none."
    )
    chosen = choose(shown(found), f"after {' '.join(found.moves)}")
    if chosen is not None and (move := found.continuations.rows[chosen][0]):
        go(" ".join((*found.moves, move)))
        st.rerun()
    with st.expander("How the games ended, with intervals"):
        show(found.ways)


def go(moves: str) -> None:
    """Show the position after these moves."""
    st.query_params["moves"] = moves


page()
