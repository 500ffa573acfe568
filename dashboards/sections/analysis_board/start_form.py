"""Choose what the analysis board begins with: an empty board, a position, or the text of a game."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.components import location
from zertz_db.dashboards.sections.analysis_board.url_tree import list_origin, open_tree
from zertz_db.dashboards.state import notices
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded, run_bounded
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.notices import Notice
from zertz_db.errors import ZertzError
from zertz_db.plurals import format_count
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.rule_sets import RULE_SETS
from zertz_db.variations.notation import read_text

BEGUN = "what the board began with"
"""Place of the notice about a pasted text."""
BEGUN_KEY = "what the board began with at the notice"
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
        set_begun(f"This text can't be opened: {error}")
        return
    open_tree(found)
    notices.remove_notice(BEGUN)
    if found.problem:
        set_begun(f"Only its legal moves are shown: {found.problem}")
    st.toast(
        escape_markdown(f"Opened with {format_count(len(found.tree) - 1, 'move')}."), icon=":material/account_tree:"
    )


def set_begun(error: str) -> None:
    """Set the notice about a pasted text; it belongs to what the board began with."""
    notices.set_notice(BEGUN, Notice(error, is_error=True))
    st.session_state[BEGUN_KEY] = list_origin()


def show_begun() -> None:
    """Show the notice about a pasted text, until the board begins with something else."""
    if st.session_state.get(BEGUN_KEY) != list_origin():
        notices.remove_notice(BEGUN)
    notices.show_notice(BEGUN)
