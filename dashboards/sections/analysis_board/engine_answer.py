"""Let the engine play the next move, in a process of its own."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.sections.analysis_board.node_tools import change_tree
from zertz_db.dashboards.sections.analysis_board.url_tree import Origin
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.session_work import cache_in_session
from zertz_db.engine.choose import Choice, choose_move
from zertz_db.engine.strengths import STRENGTHS
from zertz_db.errors import ZertzError
from zertz_db.plurals import format_count
from zertz_db.rules.position import Position
from zertz_db.variations.move_tree import MoveTree, add_move

STRENGTH_KEY, LAST_KEY = "strength of the engine", "last move of the engine"
SEED = 1
"""Seed of the engine: it answers a position with the same move again."""
REMEDY = "Try a weaker strength."
SECONDS = 300
"""Maximum seconds: the first move on a machine is compiled, which takes a minute on a busy one. Others take a second."""


def show_engine(origin: Origin, tree: MoveTree, node: int, position: Position) -> None:
    """Draw a choice of strengths, and a button that lets the engine play the next move; then what it saw."""
    if position.is_over:
        st.write("The game is over here.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = [*STRENGTHS]
        strength = st.segmented_control(
            "Strength", names, default="medium", required=True, key=STRENGTH_KEY, persist_state="page"
        )
        is_wanted = st.button("Let the engine answer", key="engine", icon=":material/smart_toy:")
    strength = strength or "medium"
    st.caption(escape_markdown(f"{strength.capitalize()}: {STRENGTHS[strength].summary}."))
    shown, last = st.session_state.get(LAST_KEY, ("", ""))
    if shown == position.text:
        st.write(escape_markdown(last))
    if not is_wanted:
        return
    try:
        found = cache_in_session(
            ("engine", position.text, strength),
            "The engine thinks; its first move on a machine takes longer: it is compiled …",
            choose_move,
            position,
            strength,
            SEED,
            seconds=SECONDS,
            remedy=REMEDY,
        )
    except (WorkLimitExceeded, ZertzError) as error:
        st.error(escape_markdown(error), icon=":material/error:")
        return
    answer = f"The engine played {found.notation}: {describe_choice(found)}."
    st.session_state[LAST_KEY] = position.play(found.notation).text, answer
    change_tree(origin, tree, node, lambda tree, node: add_move(tree, node, found.notation))
    st.rerun()


def describe_choice(found: Choice) -> str:
    """Return in words what the engine saw."""
    if found.forced:
        return f"the first move of a forced win in {found.forced} plies"
    if not found.depth:
        return "no search was needed or finished"
    return f"{format_count(found.nodes, 'position')} searched, to depth {found.depth}"
