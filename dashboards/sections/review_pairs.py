"""Names that may be one player's and games that may be one, to decide on where the dashboard may write."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.components.listing import PAGE_SIZE, Column, Pages, Row, show_listing
from dashboards.components.location import bind_pages, get_number
from dashboards.components.tables import show_table
from dashboards.state.database import WRITE_WAIT, get_database, is_writable
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.query_cache import run_query
from dashboards.state.write_tokens import guard_callback
from zertz_db.edit.claim_names import set_alias
from zertz_db.edit.merge_games import merge_game, split_game
from zertz_db.errors import ZertzError
from zertz_db.queries.duplicates import list_duplicates, merged
from zertz_db.queries.players.player_list import list_aliases
from zertz_db.queries.players.same_player import propose_names

TIERS = "bytes: the same record; game: the same players, date and moves; moves: the same moves; contained: one begins the other"
DUPLICATE_COLUMNS = (
    Column("How sure", "badge", help=TIERS),
    Column("Players"),
    Column("Date", "quiet", wide=True),
    Column("Perhaps the same as", wide=True),
    Column("Of", "quiet", wide=True),
    Column("What speaks for it", "long"),
)  # fmt: skip
MAX_PAIRS = 8
"""So many pairs of names are shown at a time."""


def show_names() -> None:
    """Names that may be one player's, to decide on; what was decided."""
    st.caption(
        "Names that may be one player's: alike, never met, with opponents in common or different in signs only. People decide."
    )
    found = run_query(propose_names).dicts()
    if not found:
        st.info("No two names look like one player's.", icon=":material/check:")
    pages = max(1, -(-len(found) // MAX_PAIRS))
    above = st.container()
    at = bind_pages("pairs", pages)
    with above:
        for row in found[(at - 1) * MAX_PAIRS : at * MAX_PAIRS]:
            show_pair(row)
    said = run_query(list_aliases)
    if said.rows:
        st.subheader("What was decided")
        show_table(said)
    if not is_writable():
        st.caption(
            "To decide here, start the dashboard with `--allow-import`; or `zertz players NAME --is OTHER`, `--is-not`, `--undo`."
        )


def show_pair(row: dict[str, Any]) -> None:
    """Two names, and the decision."""
    name, player = row["name"], row["player"]
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{escape_markdown(name)}** ({row['games']:,}) and **{escape_markdown(player)}**")
            st.caption(escape_markdown(row["evidence"]))
        with st.container(horizontal=True, gap="small", width="content"):
            for label, verdict, icon in (("One player", "accepted", "check"), ("Two players", "rejected", "close")):
                st.button(
                    label, key=f"{verdict} {name} {player}", icon=f":material/{icon}:", disabled=not is_writable(),
                    on_click=guard_callback(save_verdict), args=(name, player, verdict, row["evidence"]),
                )  # fmt: skip


def save_verdict(name: str, player: str, verdict: str, evidence: str) -> None:
    """Say whether two names are one player's."""
    try:
        set_alias(get_database().folder, name, player, verdict, evidence)
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
    else:
        st.toast(
            f"Noted: {escape_markdown(name)} {'is' if verdict == 'accepted' else 'is not'} {escape_markdown(player)}.",
            icon=":material/check:",
        )


def show_duplicates(words: str) -> None:
    """Games that may be one."""
    st.caption(
        "Games that may be one, the surest first. Games that are made one keep all their records, and can be parted again."
    )
    found = run_query(list_duplicates, words).dicts()
    if found:
        show_duplicate_list(found)
    else:
        st.info("No two games look like one.", icon=":material/check:")
    if is_writable():
        show_merge_controls(found)
    elif found:
        st.caption(
            "To make one of two games, start the dashboard with `--allow-import`; or `zertz duplicates --merge ID --into ID`, `--split ID`."
        )


def show_duplicate_list(found: Sequence[dict[str, Any]]) -> None:
    """The pairs, of which each opens the first game."""
    at = get_number("page", -(-len(found) // PAGE_SIZE))
    shown = [
        Row(
            row["game"],
            (row["tier"], row["players"], row["date"], row["other_players"], row["other_date"], row["evidence"]),
            "game",
            {"id": row["game"]},
        )
        for row in found[(at - 1) * PAGE_SIZE : at * PAGE_SIZE]
    ]
    show_listing(DUPLICATE_COLUMNS, shown, key="doubles", pages=Pages(at, len(found)), label="Games that may be one")


def show_merge_controls(found: Sequence[dict[str, Any]]) -> None:
    """Make one game of two, or two again of one."""
    known = run_query(merged).dicts()
    with st.container(horizontal=True, gap="small"):
        if found:
            with st.popover("Make one of two", icon=":material/merge:"):
                pair = st.selectbox("Which two", found, format_func=describe_pair, key="pair to unite")
                named = (pair["game"], pair["other"], pair["evidence"])
                st.button("Make them one", key="unite", type="primary", on_click=guard_callback(merge_pair), args=named)
        if known:
            with st.popover("Part them again", icon=":material/call_split:"):
                one = st.selectbox(
                    "Which one", known, format_func=lambda row: f"{row['game']}, now {row['of']}", key="game to part"
                )
                st.button("Part it", key="part", on_click=guard_callback(split_pair), args=(one["game"],))


def describe_pair(pair: dict[str, Any]) -> str:
    """Two games, as far as one can tell them apart."""
    other = ", ".join(str(part) for part in (pair["other_players"], pair["other_date"], pair["other"]) if part)
    return f"{', '.join(str(part) for part in (pair['players'], pair['date'], pair['game']) if part)} = {other}"


def merge_pair(game: str, of: str, evidence: str) -> None:
    """Let a game be another one."""
    try:
        merge_game(get_database().folder, game, of, getpass.getuser(), evidence, WRITE_WAIT)
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
    else:
        st.toast(f"{escape_markdown(game)} is {escape_markdown(of)} now.", icon=":material/merge:")


def split_pair(game: str) -> None:
    """Let a game be its own again."""
    try:
        parted = split_game(get_database().folder, game, getpass.getuser(), WRITE_WAIT)
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
    else:
        st.toast(f"{escape_markdown(parted.game)} is a game of its own again.", icon=":material/call_split:")
