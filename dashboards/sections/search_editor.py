"""Setting up what is looked for: a board to paint on, what is in hand, where a pattern may lie. All of it ends in the text in the URL."""

from __future__ import annotations

import streamlit as st

from dashboards.components.board import show_paintable
from dashboards.components.location import get_value, set_values
from dashboards.state import painted_search
from dashboards.state.database import stop_page
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.painted_search import PATTERN_BRUSHES, PLACES, POSITION_BRUSHES
from zertz_db.queries.errors import QueryError
from zertz_db.queries.search.pattern import QUANTITIES, Pattern
from zertz_db.rules.board import STANDARD_BOARDS, Board
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import Count
from zertz_db.rules.svg.board_svg import layout

MAX_HEIGHT = 430
"""Pixels of the board at most."""
PLACEMENT_KEY = "place of what is painted"
"""In the session's state: where a pattern may lie that has no cells yet."""


def set_target(text: str, anchor: str = "") -> None:
    """Look for this from now on; anchor: where a drawing is shown."""
    set_values(what=text, at=anchor)


def show_editor(asked: Position | Pattern) -> None:
    """The board to paint on, and what is in hand."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = "position" if isinstance(asked, Position) else "pattern"
        st.segmented_control(
            "What", ("position", "pattern"), default=kind, key=f"as a {kind}", label_visibility="collapsed",
            format_func=lambda name: f"a {name}", on_change=show_kind_choice, args=(asked,),
        )  # fmt: skip
        board = painted_search.choose_board(asked, get_value("board"))
        st.selectbox(
            "Board", STANDARD_BOARDS if not board.is_custom else (board.name,),
            index=0 if board.is_custom else STANDARD_BOARDS.index(board.name), key=f"board {board.name}",
            format_func=lambda name: f"board {name}", label_visibility="collapsed", width=120,
            on_change=show_board_choice, args=(board.name,),
        )  # fmt: skip
        st.button("", icon=":material/ink_eraser:", help="An empty board", on_click=set_target, args=("",), key="clear")
    if isinstance(asked, Position):
        show_position_editor(asked)
    else:
        show_pattern_editor(asked)


def show_kind_choice(asked: Position | Pattern) -> None:
    """A pattern of a position, or a position of a pattern."""
    board = painted_search.choose_board(asked, get_value("board"))
    if isinstance(asked, Position):
        cells = painted_search.to_pattern(asked)
        set_target(painted_search.format_pattern(cells, [], painted_search.SYMMETRIC, board))
        set_values(board=board.name)
        return
    cells = painted_search.get_cells(asked, board, get_value("at")) or {}
    set_target(painted_search.replace_rings(Position.start(board), painted_search.to_rings(cells, board)).text)


def show_board_choice(before: str) -> None:
    """Another board: what was painted stays where the new board has its rings."""
    name = st.session_state[f"board {before}"]
    try:
        asked = painted_search.parse_target(get_value("what") or "rings>0")
    except QueryError:
        asked = Pattern({})
    set_values(board=name)
    if isinstance(asked, Position):
        set_target(Position.start(name, asked.rules).text)
    elif asked.is_named:
        board = painted_search.choose_board(Pattern({}), name)
        cells = {str(ring): sign for ring, sign in asked.cells.items() if ring in board.index}
        set_target(
            painted_search.format_pattern(
                cells, [str(limit) for limit in asked.limits], painted_search.get_placement(asked), board
            )
        )


def show_position_editor(asked: Position) -> None:
    """Rings and marbles by painting, pool and captures as numbers."""
    if asked.board.is_custom:
        st.caption("A custom board can be looked for, but not be painted on.")
    show_paintable(
        asked.board,
        layout(asked),
        key=f"painting {asked.board.description}",
        brushes=POSITION_BRUSHES,
        height=MAX_HEIGHT,
        on_paint=lambda held: apply_painted_position(asked, held),
    )
    with st.expander("Pool, captures, player to move"):
        holders = zip(("Pool", "Player 1", "Player 2"), (asked.pool, *asked.captured), strict=True)
        counts = [show_counts(holder, count, asked.text) for holder, count in holders]
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
                set_target(painted_search.replace_counts(asked, counts, side).text)
            except QueryError as error:
                stop_page(error)
            st.rerun()


def apply_painted_position(asked: Position, held: str) -> None:
    """Look for the position with what was painted."""
    try:
        set_target(painted_search.replace_rings(asked, held).text)
    except QueryError as error:
        st.toast(escape_markdown(error), icon=":material/error:")


def show_counts(holder: str, count: Count, position: str) -> Count:
    """Three numbers to change: what a player or the pool holds."""
    colours = zip(st.columns(3), count._fields, count, strict=True)
    return Count(
        *(
            place.number_input(f"{holder}, {colour}", 0, 30, held, key=f"{holder} {colour} {position}")
            for place, colour, held in colours
        )
    )


def show_pattern_editor(asked: Pattern) -> None:
    """Signs by painting, where they may lie, and limits."""
    board = painted_search.choose_board(asked, get_value("board"))
    cells = painted_search.get_cells(asked, board, get_value("at"))
    place = painted_search.get_placement(asked) if asked.cells else st.session_state.get(PLACEMENT_KEY, PLACES[0])
    if cells is None:
        st.caption("This pattern does not lie whole on this board; it is looked for as it is written.")
    limits = painted_search.format_limits(asked)
    show_paintable(
        board,
        painted_search.get_rings(cells or {}, board),
        key=f"painting {board.description} as a pattern",
        brushes=PATTERN_BRUSHES,
        height=MAX_HEIGHT,
        on_paint=lambda held: set_pattern(asked, board, painted_search.merge_painted(cells or {}, held, board), place),
    )
    where = f"place, now {place}"
    st.segmented_control(
        "Where it may lie", PLACES, default=place, required=True, key=where,
        on_change=lambda: set_pattern(asked, board, cells or {}, st.session_state[where]),
        help="Anywhere on any board in all twelve ways; on the images of these rings on this board; or on just these rings.",
    )  # fmt: skip
    written = st.text_input(
        "Limits", " ".join(limits), key=f"limits {limits}", placeholder="rings<20 pool.white=0 mover.black>=2",
        help=f"Of {', '.join(f'`{name}`' for name in QUANTITIES)} and `board`, compared by = < <= > >=.",
    ).strip()  # fmt: skip
    if written != " ".join(limits):
        try:
            limited = painted_search.replace_limits(asked, written)
        except QueryError as error:
            stop_page(error)
        set_target(
            painted_search.format_pattern(cells or {}, painted_search.format_limits(limited), place, board),
            get_value("at"),
        )
        st.rerun()


def set_pattern(asked: Pattern, board: Board, cells: dict[str, str], place: str) -> None:
    """Look for these cells, which may lie there; with the limits that are set."""
    st.session_state[PLACEMENT_KEY] = place
    set_target(
        painted_search.format_pattern(cells, painted_search.format_limits(asked), place, board),
        painted_search.find_anchor(cells, board),
    )
    set_values(board=board.name)
