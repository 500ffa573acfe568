"""Choose puzzles: by level, theme, length, and the player who missed them; and the puzzle of the day as a card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import streamlit as st

from zertz_db.dashboards.components import location
from zertz_db.dashboards.components.gallery import Card, show_gallery
from zertz_db.dashboards.state.database import get_database
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.puzzle_progress import forget_seen, get_rating, list_seen
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.queries.filters.coverage import describe_coverage
from zertz_db.queries.puzzles.next_puzzle import choose_puzzle
from zertz_db.queries.puzzles.one_puzzle import Puzzle, find_daily
from zertz_db.queries.puzzles.puzzle_list import list_puzzles
from zertz_db.queries.puzzles.selection import Selection
from zertz_db.tactics.puzzles.themes import THEMES

LEVELS: Mapping[str, int | None] = {"like my rating": None, "easy": 1050, "medium": 1300, "hard": 1700}
"""Levels with the difficulty of their puzzles; a third of real puzzles is below 1220, a third above 1400."""
LENGTHS = ("any", "3", "5", "7")
ANY = "any"
LEVEL_HELP = "Difficulties are numbers, as ratings of players are: you solve half of the puzzles with your own number."
LENGTH_HELP = "Plies up to the win: the turns of both players count."
THEME_HELP = ". ".join(f"{name}: {definition}" for name, definition in THEMES.items()) + "."


def choose_selection(on_change: Callable[[], None]) -> tuple[Selection, str]:
    """Draw the choices in the sidebar; return the conditions on puzzles, and the level. The URL has them.

    on_change: called when the visitor changes one of them.
    """
    with st.sidebar:
        level, length, theme = (
            location.bind_select(label, name, options, on_change=on_change, help=escape_markdown(about))
            for label, name, options, about in (
                ("Level", "level", [*LEVELS], LEVEL_HELP),
                ("Plies", "length", LENGTHS, LENGTH_HELP),
                ("Theme", "theme", [ANY, *THEMES], THEME_HELP),
            )
        )
        missed_by: str = location.bind_widget(
            "missed_by",
            lambda key, first: (
                st.text_input(
                    "Missed by",
                    first,
                    key=key,
                    on_change=on_change,
                    placeholder="a player's name",
                    help="Only puzzles that this player had in a game and missed.",
                )
                or ""
            ),
            default="",
        )
    themes = () if theme == ANY else (theme,)
    return Selection(themes=themes, length=None if length == ANY else int(length), missed_by=missed_by), level


def find_next(selection: Selection, level: str, ratings: Mapping[str, float]) -> Puzzle | None:
    """Return a puzzle that this session has not seen; report if there is none. QueryError."""
    database = get_database()
    difficulty = LEVELS[level] or get_rating().rating
    found = choose_puzzle(database, selection, difficulty=difficulty, seen=list_seen(), ratings=ratings)
    if found is None:
        if list_puzzles(database, selection, 1).rows:
            st.info("You have seen all of these puzzles.", icon=":material/done_all:")
            st.button("Show them again", key="show again", icon=":material/replay:", on_click=forget_seen)
        else:
            more = describe_coverage(database) or ""
            st.info(escape_markdown(f"There are no such puzzles. {more}"), icon=":material/extension:")
    return found


def show_daily_puzzle() -> None:
    """Draw a card of today's puzzle, if there is one."""
    day = datetime.now(UTC).date()
    puzzle = run_query(find_daily, day)
    if puzzle is None:
        return
    st.subheader("Puzzle of the day")
    lines = [f"Win within {puzzle.length} plies", f"grade {puzzle.grade}, difficulty {puzzle.difficulty}"]
    card = Card(
        puzzle.position, f"Player {puzzle.position.side} to move", lines, page="puzzles", query={"id": puzzle.id}
    )
    show_gallery([card], key="puzzle of the day", label="Puzzle of the day", width=150)
