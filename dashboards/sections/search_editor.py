"""Edit the target of a search: a board to paint, pool and captures, the placement of a pattern. The URL has the target as a text."""

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
"""Maximum height of the board, in pixels."""
PLACEMENT_KEY = "placement of the painted pattern"
"""Session state: the placement of a pattern that has no cells yet."""


def set_target(text: str, anchor: str = "") -> None:
    """Set the target of the search; anchor: where a drawing is shown."""
    set_values(what=text, at=anchor)


def show_editor(target: Position | Pattern) -> None:
    """Draw the board to paint on, and the pool and captures."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = "position" if isinstance(target, Position) else "pattern"
        st.segmented_control(
            "What", ("position", "pattern"), default=kind, key=f"as a {kind}", label_visibility="collapsed",
            format_func=lambda name: f"a {name}", on_change=show_kind_choice, args=(target,),
        )  # fmt: skip
        board = painted_search.choose_board(target, get_value("board"))
        st.selectbox(
            "Board", STANDARD_BOARDS if not board.is_custom else (board.name,),
            index=0 if board.is_custom else STANDARD_BOARDS.index(board.name), key=f"board {board.name}",
            format_func=lambda name: f"board {name}", label_visibility="collapsed", width=120,
            on_change=show_board_choice, args=(board.name,),
        )  # fmt: skip
        st.button("", icon=":material/ink_eraser:", help="An empty board", on_click=set_target, args=("",), key="clear")
    if isinstance(target, Position):
        show_position_editor(target)
    else:
        show_pattern_editor(target)


def show_kind_choice(target: Position | Pattern) -> None:
    """Switch from a position to its pattern, or from a pattern to its position."""
    board = painted_search.choose_board(target, get_value("board"))
    if isinstance(target, Position):
        cells = painted_search.to_pattern(target)
        set_target(painted_search.format_pattern(cells, [], painted_search.SYMMETRIC, board))
        set_values(board=board.name)
        return
    cells = painted_search.get_cells(target, board, get_value("at")) or {}
    set_target(painted_search.replace_rings(Position.start(board), painted_search.to_rings(cells, board)).text)


def show_board_choice(before: str) -> None:
    """Switch the board; painted symbols stay if the new board has their rings."""
    name = st.session_state[f"board {before}"]
    try:
        target = painted_search.parse_target(get_value("what") or "rings>0")
    except QueryError:
        target = Pattern({})
    set_values(board=name)
    if isinstance(target, Position):
        set_target(Position.start(name, target.rules).text)
    elif target.is_named:
        board = painted_search.choose_board(Pattern({}), name)
        cells = {str(ring): symbol for ring, symbol in target.cells.items() if ring in board.index}
        set_target(
            painted_search.format_pattern(
                cells, [str(limit) for limit in target.limits], painted_search.get_placement(target), board
            )
        )


def show_position_editor(target: Position) -> None:
    """Draw a board to paint rings and marbles, and the pool and captures as numbers."""
    if target.board.is_custom:
        st.caption("A custom board can be searched, but not painted.")
    show_paintable(
        target.board,
        layout(target),
        key=f"painting {target.board.description}",
        brushes=POSITION_BRUSHES,
        height=MAX_HEIGHT,
        on_paint=lambda states: apply_painted_position(target, states),
    )
    with st.expander("Pool, captures, player to move"):
        holders = zip(("Pool", "Player 1", "Player 2"), (target.pool, *target.captured), strict=True)
        counts = [show_counts(holder, count, target.text) for holder, count in holders]
        side = st.radio(
            "To move",
            (1, 2),
            index=target.side - 1,
            horizontal=True,
            format_func="player {}".format,
            key=f"side {target.text}",
        )
        if (counts, side) != ([target.pool, *target.captured], target.side):
            try:
                set_target(painted_search.replace_counts(target, counts, side).text)
            except QueryError as error:
                stop_page(error)
            st.rerun()


def apply_painted_position(target: Position, states: str) -> None:
    """Search for the painted position."""
    try:
        set_target(painted_search.replace_rings(target, states).text)
    except QueryError as error:
        st.toast(escape_markdown(error), icon=":material/error:")


def show_counts(holder: str, count: Count, position: str) -> Count:
    """Draw three numbers of marbles, of a player or of the pool; a position string has up to 99."""
    colours = zip(st.columns(3), count._fields, count, strict=True)
    return Count(
        *(
            place.number_input(f"{holder}, {colour}", 0, 99, number, key=f"{holder} {colour} {position}")
            for place, colour, number in colours
        )
    )


def show_pattern_editor(target: Pattern) -> None:
    """Draw a board to paint symbols, their placement, and limits."""
    board = painted_search.choose_board(target, get_value("board"))
    cells = painted_search.get_cells(target, board, get_value("at"))
    place = painted_search.get_placement(target) if target.cells else st.session_state.get(PLACEMENT_KEY, PLACES[0])
    if cells is None:
        st.caption("This pattern does not fit on this board; the search uses its text.")
    limits = painted_search.format_limits(target)
    show_paintable(
        board,
        painted_search.get_rings(cells or {}, board),
        key=f"painting {board.description} as a pattern",
        brushes=PATTERN_BRUSHES,
        height=MAX_HEIGHT,
        on_paint=lambda states: set_pattern(
            target, board, painted_search.merge_painted(cells or {}, states, board), place
        ),
    )
    where = f"place, now {place}"
    st.segmented_control(
        "Placement", PLACES, default=place, required=True, key=where,
        on_change=lambda: set_pattern(target, board, cells or {}, st.session_state[where]),
        help="Anywhere on any board in all twelve orientations; on the images of these rings on this board; or only on these rings.",
    )  # fmt: skip
    written = st.text_input(
        "Limits", " ".join(limits), key=f"limits {limits}", placeholder="rings<20 pool.white=0 mover.black>=2",
        help=f"{', '.join(f'`{name}`' for name in QUANTITIES)} and `board`, compared by = < <= > >=.",
    ).strip()  # fmt: skip
    if written != " ".join(limits):
        try:
            changed = painted_search.replace_limits(target, written)
        except QueryError as error:
            stop_page(error)
        set_target(
            painted_search.format_pattern(cells or {}, painted_search.format_limits(changed), place, board),
            get_value("at"),
        )
        st.rerun()


def set_pattern(target: Pattern, board: Board, cells: dict[str, str], place: str) -> None:
    """Search for these cells at this placement, with the current limits."""
    st.session_state[PLACEMENT_KEY] = place
    set_target(
        painted_search.format_pattern(cells, painted_search.format_limits(target), place, board),
        painted_search.find_anchor(cells, board),
    )
    set_values(board=board.name)
