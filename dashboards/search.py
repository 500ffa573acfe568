"""The page to find positions and patterns. What is looked for is in the URL."""

from __future__ import annotations

import streamlit as st

from dashboards.database import database, stop
from dashboards.tables import choose, show
from zertz_db.cli.finding import drawn
from zertz_db.cli.words import counted
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filter_fields import BOARDS
from zertz_db.queries.pattern import Pattern
from zertz_db.queries.pattern_search import find_pattern, find_reachable
from zertz_db.queries.pattern_text import parse
from zertz_db.queries.search import as_position, find_position
from zertz_db.queries.search_found import Found
from zertz_db.rules.picture import svg
from zertz_db.rules.position import Position
from zertz_db.store.opening import Database

BOARD_WIDTH = 380  # pixels
MOST = 500
"""So many matches are listed."""
FILTER = "In the filter language: player:ada date:2010..2012 not ending:resign. Nothing means all games."
WHAT = """A position string, or a pattern: rows of cells. `W G B` marbles, `o` vacant, `.` no ring, `*` any marble, `#` any ring,
`?` anything, `!W` all but white, `[Wo]` white or vacant. A row begins half a cell to the right of the one above, or with `<` to the
left. Or named rings, `d4:W e4:o`. Then limits: `rings<20 pool.white=0`."""
MODES = {
    "symmetry": "turned or mirrored too",
    "exact": "as it lies",
    "shape": "anywhere on any board",
    "reachable": "what could come of it",
}


def page() -> None:
    """The page."""
    opened = database()
    st.title("Find")
    wanted = st.query_params.get("what", "")
    typed = st.text_input("Position or pattern", value=wanted, help=WHAT, placeholder="W o / < o B . / o *").strip()
    if typed != wanted:
        st.query_params.from_dict({"what": typed})
    filters = st.sidebar.text_input("Filter", help=FILTER)
    every = st.sidebar.checkbox("All matches of a game")
    try:
        asked = position_or_pattern(typed) if typed else None
        if asked is None:
            st.info("Type a pattern, such as W * o, or a position string; the question mark explains the signs.")
            return
        found = search(opened, asked, filters, every)
    except QueryError as error:
        stop(f"```\n{error}\n```")
    picture, answer = st.columns([2, 5], gap="large")
    with picture:
        draw(asked)
    with answer:
        tell(found)


def position_or_pattern(text: str) -> Position | Pattern:
    """What a text describes: a position begins with the name of a board. QueryError."""
    return as_position(text) if text.split()[0] in BOARDS else parse(text)


def search(opened: Database, asked: Position | Pattern, filters: str, every: bool) -> Found:
    """The answer; for a position the sidebar says how to look."""
    if isinstance(asked, Pattern):
        return find_pattern(opened, asked, filters, every=every, limit=MOST)
    mode = st.sidebar.radio("The position", list(MODES), format_func=MODES.__getitem__)
    if mode == "reachable":
        return find_reachable(opened, asked, filters, every=every, limit=MOST)
    pool, captures, side = (st.sidebar.checkbox(f"Same {what}") for what in ("pool", "captures", "player to move"))
    return find_position(opened, asked, mode, filters, pool=pool, captures=captures, side=side, every=every, limit=MOST)


def draw(asked: Position | Pattern) -> None:
    """What is looked for."""
    if isinstance(asked, Position):
        st.image(svg(asked), width=BOARD_WIDTH)
    else:
        st.code("\n".join(drawn(asked)), language=None)


def tell(found: Found) -> None:
    """The games; choosing one opens it at that ply."""
    times = f", {found.plies:,} times" if found.plies > found.games else ""
    listed = f" The latest {MOST} are listed." if len(found.hits.rows) == MOST else ""
    st.caption(f"In {counted(found.games, 'game')}{times}.{listed} The box before a row opens the game there.")
    if not found.games:
        return
    hits, following, years = st.tabs(["Games", "Played next", "By year"])
    with hits:
        chosen = choose(found.hits, "chosen match")
    with following:
        show(found.continuations)
    with years:
        show(found.years)
    if chosen is not None:
        hit = found.hits.dicts()[chosen]
        st.switch_page("game.py", query_params={"id": hit["id"], "ply": str(hit["ply"])})


page()
