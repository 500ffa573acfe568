"""Edit the target of a search: a board to paint, pool and captures, placement and limits of a pattern. The URL has the target as a text."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from zertz_db.dashboards.components.board import Letter, show_paintable
from zertz_db.dashboards.components.location import get_value, set_values
from zertz_db.dashboards.state import painted_search
from zertz_db.dashboards.state.database import stop_page
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.painted_search import PATTERN_BRUSHES, PLACES, POSITION_BRUSHES, LetteredMove
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.queries.errors import QueryError
from zertz_db.queries.openings.starts import list_played_boards
from zertz_db.queries.search.pattern import QUANTITIES, Pattern
from zertz_db.queries.search.targets import parse_target
from zertz_db.rules.board import Board
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import Count
from zertz_db.rules.svg.board_svg import layout

MAX_HEIGHT = 430
"""Maximum height of the board, in pixels."""
PAGE_KEY = "cards"
"""Name of the page of results in the URL, and key of its control."""
PLACEMENT_KEY = "placement of the painted pattern"
"""Session state: the placement of a pattern that has no cells yet."""


def set_target(text: str, anchor: str = "") -> None:
    """Set the target of the search, and go to the first page of its results; anchor: where a drawing is shown."""
    set_values(what=text, at=anchor, next=None)
    if PAGE_KEY in st.session_state:
        st.session_state[PAGE_KEY] = 1


def show_controls(target: Position | Pattern) -> None:
    """Draw the choice between a position and a pattern, and of the board, and the options in a menu."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = "position" if isinstance(target, Position) else "pattern"
        st.segmented_control(
            "What", ("position", "pattern"), default=kind, key=f"as a {kind}", label_visibility="collapsed",
            format_func=lambda name: f"a {name}", on_change=show_kind_choice, args=(target,),
        )  # fmt: skip
        board = painted_search.choose_board(target, get_value("board"), get_default_board())
        boards = (board.name,) if board.is_custom else run_query(list_played_boards, board.name)
        st.selectbox(
            "Board", boards, index=boards.index(board.name), key=f"board {board.name}",
            format_func=lambda name: f"board {name}", label_visibility="collapsed", width=120,
            on_change=show_board_choice, args=(board.name,),
        )  # fmt: skip
        st.button("", icon=":material/ink_eraser:", help="An empty board", on_click=set_target, args=("",), key="clear")


def get_default_board() -> str:
    """Return the name of the first board with games."""
    return str(run_query(list_played_boards)[0])


def show_kind_choice(target: Position | Pattern) -> None:
    """Switch from a position to its pattern, or from a pattern to its position."""
    board = painted_search.choose_board(target, get_value("board"), get_default_board())
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
        target = parse_target(get_value("what") or "rings>0")
    except QueryError:
        target = Pattern({})
    set_values(board=name)
    if isinstance(target, Position):
        set_target(Position.start(name, target.rules).text)
    elif target.is_named:
        board = painted_search.choose_board(Pattern({}), name, name)
        cells = {str(ring): symbol for ring, symbol in target.cells.items() if ring in board.index}
        set_target(
            painted_search.format_pattern(
                cells, [str(limit) for limit in target.limits], painted_search.get_placement(target), board
            )
        )


def show_position_board(target: Position) -> None:
    """Draw a board to paint rings and marbles."""
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


def show_holdings(target: Position) -> None:
    """Draw pool and captures as numbers, and the player to move."""
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


def show_pattern_board(target: Pattern, board: Board, cells: dict[str, str], moves: Sequence[LetteredMove]) -> None:
    """Draw a board to paint symbols, with the letters of moves. cells: the symbols by rings."""
    place = get_place(target)
    show_paintable(
        board,
        painted_search.get_rings(cells, board),
        key=f"painting {board.description} as a pattern",
        brushes=PATTERN_BRUSHES,
        height=MAX_HEIGHT,
        on_paint=lambda states: set_pattern(target, board, painted_search.merge_painted(cells, states, board), place),
        letters=[
            Letter(one.move, one.letter, one.ring, one.kind, f"{one.letter}: {one.words}", one.preview)
            for one in moves
            if one.letter
        ],
        on_letter=lambda move: play_pattern_move(target, board, cells, move),
    )


def play_pattern_move(target: Pattern, board: Board, cells: dict[str, str], move: str) -> None:
    """Add a move to the pattern."""
    set_pattern(target, board, painted_search.play_on_pattern(cells, move, board), get_place(target))


def get_place(target: Pattern) -> str:
    """Return the placement of a pattern: its own, or if it has no cells yet the latest one."""
    return painted_search.get_placement(target) if target.cells else st.session_state.get(PLACEMENT_KEY, PLACES[0])


def get_painted(target: Pattern) -> tuple[Board, dict[str, str] | None]:
    """Return the board that shows a pattern, and its symbols by rings; None for the symbols of a pattern that does not fit."""
    board = painted_search.choose_board(target, get_value("board"), get_default_board())
    return board, painted_search.get_cells(target, board, get_value("at"))


def show_placement(target: Pattern) -> None:
    """Draw the choice of a pattern's placement."""
    board, cells = get_painted(target)
    place = get_place(target)
    where = f"place, now {place}"
    st.segmented_control(
        "Placement", PLACES, default=place, required=True, key=where, label_visibility="collapsed",
        on_change=lambda: set_pattern(target, board, cells or {}, st.session_state[where]),
        help="Anywhere on any board in all twelve orientations; on the images of these rings on this board; or only on these rings.",
    )  # fmt: skip


def show_limits(target: Pattern) -> None:
    """Draw the limits of a pattern as a text."""
    board, cells = get_painted(target)
    limits = painted_search.format_limits(target)
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
            painted_search.format_pattern(cells or {}, painted_search.format_limits(changed), get_place(target), board),
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
