"""Show the forced win of a position: a button to search for it, the answer in a sentence, the line, and all winning moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from zertz_db.dashboards.components.gallery import Card, show_gallery
from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.state.bounded_work import WorkLimitExceeded
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.session_work import cache_in_session, is_cached, read_cached
from zertz_db.errors import UserMistake
from zertz_db.plurals import format_count
from zertz_db.queries.result import Column, Result
from zertz_db.rules.position import Position
from zertz_db.tactics.bounded_search import DEPTH, MAX_DEPTH, answer, ask, warm_up
from zertz_db.tactics.solver import Solution, WinningClass

NODES = 100_000
DEPTHS = tuple(range(3, MAX_DEPTH + 1, 2))
DEPTH_KEY = "plies to search"
BOARD_WIDTH = 170
"""Minimum width of a board of the line, in pixels."""
REMEDY = "Try fewer plies, or use `zertz solve`."
COMPILING = "Loading the search; the first time on a machine it is compiled …"
COMPILE_SECONDS = 300
"""Maximum seconds to compile or load the search: on an idle machine 14, on a busy one more."""
COLUMNS = (
    Column("move", "one of the moves of its class"),
    Column("class", "placements by marble and ring, captures by start, landing and jumped rings"),
    Column("plies", "length of the win"),
)


def show_forced_win(position: Position, on_line: Callable[[Sequence[str]], None] | None = None) -> None:
    """Show a button that searches this position, and the result once it was searched in this session.

    on_line: takes the moves of the win at a click on a button.
    """
    try:
        ask(position)
    except UserMistake as error:
        st.write(escape_markdown(f"It can't be solved: {error}."))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        depth = st.selectbox(
            "Maximum plies",
            DEPTHS,
            DEPTHS.index(DEPTH),
            key=DEPTH_KEY,
            width=140,
            persist_state="page",
            help="Maximum length of the win. Each move counts as one ply, also a chain of jumps.",
        )
        key = _key(position, depth)
        is_wanted = st.button("Solve this position", key="solve position", icon=":material/psychology:")
    if not is_wanted and not is_cached(key):
        st.caption(
            f"It searches up to {NODES:,} positions for a win that beats every defence. "
            "The first search on a machine takes longer: it is compiled."
        )
        return
    try:
        cache_in_session(("compiled search",), COMPILING, warm_up, seconds=COMPILE_SECONDS, remedy=REMEDY)
        found = cache_in_session(key, "Searching …", answer, ask(position, depth, NODES), remedy=REMEDY)
    except WorkLimitExceeded as error:
        st.error(escape_markdown(error), icon=":material/error:")
        return
    show_solution(position, found.solution)
    if on_line and found.solution.line:
        st.button(
            "Add the line to the moves",
            key="add line",
            icon=":material/playlist_add:",
            on_click=on_line,
            args=(found.solution.line,),
        )


def is_proven_win(position: Position) -> bool:
    """Return whether a search of this session has found a forced win of the side to move."""
    found = (read_cached(_key(position, depth)) for depth in DEPTHS)
    return any(answered is not None and answered.solution.forced for answered in found)


def _key(position: Position, depth: int) -> tuple[object, ...]:
    return ("forced win", position.text, depth)


def show_solution(position: Position, solution: Solution) -> None:
    """Show the answer; of a win also the line with its boards, and the winning moves."""
    line = play_line(position, solution.line)
    st.markdown(f"**{escape_markdown(describe_solution(solution, line))}**")
    if not solution.forced:
        st.caption("Only wins are searched in which each placement of the winner leaves the opponent a capture.")
        return
    show_gallery(build_cards(solution, line), key="line of the forced win", width=BOARD_WIDTH, label="The line")
    if not solution.line_is_whole:
        st.caption("The limit was reached before the rest of the line was found.")
    several = format_count(len(solution.winning), "class of moves wins", "classes of moves win")
    more = "" if solution.winning_is_complete else "; perhaps more, the limit was reached"
    st.caption(f"{several}{more}.")
    show_table(list_winning_moves(solution.winning))


def describe_solution(solution: Solution, line: Sequence[Position]) -> str:
    """Return the answer as a sentence: what is forced, or what was searched.

    line: the position, and those after each move of the line.
    """
    if not solution.forced:
        searched = format_count(solution.nodes, "position")
        if solution.complete_to < solution.depth:
            searched += f" searched, completely to {format_count(solution.complete_to, 'ply', 'plies')}"
        else:
            searched += " searched completely"
        return f"None found within {format_count(solution.depth, 'ply', 'plies')} ({searched})."
    sets = " and ".join(line[-1].winning_sets) if solution.line_is_whole else ""
    goal = f": {sets} against the longest defence" if sets else ""
    return f"Player {line[0].side} can force a win in {format_count(solution.forced, 'ply', 'plies')}{goal}."


def play_line(position: Position, moves: Sequence[str]) -> list[Position]:
    """Return a position, and those after each of these moves."""
    found = [position]
    for move in moves:
        found.append(found[-1].play(move))
    return found


def build_cards(solution: Solution, line: Sequence[Position]) -> list[Card]:
    """Return a small board for each move of the line; it opens the search for that position."""
    return [
        Card(
            after,
            f"{number}. {move}",
            [f"Player {before.side}"],
            move,
            page="find",
            query={"what": after.text, "forced": "true"},
        )
        for number, (before, after, move) in enumerate(zip(line, line[1:], solution.line, strict=False), 1)
    ]


def list_winning_moves(winning: Sequence[WinningClass]) -> Result:
    """Return the winning moves as a table."""
    return Result(COLUMNS, [(one.example, str(one.kind), one.plies) for one in winning])
