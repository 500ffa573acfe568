"""Show what was played in the position on the board of a game: a step in this game, or a link to the opening tree."""

from __future__ import annotations

from typing import Any

import streamlit as st

from zertz_db.dashboards.components.listing import RESULTS_TITLE, Column, Row, build_results, show_listing
from zertz_db.dashboards.components.location import set_values
from zertz_db.dashboards.sections.game_page.links import build_analysis_query, build_openings_query
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.games.one_game import Game
from zertz_db.queries.openings.tree import find_openings
from zertz_db.rules.canonical import move_code

MAX_SHOWN, MAX_SOUGHT = 12, 200
"""Maximum number of continuations in the list, besides this game's own, and of those among which that is sought."""
COLUMNS = (
    Column("Move", "code", help="turned as this position; moves that the board's symmetry makes equal are one"),
    Column("Games", "number"),
    Column(RESULTS_TITLE, "results", help="a tie counts half"),
    Column("First", "quiet", wide=True, help="date of the first of these games, and the player who made the move"),
    Column("Last", "quiet", wide=True, help="latest date"),
    Column("", "quiet"),
)


def show_explorer(game: Game, ply: int) -> None:
    """Show links that go on from the position after a number of plies, and its continuations in all games."""
    position = game.positions[ply]
    found = None if position.is_over else run_query(find_openings, position=position.text, limit=MAX_SOUGHT)
    others = found.games - 1 if found else 0
    show_header(game, ply, others)
    if found is None or others < 1:
        return
    moves = [row for row in found.continuations.dicts() if row["move"]]
    own = next((row for row in moves if is_next(game, ply, row["move"])), None)
    shown = moves[:MAX_SHOWN]
    if own is not None and own not in shown:
        shown.append(own)
    if shown:
        show_listing(
            COLUMNS,
            [build_row(game, ply, row, row is own) for row in shown],
            key="played here",
            label="Played here",
            height=300,
            on_row=lambda shown_ply: set_values(ply=shown_ply),
        )


def show_header(game: Game, ply: int, others: int) -> None:
    """Draw the heading of the list, and links to the opening tree and to the analysis board. others: number of other games."""
    query = build_openings_query(game, ply)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if others > 0:
            st.markdown(
                f"**Played here**, in {format_count(others, 'other game')}, turned or mirrored too", width="content"
            )
        elif not game.positions[ply].is_over:
            st.markdown("**Played here**, in this game only", width="content")
        st.space("stretch")
        if query is not None:
            st.page_link(
                "views/openings.py", label="Openings from here", icon=":material/account_tree:", query_params=query
            )
        st.page_link(
            "views/analysis.py",
            label="Analyse from here",
            icon=":material/biotech:",
            query_params={"game": game.id, "ply": str(ply)},
        )


def build_row(game: Game, ply: int, row: dict[str, Any], is_own: bool) -> Row:
    """Return the row of a continuation: the next ply of this game (is_own) is a step, all others are links."""
    move = row["move"]
    values = (
        move,
        f"{row['games']:,}",
        build_results(row, "score", "score_low", "score_high"),
        describe_first(row),
        row["last_date"] and str(row["last_date"]),
        "this game" if is_own else "",
    )
    if is_own:
        return Row(str(ply + 1), values)
    query = build_openings_query(game, ply, [move])
    if query is not None:
        return Row(move, values, "openings", query)
    return Row(move, values, "analysis", build_analysis_query(game.positions[ply].play(move, lenient=True)))


def describe_first(row: dict[str, Any]) -> str | None:
    """Return the date and the player of the first game with a continuation, as plain text."""
    return " ".join(str(part) for part in (row["first_date"], row["first_player"]) if part) or None


def is_next(game: Game, ply: int, move: str) -> bool:
    """Return whether a move is the next ply of a game, turned or mirrored as the position allows."""
    if ply >= len(game.moves):
        return False
    position = game.positions[ply]
    codes = (move_code(position, position.move(text, lenient=True)) for text in (move, game.moves[ply]))
    return len({*codes}) == 1
