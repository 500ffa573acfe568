"""Setting up what is looked for: a board to paint on, what is in hand, where a pattern may lie. All of it ends in the text in the URL."""

from __future__ import annotations

import streamlit as st

from dashboards import painted
from dashboards.board import paint
from dashboards.database import stop
from dashboards.location import put, value
from dashboards.painted import PATTERN_SIGNS, PLACES, POSITION_SIGNS
from dashboards.words import plain
from zertz_db.queries.errors import QueryError
from zertz_db.queries.pattern import QUANTITIES, Pattern
from zertz_db.rules.board import STANDARD_BOARDS, Board
from zertz_db.rules.picture import layout
from zertz_db.rules.position import Position
from zertz_db.rules.ruleset import Count

HEIGHT = 430
"""Pixels of the board at most."""
PLACE = "place of what is painted"
"""In the session's state: where a pattern may lie that has no cells yet."""


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
        board = painted.board_for(asked, value("board"))
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
    board = painted.board_for(asked, value("board"))
    if isinstance(asked, Position):
        cells = painted.as_pattern(asked)
        look_for(painted.pattern_text(cells, [], painted.TURNED, board))
        put(board=board.name)
        return
    cells = painted.painted_cells(asked, board, value("at")) or {}
    look_for(painted.with_held(Position.start(board), painted.as_held(cells, board)).text)


def change_board(before: str) -> None:
    """Another board: what was painted stays where the new board has its rings."""
    name = st.session_state[f"board {before}"]
    try:
        asked = painted.position_or_pattern(value("what") or "rings>0")
    except QueryError:
        asked = Pattern({})
    put(board=name)
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
    paint(
        asked.board,
        layout(asked),
        key=f"painting {asked.board.description}",
        brushes=POSITION_SIGNS,
        height=HEIGHT,
        on_paint=lambda held: paint_position(asked, held),
    )
    with st.expander("Pool, captures, player to move"):
        holders = zip(("Pool", "Player 1", "Player 2"), (asked.pool, *asked.captured), strict=True)
        counts = [counted_in(holder, count, asked.text) for holder, count in holders]
        side = st.radio(
            "To move",
            (1, 2),
            index=asked.side - 1,
            horizontal=True,
            format_func="player {}".format,
            key=f"side {asked.text}",
        )
        if (counts, side) != ([asked.pool, *asked.captured], asked.side):
            try:
                look_for(painted.with_counts(asked, counts, side).text)
            except QueryError as error:
                stop(error)
            st.rerun()


def paint_position(asked: Position, held: str) -> None:
    """Look for the position with what was painted."""
    try:
        look_for(painted.with_held(asked, held).text)
    except QueryError as error:
        st.toast(plain(error), icon=":material/error:")


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
    board = painted.board_for(asked, value("board"))
    cells = painted.painted_cells(asked, board, value("at"))
    place = painted.place_of(asked) if asked.cells else st.session_state.get(PLACE, PLACES[0])
    if cells is None:
        st.caption("This pattern does not lie whole on this board; it is looked for as it is written.")
    limits = painted.limits_of(asked)
    paint(
        board,
        painted.held_by(cells or {}, board),
        key=f"painting {board.description} as a pattern",
        brushes=PATTERN_SIGNS,
        height=HEIGHT,
        on_paint=lambda held: lay(asked, board, painted.repainted(cells or {}, held, board), place),
    )
    where = f"place, now {place}"
    st.segmented_control(
        "Where it may lie", PLACES, default=place, required=True, key=where,
        on_change=lambda: lay(asked, board, cells or {}, st.session_state[where]),
        help="Anywhere on any board in all twelve ways; on the images of these rings on this board; or on just these rings.",
    )  # fmt: skip
    written = st.text_input(
        "Limits", " ".join(limits), key=f"limits {limits}", placeholder="rings<20 pool.white=0 mover.black>=2",
        help=f"Of {', '.join(f'`{name}`' for name in QUANTITIES)} and `board`, compared by = < <= > >=.",
    ).strip()  # fmt: skip
    if written != " ".join(limits):
        try:
            limited = painted.limited_to(asked, written)
        except QueryError as error:
            stop(error)
        look_for(painted.pattern_text(cells or {}, painted.limits_of(limited), place, board), value("at"))
        st.rerun()


def lay(asked: Pattern, board: Board, cells: dict[str, str], place: str) -> None:
    """Look for these cells, which may lie there; with the limits that are set."""
    st.session_state[PLACE] = place
    look_for(painted.pattern_text(cells, painted.limits_of(asked), place, board), painted.anchor_of(cells, board))
    put(board=board.name)
