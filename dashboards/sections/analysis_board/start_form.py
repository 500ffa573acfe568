"""Choose what the analysis board begins with: an empty board, a position, or the text of a game."""

from __future__ import annotations

import streamlit as st

from dashboards.components import location
from dashboards.sections.analysis_board.url_tree import open_tree
from dashboards.state import notices
from dashboards.state.bounded_work import WorkLimitExceeded, run_bounded
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.notices import Notice
from zertz_db.errors import ZertzError
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.rule_sets import RULE_SETS
from zertz_db.variations.notation import read_text

BEGUN = "what the board began with"
"""Place of the notice about a pasted text."""
TEXT_KEY, BOARD_KEY, RULES_KEY = "text to analyse", "board to analyse", "rules to analyse"
SECONDS = 20.0
"""Maximum seconds to read a text."""
PLACEHOLDER = "37 standard oooo/ooooo/…\n\nor\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5"


def show_start_form() -> None:
    """Draw a menu with the starts. Links on other pages lead here with theirs."""
    with st.popover("New", icon=":material/add:", help="Begin with another position or game"):
        st.markdown("**An empty board**")
        st.segmented_control("Board", STANDARD_BOARDS, default=STANDARD_BOARDS[0], required=True, key=BOARD_KEY)
        st.segmented_control("Rule set", [*RULE_SETS], default=next(iter(RULE_SETS)), required=True, key=RULES_KEY)
        st.button("Empty board", key="begin empty", icon=":material/hexagon:", on_click=begin_empty)
        st.markdown("**A position or a game**")
        st.text_area(
            "Position string, or a game in any dialect",
            key=TEXT_KEY,
            placeholder=PLACEHOLDER,
            help="Variations, comments and marks of official notation become a tree.",
        )
        st.button("Open it", key="begin with text", icon=":material/content_paste:", on_click=begin_with_text)


def begin_empty() -> None:
    """Show the chosen empty board."""
    notices.remove_notice(BEGUN)
    location.replace_all({"board": [st.session_state[BOARD_KEY]], "rules": [st.session_state[RULES_KEY]]})


def begin_with_text() -> None:
    """Show the position or the game of the text."""
    text = st.session_state[TEXT_KEY].strip()
    if not text:
        st.toast("Paste a position or a game first.", icon=":material/content_paste:")
        return
    try:
        found = run_bounded(read_text, text, seconds=SECONDS, remedy="Paste one game alone.")
    except (ZertzError, WorkLimitExceeded) as error:
        notices.set_notice(BEGUN, Notice(f"This text can't be opened: {error}", is_error=True))
        return
    notices.remove_notice(BEGUN)
    if found.problem:
        notices.set_notice(BEGUN, Notice(f"Only its legal moves are shown: {found.problem}", is_error=True))
    open_tree(found)
    st.toast(escape_markdown(f"{len(found.tree) - 1:,} moves, with variations."), icon=":material/account_tree:")
