"""Page with the analysis board: play moves for both sides from any position, with variations, comments and marks.

The URL has what the tree began with, its moves and notes, and the node that is shown (see `url_tree`). A tree can be saved as a study.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from zertz_db.dashboards.components import location
from zertz_db.dashboards.components.board import show_line
from zertz_db.dashboards.components.location import check_value, get_value, parse_number, show_tabs
from zertz_db.dashboards.components.move_tree import show_move_tree
from zertz_db.dashboards.sections.analysis_board.engine_answer import show_engine
from zertz_db.dashboards.sections.analysis_board.node_tools import change_tree, show_node_tools, toggle_drawing
from zertz_db.dashboards.sections.analysis_board.position_facts import show_outlook, show_played
from zertz_db.dashboards.sections.analysis_board.start_form import show_begun, show_start_form
from zertz_db.dashboards.sections.analysis_board.study_tools import show_studies, show_study_notices, show_study_tools
from zertz_db.dashboards.sections.analysis_board.url_tree import (
    Origin,
    is_changed,
    is_held,
    load_origin,
    load_tree,
)
from zertz_db.dashboards.sections.forced_win import is_proven_win, show_forced_win
from zertz_db.dashboards.sections.possible_moves import show_moves
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.errors import ZertzError
from zertz_db.rules.move import PASS
from zertz_db.rules.position import Position
from zertz_db.rules.svg.board_svg import places
from zertz_db.rules.svg.shapes import draw_shapes
from zertz_db.variations.drawings import split_drawings
from zertz_db.variations.move_tree import MoveTree, add_move, add_moves, follow_line, list_positions

DRAW_KEY = "draws on the board"


def show_page() -> None:
    """Draw the page."""
    try:
        origin = load_origin()
        tree = load_tree(origin)
    except ZertzError as error:
        st.title("Analysis board")
        show_study_notices()
        st.error(f"The URL can't be shown: {escape_markdown(error)}.", icon=":material/error:")
        st.button("Start over", key="start over", on_click=location.replace_all, args=({},))
        return
    node = get_node(tree)
    show_heading(origin, tree, node)
    line = follow_line(tree, node)
    positions = list_positions(tree, line)
    position = positions[line.index(node) + 1 if node else 0]
    picture, words = st.columns([6, 6], gap="medium")
    with picture:
        show_board(origin, tree, node, line, positions)
    with words:
        outlook = st.empty()
        with outlook:
            show_outlook(position)
        show_move_tree(tree, node, key="moves", on_node=show_node)
        show_node_tools(origin, tree, node)
        show_draw_switch()
        was_proven = is_proven_win(position)
        show_facts(origin, tree, node, position)
        if is_proven_win(position) and not was_proven:
            with outlook:  # the search of a tab has found it just now
                show_outlook(position)
    show_studies()


def get_node(tree: MoveTree) -> int:
    """Return the node in the URL: its number, or the number of plies of the game that the tree began with; by default the start."""
    node, plies = parse_number(get_value("at")), parse_number(get_value("ply"))
    check_value("at", is_known=node is not None and node < len(tree))
    if node is not None:
        return min(node, len(tree) - 1)
    main = [0, *follow_line(tree, 0)]
    return main[min(plies or 0, len(main) - 1)]


def show_heading(origin: Origin, tree: MoveTree, node: int) -> None:
    """Show the title, what the tree began with, and the menus."""
    st.title(escape_markdown(origin.title) if origin.study else "Analysis board")
    show_study_notices()
    show_begun()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if origin.study:
            st.badge("study", color="blue", icon=":material/school:")
        show_start_form()
        show_study_tools(origin, tree, node)
        if origin.game:
            st.page_link(
                "views/game.py",
                label=escape_markdown(origin.title),
                icon=":material/hexagon:",
                query_params={"id": origin.game},
            )
        names = " – ".join(
            escape_markdown(origin.facts[name]) for name in ("player1", "player2") if name in origin.facts
        )
        if names and not origin.game:
            st.caption(names)
        if is_changed():
            st.caption("Unsaved: the URL has the changes." if not is_held() else "")
    if origin.problem:
        st.warning(f"Only the legal moves are shown: {escape_markdown(origin.problem)}", icon=":material/warning:")
    if origin.is_gone:
        st.warning(
            f"The study {escape_markdown(origin.title)} was deleted. Only this window has its moves: save them as a study to keep them.",
            icon=":material/warning:",
        )
    if is_held():
        st.warning(
            "These moves are too long for the URL: only this window has them. Save them as a study, or download them under Export.",
            icon=":material/link_off:",
        )


def show_board(origin: Origin, tree: MoveTree, node: int, line: list[int], positions: list[Position]) -> None:
    """Show the board with the line through the node; a click plays a move after it."""
    is_drawing = bool(st.session_state.get(DRAW_KEY))
    points = places(tree.start.board)
    show_line(
        positions,
        [tree.nodes[one].move for one in line],
        key="analysis",
        ply=line.index(node) + 1 if node else 0,
        names=(origin.facts.get("player1", "Player 1"), origin.facts.get("player2", "Player 2")),
        on_move=lambda move: play_move(origin, tree, node, move),
        on_ply=lambda ply: show_node(str([0, *line][min(int(ply), len(line))])),
        drawings=[draw_shapes(split_drawings(tree.nodes[one].comment)[1], points) for one in (0, *line)],
        on_drawing=(lambda rings: toggle_drawing(origin, tree, node, rings)) if is_drawing else None,
    )
    position = positions[line.index(node) + 1 if node else 0]
    if position.legal_moves() == [PASS]:
        st.button(
            "Pass", icon=":material/skip_next:", key="pass", on_click=play_move, args=(origin, tree, node, str(PASS))
        )


def show_node(node: str) -> None:
    """Show the position after a node."""
    location.set_values(at=node, ply=None)


def show_draw_switch() -> None:
    """Draw the switch between moves and drawings on the board."""
    st.toggle(
        "Draw circles and arrows",
        key=DRAW_KEY,
        help="Click a ring twice for a circle, two rings for an arrow; once more removes it. They are saved with the comment.",
    )


def show_facts(origin: Origin, tree: MoveTree, node: int, position: Position) -> None:
    """Show what is known of the position, in tabs."""
    show_tabs(
        "about",
        {
            "Played here": lambda: show_played(position, lambda move: play_move(origin, tree, node, move)),
            "Forced win": lambda: show_forced_win(position, lambda moves: add_line(origin, tree, node, moves)),
            "Engine": lambda: show_engine(origin, tree, node, position),
            "Legal moves": lambda: show_moves(position),
        },
    )


def play_move(origin: Origin, tree: MoveTree, node: int, move: str) -> None:
    """Play a move after the node that is shown: a new one makes a variation."""
    change_tree(origin, tree, node, lambda tree, node: add_move(tree, node, move))


def add_line(origin: Origin, tree: MoveTree, node: int, moves: Sequence[str]) -> None:
    """Add a line after the node that is shown, which stays."""
    change_tree(origin, tree, node, lambda tree, node: (add_moves(tree, node, moves)[0], node))


show_page()
