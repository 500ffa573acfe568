"""Show players, result and facts of a game above its board, each with a link."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.components.location import build_link
from zertz_db.dashboards.sections.filter_bar import build_term
from zertz_db.dashboards.sections.game_page.links import build_openings_query
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.plurals import format_count
from zertz_db.queries.games.one_game import Game
from zertz_db.queries.openings.names import first_move, opening_name

FILTERED = {"date": "date", "event": "event", "site": "site", "board": "board", "rule_set": "rules"}
"""Facts that link to a list of games, and their fields of the filter language."""


def describe_game(game: Game) -> str:
    """Return players and year, for titles."""
    row = game.row
    year = (row["date"] or "")[:4]
    return f"{row['player1'] or '?'}–{row['player2'] or '?'} {year if year.isdigit() else ''}".strip()


def show_heading(game: Game) -> None:
    """Show players, result and facts."""
    row = game.row
    st.title(f"{build_player_link(row['player1'])} – {build_player_link(row['player2'])}")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.badge(game.outcome, color="blue")
        if row["verdict"] == Verdict.VERIFIED:
            st.badge(row["verdict"], color="green", icon=":material/check:")
        else:
            st.badge(row["verdict"], color="orange")
        if game.findings.rows:
            st.badge(format_count(len(game.findings.rows), "finding"), color="gray")
        st.caption(build_facts(game))
    if row["result"] is None and row["result_claimed"] and row["result_computed"]:
        st.warning(f"The result is disputed: {escape_markdown(game.outcome)}.", icon=":material/balance:")


def build_player_link(name: str | None) -> str:
    """Return a link to a player's profile in Markdown; a question mark for an unknown player."""
    return build_link(name, "players", {"player": name}) if name else "?"


def build_facts(game: Game) -> str:
    """Return the facts of a game in one line of Markdown, with links to the games that share them."""
    row = game.row
    labels = {"board": f"board {row['board']}"}
    linked = {
        name: build_link(labels.get(name, row[name]), "games", {"filter": build_term(field, row[name])})
        for name, field in FILTERED.items()
        if row[name] and "?" not in str(row[name])
    }
    plain = {name: escape_markdown(row[name]) for name in ("date", "event", "site") if row[name]}
    shown = {**plain, **linked, "round": row["round"] and f"round {escape_markdown(row['round'])}"}
    parts = [shown.get(name) for name in ("date", "event", "site", "round", "board", "rule_set")]
    return " · ".join(filter(None, [*parts, build_opening(game), format_count(row["plies"], "ply", "plies")]))


def build_opening(game: Game) -> str:
    """Return a link to the opening tree after the first move; "" without one."""
    query = build_openings_query(game, 1) if game.moves else None
    move = first_move(game.positions[1]) if query else None
    return build_link(opening_name(game.positions[0], move), "openings", query) if query and move else ""
