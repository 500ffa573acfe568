"""The page to find positions and patterns: set up on the board, written, or taken from a game. What is looked for is in the URL."""

from __future__ import annotations

import streamlit as st

from dashboards import painted
from dashboards.answers import ask
from dashboards.charts import COUNT, Axis, columns
from dashboards.database import database, stop
from dashboards.filtering import filters
from dashboards.gallery import gallery
from dashboards.game_cards import cards
from dashboards.listing import Column, Row, listing, results_of
from dashboards.location import bound, bound_pages, bound_tabs, put, seed, value
from dashboards.marking import mark_position
from dashboards.moves import show_moves
from dashboards.setting_up import look_for, set_up
from dashboards.verbatim import verbatim
from dashboards.words import plain
from zertz_db.cli.words import counted
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filter_errors import FilterError
from zertz_db.queries.game import game
from zertz_db.queries.pattern import Pattern
from zertz_db.queries.pattern_search import find_pattern, find_reachable
from zertz_db.queries.search import find_position
from zertz_db.queries.search_found import Found
from zertz_db.rules.position import IllegalMove, Position

MOST = 240
"""So many matches are listed."""
CARDS = 12
"""So many of them are shown at a time."""
WHAT = """A position string, or a pattern: rows of cells. `W G B` marbles, `o` vacant, `.` no ring, `*` any marble, `#` any ring,
`?` anything, `!W` all but white, `[Wo]` white or vacant. A row begins half a cell to the right of the one above, or with `<` to the
left. Or named rings, `d4:W e4:o`. Then limits: `rings<20 pool.white=0`."""
MODES = {
    "symmetry": "Turned or mirrored too",
    "exact": "As it lies",
    "shape": "This shape anywhere, on any board",
    "reachable": "What could come of it",
}
SAME = {"pool": "same pool", "captures": "same captures", "side": "same player to move"}
FOLLOWED = (
    Column("Played next", "code", help="in the orientation of what is looked for; claims left out"),
    Column("Matches", "number"),
    Column("Won, tied, lost by who plays it; score", "results"),
)


def page() -> None:
    """The page."""
    st.title("Position search")
    take_from_game()
    asked_filters = filters("player:ada date:2010..2012 not ending:resign")
    text = value("what")
    typed(text)
    try:
        asked = painted.position_or_pattern(text) if text else Pattern({})
    except FilterError as error:
        st.error(plain(error.problem), icon=":material/error:")
        verbatim(error.excerpt, key="fault of pattern", wraps=False)
        st.stop()
    except QueryError as error:
        stop(error)
    left, right = st.columns([5, 7], gap="medium")
    with left:
        set_up(asked)
        if isinstance(asked, Position) and is_asked("playable", "What can be played here"):
            show_moves(asked)
    with right:
        mode = how(asked)
        if not text:
            st.info(
                "Pick a sign below the board and paint it onto rings: the games appear here.", icon=":material/brush:"
            )
            return
        try:
            found = look(text, asked, mode, asked_filters)
        except QueryError as error:
            stop(error)
        tell(found, asked)
        if isinstance(asked, Position):
            mark_position(asked)


def take_from_game() -> None:
    """A position of a game, where the URL names one."""
    named = value("id")
    if not named:
        return
    try:
        positions = ask(game, named).positions
    except QueryError as error:
        stop(error)
    ply = value("ply")
    number = min(int(ply), len(positions) - 1) if ply.isascii() and ply.isdigit() else len(positions) - 1
    put(id=None, ply=None)
    look_for(positions[number].text)


def typed(text: str) -> None:
    """The text of what is looked for, to be pasted and changed."""
    key = "what is typed"
    first = seed(key, text)
    if st.session_state.get("what was typed") != text:
        st.session_state[key] = st.session_state["what was typed"] = text
    st.text_input(
        "Position or pattern",
        first,
        key=key,
        help=WHAT,
        placeholder="Paint below, or write: W o / < o B . / o * rings<20",
        on_change=lambda: look_for(st.session_state[key].strip()),
        label_visibility="collapsed",
        icon=":material/edit_note:",
    )


def how(asked: Position | Pattern) -> str:
    """How to look for a position."""
    if isinstance(asked, Pattern):
        return "pattern"
    modes = list(MODES)
    return bound(
        "mode",
        lambda key, first: st.selectbox(
            "How to look",
            modes,
            modes.index(first),
            key=key,
            format_func=lambda mode: MODES[mode],
            label_visibility="collapsed",
        ),
        default=modes[0],
        options=modes,
    )


def look(text: str, asked: Position | Pattern, mode: str, asked_filters: str) -> Found:
    """The answer. QueryError."""
    with st.container(horizontal=True):
        every = bound(
            "every",
            lambda key, first: st.checkbox(
                "all matches of a game", first, key=key, help="Else only the first one of each game counts."
            ),
            default=False,
            options=(False, True),
        )
        exact = isinstance(asked, Position) and mode != "reachable"
        same = {name: is_asked(name, label) for name, label in SAME.items()} if exact else {}
    if isinstance(asked, Pattern):
        with st.spinner("Looking through all positions …"):
            return ask(find_pattern, text, asked_filters, every=every, limit=MOST)
    if mode == "reachable":
        return ask(find_reachable, text, asked_filters, every=every, limit=MOST)
    return ask(find_position, text, mode, asked_filters, every=every, limit=MOST, **same)


def is_asked(name: str, label: str) -> bool:
    """Whether this is ticked."""
    return bound(name, lambda key, first: st.checkbox(label, first, key=key), default=False, options=(False, True))


def tell(found: Found, asked: Position | Pattern) -> None:
    """The matches as small boards, what followed, and when that was."""
    times = f", {found.plies:,} times" if found.plies > found.games else ""
    st.markdown(f"**{counted(found.games, 'game')}**{times}")
    if not found.games:
        st.info(
            "No game has that. A wider mode, fewer signs, or no filter may find some.", icon=":material/search_off:"
        )
        return
    hits, following, years = bound_tabs("answer", ("Games", "Played next", "By year"))
    if hits.open:
        with hits:
            show_hits(found)
    if following.open:
        with following:
            show_following(found, asked)
    if years.open:
        with years:
            rows = [{**row, "year": row["year"] or "no date"} for row in found.years.dicts()]
            columns(
                rows,
                Axis("year", "year"),
                Axis("matches", "matches", COUNT),
                [Axis("wins", "won by the side to move", COUNT)],
                key="hits by year",
            )


def show_hits(found: Found) -> None:
    """Some of the matches at a time."""
    rows = found.hits.dicts()
    pages = -(-len(rows) // CARDS)
    above = st.container()
    number = bound_pages("cards", pages)
    with above:
        shown = rows[(number - 1) * CARDS : number * CARDS]
        gallery(cards(database(), shown), key="hits", width=150, label="Matches")
    if len(rows) == MOST:
        st.caption(f"The latest {MOST} are shown.")


def show_following(found: Found, asked: Position | Pattern) -> None:
    """What was played next; from a position a click goes on with it."""
    rows = [
        Row(row["move"] or "", (row["move"] or "ended here", f"{row['matches']:,}", results_of(row)))
        for row in found.continuations.dicts()
    ]
    listing(
        FOLLOWED,
        rows,
        key="followed",
        label="What was played next",
        height=520,
        on_row=(lambda move: go_on(asked, move)) if isinstance(asked, Position) else None,
    )


def go_on(asked: Position, move: str) -> None:
    """Look for the position after this move."""
    try:
        look_for(asked.play(move).text)
    except IllegalMove:
        st.toast(f"{plain(move)} was played with other marbles in hand; from this very position it is not legal.")


page()
