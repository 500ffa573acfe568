"""Show what is known of the position on the analysis board: its moves, an estimate, and what was played in it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from zertz_db.dashboards.components.board_frames import draw_preview
from zertz_db.dashboards.components.listing import RESULTS_TITLE, Column, Row, build_results, show_listing
from zertz_db.dashboards.sections.forced_win import is_proven_win
from zertz_db.dashboards.state.callbacks import Callback
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.errors import ZertzError
from zertz_db.plurals import format_count
from zertz_db.queries.openings.tree import find_openings
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.tactics.win_chance.score import win_chance

MAX_CONTINUATIONS = 50
CHANCE_DEPTH, CHANCE_NODES = 1, 100
"""Limits of the search for a forced win before an estimate: the estimate itself finds those in one and three plies."""
COLUMNS = (
    Column(
        "Move", "code", help="turned as this position; the pointer or the focus on a row shows the move on the board"
    ),
    Column("Games", "number"),
    Column(RESULTS_TITLE, "results", help="a tie counts half"),
    Column("Last", "quiet", wide=True, help="latest date"),
)


def show_outlook(position: Position) -> None:
    """Show the side to move, the number of legal moves, and the estimated win chance in one line."""
    if position.is_over:
        winner = f"Player {position.winner} has won" if position.winner else "Nobody has won"
        sets = f" with {' and '.join(position.winning_sets)}" if position.winning_sets else ""
        st.caption(f"The game is over. {escape_markdown(f'{winner}{sets}')}.")
        return
    count = sum(1 for _ in position.each_move())
    parts = [f"Player {position.side} to move", f"**{format_count(count, 'legal move')}**", describe_chance(position)]
    st.caption(" · ".join(filter(None, parts)), help="The win chance is learned from results of games, and no proof.")


def describe_chance(position: Position) -> str:
    """Return the win chance of the side to move in words, by proof if there is one; "" if it can't be estimated."""
    if is_proven_win(position):
        return f"player {position.side} wins by force"
    try:
        found = _estimate(position.text)
    except ZertzError:
        return ""
    if found is None:
        return ""
    chance, low, high = found
    if chance in (0.0, 1.0):
        return f"player {position.side} {'wins' if chance else 'loses'} by force"
    interval = "" if (low, high) == (0.0, 1.0) else f" ({100 * low:.0f} to {100 * high:.0f} %)"
    return f"estimated win chance of player {position.side}: **{100 * chance:.0f} %**{interval}"


@st.cache_data(max_entries=500, show_spinner=False)
def _estimate(position: str) -> tuple[float, float, float] | None:
    """Return a win chance with its interval."""
    found = win_chance(Position.parse(position), depth=CHANCE_DEPTH, nodes=CHANCE_NODES, interpreted=True)
    return found.chance, found.low, found.high


def show_played(position: Position, on_move: Callback) -> None:
    """Show what was played in this position, turned or mirrored too. on_move: takes the clicked move."""
    if position.is_over:
        st.write("The game is over here.")
        return
    found = run_query(_find_continuations, position.text)
    if found.absence:
        st.write("No game has this position, also not turned or mirrored.")
        return
    st.caption(
        f"{format_count(found.games, 'game')} with this position, turned or mirrored too. A click plays the move."
    )
    rows = [build_row(position, row) for row in found.continuations.dicts() if row["move"]]
    if not rows:
        st.write("They all ended here.")
        return
    show_listing(COLUMNS, rows, key="played here", label="Played here", height=420, on_row=on_move)
    st.page_link(
        "views/search.py",
        label="These games, and other ways to search",
        icon=":material/search:",
        query_params={"what": position.text},
    )


def build_row(position: Position, row: dict[str, Any]) -> Row:
    """Return a row of the list, with its move as a drawing for the board."""
    move = row["move"]
    values = (
        move,
        f"{row['games']:,}",
        build_results(row, "score", "score_low", "score_high"),
        row["last_date"] and str(row["last_date"]),
    )
    return Row(move, values, preview=draw_preview(position, move))


def _find_continuations(database: Database, position: str) -> Any:
    return find_openings(database, position=position, limit=MAX_CONTINUATIONS)
