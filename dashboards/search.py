"""The page to find positions and patterns: set up on the board, written, or taken from a game. What is looked for is in the URL."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboards import painted
from dashboards.answers import ask
from dashboards.board import paint
from dashboards.charts import COUNT, Axis, columns
from dashboards.database import database, stop
from dashboards.filtering import filters
from dashboards.gallery import gallery
from dashboards.game_cards import cards
from dashboards.listing import Column, Row, listing, results_of
from dashboards.location import put
from dashboards.painted import PATTERN_SIGNS, PLACES, POSITION_SIGNS
from dashboards.words import plain
from zertz_db.cli.words import counted
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filter_errors import FilterError
from zertz_db.queries.game import game
from zertz_db.queries.pattern import QUANTITIES, Pattern
from zertz_db.queries.pattern_search import find_pattern, find_reachable
from zertz_db.queries.search import find_position
from zertz_db.queries.search_found import Found
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.picture import layout
from zertz_db.rules.position import IllegalMove, Position
from zertz_db.rules.ruleset import Count

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
    text = st.query_params.get("what", "")
    typed(text)
    try:
        asked = painted.position_or_pattern(text) if text else Pattern({})
    except FilterError as error:
        st.error(plain(error.problem), icon=":material/error:")
        st.code(error.excerpt, language=None)
        st.stop()
    except QueryError as error:
        stop(plain(error))
    left, right = st.columns([5, 7], gap="medium")
    with left:
        set_up(asked)
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
            stop(plain(error))
        tell(found, asked)


def take_from_game() -> None:
    """A position of a game, where the URL names one."""
    named = st.query_params.get("id")
    if not named:
        return
    try:
        positions = ask(game, named).positions
    except QueryError as error:
        stop(plain(error))
    ply = st.query_params.get("ply", "")
    number = min(int(ply), len(positions) - 1) if ply.isascii() and ply.isdigit() else len(positions) - 1
    put(id=None, ply=None)
    look_for(positions[number].text)


def typed(text: str) -> None:
    """The text of what is looked for, to be pasted and changed."""
    key = "what is typed"
    if st.session_state.get("what was typed") != text:
        st.session_state[key] = st.session_state["what was typed"] = text
    st.text_input(
        "Position or pattern",
        key=key,
        help=WHAT,
        placeholder="Paint below, or write: W o / < o B . / o * rings<20",
        on_change=lambda: look_for(st.session_state[key].strip()),
        label_visibility="collapsed",
        icon=":material/edit_note:",
    )


def look_for(text: str, anchor: str = "") -> None:
    """Look for this from now on; anchor: where a drawing is shown."""
    put(what=text, at=anchor)


def set_up(asked: Position | Pattern) -> None:
    """The board to paint on, and what is in hand."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = "position" if isinstance(asked, Position) else "pattern"
        st.segmented_control(
            "What", ("position", "pattern"), default=kind, key=f"as a {kind}", label_visibility="collapsed",
            format_func=lambda name: f"a {name}", on_change=change_kind, args=(asked,),
        )  # fmt: skip
        board = painted.board_for(asked, st.query_params.get("board", ""))
        st.selectbox(
            "Board", STANDARD_BOARDS if not board.is_custom else (board.name,),
            index=0 if board.is_custom else STANDARD_BOARDS.index(board.name), key=f"board {board.name}",
            format_func=lambda name: f"board {name}", label_visibility="collapsed", width=120,
            on_change=change_board, args=(board.name,),
        )  # fmt: skip
        st.button("", icon=":material/ink_eraser:", help="An empty board", on_click=look_for, args=("",), key="clear")
    if isinstance(asked, Position):
        set_up_position(asked)
    else:
        set_up_pattern(asked)


def change_kind(asked: Position | Pattern) -> None:
    """A pattern of a position, or a position of a pattern."""
    board = painted.board_for(asked, st.query_params.get("board", ""))
    if isinstance(asked, Position):
        cells = painted.as_pattern(asked)
        look_for(painted.pattern_text(cells, [], painted.TURNED, board))
        st.query_params["board"] = board.name
        return
    cells = painted.painted_cells(asked, board, st.query_params.get("at", "")) or {}
    look_for(painted.with_held(Position.start(board), painted.as_held(cells, board)).text)


def change_board(before: str) -> None:
    """Another board: what was painted stays where the new board has its rings."""
    name = st.session_state[f"board {before}"]
    try:
        asked = painted.position_or_pattern(st.query_params.get("what", "") or "rings>0")
    except QueryError:
        asked = Pattern({})
    st.query_params["board"] = name
    if isinstance(asked, Position):
        look_for(Position.start(name, asked.rules).text)
    elif asked.is_named:
        board = painted.board_for(Pattern({}), name)
        cells = {str(ring): sign for ring, sign in asked.cells.items() if ring in board.index}
        look_for(painted.pattern_text(cells, [str(limit) for limit in asked.limits], painted.place_of(asked), board))


def set_up_position(asked: Position) -> None:
    """Rings and marbles by painting, pool and captures as numbers."""
    if asked.board.is_custom:
        st.caption("A custom board can be looked for, but not be painted on.")
    held = painting(asked.board, layout(asked), POSITION_SIGNS)
    if held is not None and not asked.board.is_custom:
        look_for(painted.with_held(asked, held).text)
        st.rerun()
    with st.expander("Pool, captures, player to move"):
        holders = zip(("Pool", "Player 1", "Player 2"), (asked.pool, *asked.captured), strict=True)
        counts = [counted_in(holder, count, asked.text) for holder, count in holders]
        side = st.radio(
            "To move",
            (1, 2),
            index=asked.side - 1,
            horizontal=True,
            format_func=lambda side: f"player {side}",
            key=f"side {asked.text}",
        )
        if (counts, side) != ([asked.pool, *asked.captured], asked.side):
            try:
                look_for(painted.with_counts(asked, counts, side).text)
            except QueryError as error:
                stop(plain(error))
            st.rerun()


def counted_in(holder: str, count: Count, position: str) -> Count:
    """Three numbers to change: what a player or the pool holds."""
    colours = zip(st.columns(3), count._fields, count, strict=True)
    return Count(
        *(
            place.number_input(f"{holder}, {colour}", 0, 30, held, key=f"{holder} {colour} {position}")
            for place, colour, held in colours
        )
    )


def set_up_pattern(asked: Pattern) -> None:
    """Signs by painting, where they may lie, and limits."""
    board = painted.board_for(asked, st.query_params.get("board", ""))
    cells = painted.painted_cells(asked, board, st.query_params.get("at", ""))
    place = painted.place_of(asked) if asked.cells else st.session_state.get("place of what is painted", PLACES[0])
    if cells is None:
        st.caption("This pattern does not lie whole on this board; it is looked for as it is written.")
    limits = painted.limits_of(asked)
    held = painting(board, painted.held_by(cells or {}, board), PATTERN_SIGNS)
    wanted = st.segmented_control(
        "Where it may lie", PLACES, default=place, required=True, key=f"place, now {place}",
        help="Anywhere on any board in all twelve ways; on the images of these rings on this board; or on just these rings.",
    )  # fmt: skip
    st.session_state["place of what is painted"] = wanted
    if cells is not None and (held is not None or (wanted != place and cells)):
        signs = painted.repainted(cells, held, board) if held is not None else cells
        look_for(painted.pattern_text(signs, limits, wanted, board), painted.anchor_of(signs, board))
        st.query_params["board"] = board.name
        st.rerun()
    written = st.text_input(
        "Limits", " ".join(limits), key=f"limits {limits}", placeholder="rings<20 pool.white=0 mover.black>=2",
        help=f"Of {', '.join(f'`{name}`' for name in QUANTITIES)} and `board`, compared by = < <= > >=.",
    ).strip()  # fmt: skip
    if written != " ".join(limits):
        try:
            limited = painted.limited_to(asked, written)
        except QueryError as error:
            stop(plain(error))
        look_for(
            painted.pattern_text(cells or {}, painted.limits_of(limited), place, board), st.query_params.get("at", "")
        )
        st.rerun()


def painting(board: Any, held: str, signs: tuple[str, ...]) -> str | None:
    """The board to paint on: what it holds after somebody painted, once, else None."""
    now = paint(board, held, key=f"painting {board.description} {len(signs)}", brushes=signs, height=430)
    before = st.session_state.get("painted before")
    st.session_state["painted before"] = now
    return now if now not in (held, before) else None


def how(asked: Position | Pattern) -> str:
    """How to look for a position."""
    if isinstance(asked, Pattern):
        return "pattern"
    named = st.query_params.get("mode", "")
    mode = st.selectbox(
        "How to look",
        list(MODES),
        index=list(MODES).index(named) if named in MODES else 0,
        format_func=lambda mode: MODES[mode],
        label_visibility="collapsed",
    )
    put(mode=mode if mode != next(iter(MODES)) else None)
    return mode


def look(text: str, asked: Position | Pattern, mode: str, asked_filters: str) -> Found:
    """The answer. QueryError."""
    with st.container(horizontal=True):
        every = st.checkbox(
            "all matches of a game",
            key="every",
            bind="query-params",
            help="Else only the first one of each game counts.",
        )
        exact = isinstance(asked, Position) and mode != "reachable"
        same = (
            {name: st.checkbox(label, key=name, bind="query-params") for name, label in SAME.items()} if exact else {}
        )
    if isinstance(asked, Pattern):
        with st.spinner("Looking through all positions …"):
            return ask(find_pattern, text, asked_filters, every=every, limit=MOST)
    if mode == "reachable":
        return ask(find_reachable, text, asked_filters, every=every, limit=MOST)
    return ask(find_position, text, mode, asked_filters, every=every, limit=MOST, **same)


def tell(found: Found, asked: Position | Pattern) -> None:
    """The matches as small boards, what followed, and when that was."""
    times = f", {found.plies:,} times" if found.plies > found.games else ""
    st.markdown(f"**{counted(found.games, 'game')}**{times}")
    if not found.games:
        st.info(
            "No game has that. A wider mode, fewer signs, or no filter may find some.", icon=":material/search_off:"
        )
        return
    hits, following, years = st.tabs(["Games", "Played next", "By year"], key="answer", on_change="rerun")
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
    number = st.session_state.get("page of hits", 1) if pages > 1 else 1
    number = min(number, pages)
    shown = rows[(number - 1) * CARDS : number * CARDS]
    chosen = gallery(cards(database(), shown), key="hits", width=150, label="Matches")
    if pages > 1:
        st.pagination(pages, key="page of hits")
    if len(rows) == MOST:
        st.caption(f"The latest {MOST} are shown.")
    if chosen:
        named, ply = chosen.split()
        st.switch_page("game.py", query_params={"id": named, "ply": ply})


def show_following(found: Found, asked: Position | Pattern) -> None:
    """What was played next; from a position a click goes on with it."""
    rows = [
        Row(row["move"] or "", (row["move"] or "ended here", f"{row['matches']:,}", results_of(row)))
        for row in found.continuations.dicts()
    ]
    chosen = listing(FOLLOWED, rows, key="followed", label="What was played next", height=520)
    if chosen.row and isinstance(asked, Position):
        try:
            look_for(asked.play(chosen.row).text)
        except IllegalMove:
            st.caption(
                f"{plain(chosen.row)} was played with other marbles in hand; from this very position it is not legal."
            )
        else:
            st.rerun()


page()
