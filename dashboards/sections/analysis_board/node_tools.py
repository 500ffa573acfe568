"""Annotate the move that is shown, and change its place in the tree."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboards.components.location import seed_widget
from dashboards.sections.analysis_board.url_tree import Origin, store_tree
from dashboards.state.markdown_text import escape_markdown
from zertz_db.errors import ZertzError
from zertz_db.plurals import format_count
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
TYPING_DELAY = "500ms"
"""Delay after a key until a typed comment counts."""
Change = Callable[[MoveTree, int], tuple[MoveTree, int]]
"""A function that takes a tree and the node shown, and returns both changed."""


def show_node_tools(origin: Origin, tree: MoveTree, node: int) -> None:
    """Draw the marks and the comment of a node, and buttons to remove it or to make it the main line."""
    one = tree.nodes[node]
    subject = f"{escape_markdown(one.move)}" if node else "the start"
    key = f"{node} {hash((one.parent, one.move)) % 10_000}"
    if node:
        mark = next((mark for mark in one.marks if mark in MARKS), None)
        key_of_marks = f"marks of {key}"
        seed_widget(key_of_marks, mark)
        st.session_state[key_of_marks] = mark
        st.segmented_control(
            f"Mark of {subject}",
            MARKS,
            default=mark,
            key=key_of_marks,
            format_func=escape_markdown,
            on_change=save_mark,
            args=(origin, tree, node, key_of_marks),
            help=", ".join(f"{escape_markdown(mark)} {name}" for mark, name in MARK_NAMES.items()),
        )
    key_of_comment = f"comment on {key}"
    first = seed_widget(key_of_comment, one.comment)
    st.text_area(
        f"Comment on {subject}",
        first,
        key=key_of_comment,
        height=70,
        max_chars=MAX_COMMENT,
        live=TYPING_DELAY,
        on_change=save_comment,
        args=(origin, tree, node, key_of_comment),
    )
    with st.container(horizontal=True, gap="small"):
        if node and not is_on_main_line(tree, node):
            st.button(
                "Make it the main line",
                icon=":material/vertical_align_top:",
                key="promote",
                on_click=change_tree,
                args=(origin, tree, node, promote_line),
            )
        if node:
            count = find_end(tree, node) - node
            st.button(
                "Delete this move" if count == 1 else f"Delete {format_count(count, 'move')} from here",
                icon=":material/delete:",
                key="delete",
                on_click=change_tree,
                args=(origin, tree, node, remove_move),
            )


def change_tree(origin: Origin, tree: MoveTree, node: int, change: Change) -> None:
    """Change the tree; show an error instead if that is not possible."""
    try:
        store_tree(origin, *change(tree, node))
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")


def save_mark(origin: Origin, tree: MoveTree, node: int, key: str) -> None:
    """Save the chosen mark; marks of other kinds stay."""
    others = [mark for mark in tree.nodes[node].marks if mark not in MARKS]
    chosen = st.session_state.get(key)
    marks = [chosen, *others] if chosen else others
    change_tree(origin, tree, node, lambda tree, node: (annotate_move(tree, node, marks=marks), node))


def save_comment(origin: Origin, tree: MoveTree, node: int, key: str) -> None:
    """Save the typed comment."""
    text = st.session_state[key]
    change_tree(origin, tree, node, lambda tree, node: (annotate_move(tree, node, comment=text), node))
