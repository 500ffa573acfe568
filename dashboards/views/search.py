"""Page to search for positions and patterns: painted, written, or taken from a game. The URL has the target."""

from __future__ import annotations

import streamlit as st

from dashboards.components.charts import COUNT_FORMAT, Axis, draw_columns
from dashboards.components.gallery import show_gallery
from dashboards.components.listing import Column, Row, build_results, show_listing
from dashboards.components.location import (
    bind_pages,
    bind_tabs,
    bind_widget,
    get_value,
    parse_number,
    seed_widget,
    set_values,
)
from dashboards.components.verbatim import show_verbatim
from dashboards.sections.filter_bar import show_filter
from dashboards.sections.forced_win import show_forced_win
from dashboards.sections.game_cards import build_cards
from dashboards.sections.mark_form import mark_position
from dashboards.sections.possible_moves import show_moves
from dashboards.sections.search_editor import set_target, show_editor
from dashboards.state import painted_search
from dashboards.state.database import get_database, stop_page
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.errors import FilterError
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.search.matches import Found
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.patterns import find_pattern, find_reachable
from zertz_db.queries.search.positions import find_position
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position

MAX_MATCHES = 240
"""Maximum number of matches."""
CARDS_PER_PAGE = 12
"""Number of matches per page."""
HELP = """A position string, or a pattern: rows of cells. `W G B` marbles, `o` vacant, `.` no ring, `*` any marble, `#` any ring,
`?` anything, `!W` all but white, `[Wo]` white or vacant. Each row begins half a cell to the right of the one above, or with `<` to
the left. Or named rings, `d4:W e4:o`. Then limits: `rings<20 pool.white=0`."""
MODES = {
    "symmetry": "Also turned or mirrored",
    "exact": "Only in this orientation",
    "shape": "This shape anywhere, on any board",
    "reachable": "Positions that it can lead to",
}
SAME = {"pool": "same pool", "captures": "same captures", "side": "same player to move"}
CONTINUATION_COLUMNS = (
    Column("Played next", "code", help="turned as the target; without claims"),
    Column("Matches", "number"),
    Column("Won, tied, lost by who plays it; score", "results"),
)


def show_page() -> None:
    """Draw the page."""
    st.title("Position search")
    use_game_position()
    filters = show_filter("player:ada date:2010..2012 not ending:resign")
    text = get_value("what")
    show_text_field(text)
    try:
        target = painted_search.parse_target(text) if text else Pattern({})
    except FilterError as error:
        st.error(escape_markdown(error.problem), icon=":material/error:")
        show_verbatim(error.excerpt, key="fault of pattern", wraps=False)
        st.stop()
    except QueryError as error:
        stop_page(error)
    left, right = st.columns([5, 7], gap="medium")
    with left:
        show_editor(target)
        if isinstance(target, Position) and show_checkbox("playable", "What can be played here"):
            show_moves(target)
        if isinstance(target, Position) and show_checkbox("forced", "Forced win"):
            show_forced_win(target)
    with right:
        mode = show_options(target)
        if not text:
            st.info("Pick a brush below the board and paint rings: the games appear here.", icon=":material/brush:")
            return
        try:
            found = run_search(text, target, mode, filters)
        except QueryError as error:
            stop_page(error)
        show_results(found, target)
        if isinstance(target, Position):
            st.page_link(
                "views/analysis.py",
                label="Analyse this position",
                icon=":material/biotech:",
                query_params={"start": target.text},
            )
            mark_position(target)


def use_game_position() -> None:
    """Set a position of a game as the target, if the URL names one."""
    named = get_value("id")
    if not named:
        return
    try:
        positions = run_query(find_game, named).positions
    except QueryError as error:
        stop_page(error)
    ply = parse_number(get_value("ply"))
    set_values(id=None, ply=None)
    set_target(positions[-1 if ply is None else min(ply, len(positions) - 1)].text)


def show_text_field(text: str) -> None:
    """Draw the text of the target, to paste and change."""
    key = "typed target"
    first = seed_widget(key, text)
    if st.session_state.get("target before") != text:
        st.session_state[key] = st.session_state["target before"] = text
    st.text_input(
        "Position or pattern",
        first,
        key=key,
        help=HELP,
        placeholder="Paint below, or write: W o / < o B . / o * rings<20",
        on_change=lambda: set_target(st.session_state[key].strip()),
        label_visibility="collapsed",
        icon=":material/edit_note:",
    )


def show_options(target: Position | Pattern) -> str:
    """Draw the choice of a mode for a position; return the mode."""
    if isinstance(target, Pattern):
        return "pattern"
    modes = list(MODES)
    return bind_widget(
        "mode",
        lambda key, first: st.selectbox(
            "Mode",
            modes,
            modes.index(first),
            key=key,
            format_func=lambda mode: MODES[mode],
            label_visibility="collapsed",
        ),
        default=modes[0],
        options=modes,
    )


def run_search(text: str, target: Position | Pattern, mode: str, filters: str) -> Found:
    """Return the matches. QueryError."""
    with st.container(horizontal=True):
        every = bind_widget(
            "every",
            lambda key, first: st.checkbox(
                "all matches of a game", first, key=key, help="Without this, only the first match of each game counts."
            ),
            default=False,
            options=(False, True),
        )
        exact = isinstance(target, Position) and mode != "reachable"
        same = {name: show_checkbox(name, label) for name, label in SAME.items()} if exact else {}
    if isinstance(target, Pattern):
        with st.spinner("Searching all positions …"):
            return run_query(find_pattern, text, filters, every=every, limit=MAX_MATCHES)
    if mode == "reachable":
        return run_query(find_reachable, text, filters, every=every, limit=MAX_MATCHES)
    return run_query(find_position, text, mode, filters, every=every, limit=MAX_MATCHES, **same)


def show_checkbox(name: str, label: str) -> bool:
    """Draw a checkbox; return whether it is ticked."""
    return bind_widget(
        name, lambda key, first: st.checkbox(label, first, key=key), default=False, options=(False, True)
    )


def show_results(found: Found, target: Position | Pattern) -> None:
    """Show the matches as small boards, the continuations, and the years."""
    times = f", {found.plies:,} times" if found.plies > found.games else ""
    st.markdown(f"**{format_count(found.games, 'game')}**{times}")
    if not found.games:
        st.info("No game matches. Try a wider mode, fewer symbols, or no filter.", icon=":material/search_off:")
        return
    hits, continuations, years = bind_tabs("answer", ("Games", "Played next", "By year"))
    if hits.open:
        with hits:
            show_hits(found)
    if continuations.open:
        with continuations:
            show_continuations(found, target)
    if years.open:
        with years:
            rows = [{**row, "year": row["year"] or "no date"} for row in found.years.dicts()]
            draw_columns(
                rows,
                Axis("year", "year"),
                Axis("matches", "matches", COUNT_FORMAT),
                [Axis("wins", "won by the side to move", COUNT_FORMAT)],
                key="hits by year",
            )


def show_hits(found: Found) -> None:
    """Show a page of the matches."""
    rows = found.hits.dicts()
    pages = -(-len(rows) // CARDS_PER_PAGE)
    above = st.container()
    number = bind_pages("cards", pages)
    with above:
        shown = rows[(number - 1) * CARDS_PER_PAGE : number * CARDS_PER_PAGE]
        show_gallery(build_cards(get_database(), shown), key="hits", width=150, label="Matches")
    if len(rows) == MAX_MATCHES:
        st.caption(f"These are the latest {MAX_MATCHES}.")


def show_continuations(found: Found, target: Position | Pattern) -> None:
    """Show the continuations; a click plays one if the target is a position."""
    rows = [
        Row(row["move"] or "", (row["move"] or "ended here", f"{row['matches']:,}", build_results(row)))
        for row in found.continuations.dicts()
    ]
    show_listing(
        CONTINUATION_COLUMNS,
        rows,
        key="followed",
        label="Continuations",
        height=520,
        on_row=(lambda move: play_continuation(target, move)) if isinstance(target, Position) else None,
    )


def play_continuation(target: Position, move: str) -> None:
    """Search for the position after this move."""
    try:
        set_target(target.play(move).text)
    except IllegalMove:
        st.toast(
            f"{escape_markdown(move)} was played with other captures or another pool; in this position it is illegal."
        )


show_page()
