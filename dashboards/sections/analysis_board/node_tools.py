"""Annotate the move that is shown, and change its place in the tree."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from zertz_db.dashboards.components.location import seed_widget
from zertz_db.dashboards.sections.analysis_board.url_tree import Origin, load_tree, store_tree
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.errors import ZertzError
from zertz_db.variations.drawings import join_drawings, split_drawings, toggle_shape
from zertz_db.variations.move_tree import (
    MARKS,
    MAX_COMMENT,
    MoveTree,
    annotate_move,
    find_end,
    is_on_main_line,
    promote_line,
    remove_move,
)

MARK_NAMES = dict(zip(MARKS, ("good", "bad", "very good", "very bad", "interesting", "dubious"), strict=True))
Change = Callable[[MoveTree, int], tuple[MoveTree, int]]
"""A function that takes a tree and the node shown, and returns both changed."""


def show_node_tools(origin: Origin, tree: MoveTree, node: int) -> None:
    """Draw the marks and the comment of a node, and buttons to remove it or to make it the main line."""
    one = tree.nodes[node]
    subject = escape_markdown(one.move) if node else "the start"
    key = f"{node} {one.parent} {one.move}"
    if node:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            show_marks(origin, tree, node, f"marks of {key}")
            show_buttons(origin, tree, node)
    key_of_comment = f"comment on {key}"
    first = seed_widget(key_of_comment, split_drawings(one.comment)[0])
    st.text_area(
        f"Comment on {subject}",
        first,
        key=key_of_comment,
        height=70,
        max_chars=MAX_COMMENT,
        on_change=save_comment,
        args=(origin, tree, node, key_of_comment),
    )


def show_marks(origin: Origin, tree: MoveTree, node: int, key: str) -> None:
    """Draw the marks that judge a move, to choose one."""
    mark = next((mark for mark in tree.nodes[node].marks if mark in MARKS), None)
    first = seed_widget(key, mark)
    st.segmented_control(
        "Mark",
        MARKS,
        default=first,
        key=key,
        format_func=escape_markdown,
        label_visibility="collapsed",
        on_change=save_mark,
        args=(origin, tree, node, key),
        help=", ".join(f"{escape_markdown(mark)} {name}" for mark, name in MARK_NAMES.items()),
    )


def show_buttons(origin: Origin, tree: MoveTree, node: int) -> None:
    """Draw buttons that change the place of a move."""
    if not is_on_main_line(tree, node):
        st.button(
            "Main line",
            icon=":material/vertical_align_top:",
            key="promote",
            help="Make this variation the main line",
            on_click=change_tree,
            args=(origin, tree, node, promote_line),
        )
    count = find_end(tree, node) - node
    st.button(
        "Delete" if count == 1 else f"Delete {count:,}",
        icon=":material/delete:",
        key="delete",
        help="Delete this move and all moves after it",
        on_click=change_tree,
        args=(origin, tree, node, remove_move),
    )


def change_tree(origin: Origin, tree: MoveTree, node: int, change: Change) -> None:
    """Change the tree that the page showed; show an error instead if that is not possible.

    Notes that were saved meanwhile stay. If the moves have changed, the click came late, and nothing is done.
    """
    try:
        current = load_tree(origin)
        if list_moves(current) == list_moves(tree):
            store_tree(origin, *change(current, node))
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")


def toggle_drawing(origin: Origin, tree: MoveTree, node: int, rings: str) -> None:
    """Add a circle or an arrow to a node, or remove it. rings: two with a space between; equal ones make a circle."""
    ring, _, to = rings.partition(" ")
    comment = toggle_shape(tree.nodes[node].comment, ring, "" if to == ring else to)
    change_tree(origin, tree, node, lambda tree, node: (annotate_move(tree, node, comment=comment), node))


def list_moves(tree: MoveTree) -> list[tuple[int, str]]:
    """Return the moves of a tree, each with its parent."""
    return [(node.parent, node.move) for node in tree.nodes]


def save_mark(origin: Origin, tree: MoveTree, node: int, key: str) -> None:
    """Save the chosen mark; marks of other kinds stay."""
    chosen = st.session_state.get(key)
    others = [mark for mark in tree.nodes[node].marks if mark not in MARKS]
    marks = [chosen, *others] if chosen else others
    change_tree(origin, tree, node, lambda tree, node: (annotate_move(tree, node, marks=marks), node))


def save_comment(origin: Origin, tree: MoveTree, node: int, key: str) -> None:
    """Save the typed comment; circles and arrows stay."""
    text = join_drawings(st.session_state[key].strip(), split_drawings(tree.nodes[node].comment)[1])
    change_tree(origin, tree, node, lambda tree, node: (annotate_move(tree, node, comment=text), node))
