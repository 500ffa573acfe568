"""Show names that may be one player's and games that may be one; the reader decides if the dashboard may write."""

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

TIERS = (
    "bytes: same record; game: same players, date and moves; moves: same moves; contained: one begins with the other"
)
DUPLICATE_COLUMNS = (
    Column("How sure", "badge", help=TIERS),
    Column("Players"),
    Column("Date", "quiet", wide=True),
    Column("May equal", wide=True),
    Column("Its date", "quiet", wide=True),
    Column("Evidence", "long"),
)  # fmt: skip
MAX_PAIRS = 8
"""Maximum number of pairs of names per page."""


def show_names() -> None:
    """Show names that may be one player's, to decide on; show earlier decisions."""
    st.caption(
        "Names that may be one player's: similar, never opponents, with common opponents or different punctuation. You decide."
    )
    pairs = run_query(propose_names).dicts()
    if not pairs:
        st.info("No two names look like one player's.", icon=":material/check:")
    pages = max(1, -(-len(pairs) // MAX_PAIRS))
    above = st.container()
    at = bind_pages("pairs", pages)
    with above:
        for row in pairs[(at - 1) * MAX_PAIRS : at * MAX_PAIRS]:
            show_pair(row)
    decisions = run_query(list_aliases)
    if decisions.rows:
        st.subheader("Decisions")
        show_table(decisions)
    if not is_writable():
        st.caption(
            "To decide here, start the dashboard with `--allow-import`; or run `zertz players NAME --is OTHER`, `--is-not`, `--undo`."
        )


def show_pair(row: dict[str, Any]) -> None:
    """Show two names with buttons for the decision."""
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
    """Save whether two names are one player's."""
    try:
        set_alias(get_database().folder, name, player, verdict, evidence)
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
    else:
        st.toast(
            f"Noted: {escape_markdown(name)} {'is' if verdict == 'accepted' else 'is not'} {escape_markdown(player)}.",
            icon=":material/check:",
        )


def show_duplicates(filters: str) -> None:
    """Show games that may be one."""
    st.caption("Games that may be one, the surest first. Merged games keep all their records, and can be split again.")
    pairs = run_query(list_duplicates, filters).dicts()
    if pairs:
        show_duplicate_list(pairs)
    else:
        st.info("No two games look alike.", icon=":material/check:")
    if is_writable():
        show_merge_controls(pairs)
    elif pairs:
        st.caption(
            "To merge two games, start the dashboard with `--allow-import`; or run `zertz duplicates --merge ID --into ID`, `--split ID`."
        )


def show_duplicate_list(pairs: Sequence[dict[str, Any]]) -> None:
    """Show the pairs; each row opens the first game."""
    at = get_number("page", -(-len(pairs) // PAGE_SIZE))
    shown = [
        Row(
            row["game"],
            (row["tier"], row["players"], row["date"], row["other_players"], row["other_date"], row["evidence"]),
            "game",
            {"id": row["game"]},
        )
        for row in pairs[(at - 1) * PAGE_SIZE : at * PAGE_SIZE]
    ]
    show_listing(DUPLICATE_COLUMNS, shown, key="doubles", pages=Pages(at, len(pairs)), label="Games that may be one")


def show_merge_controls(pairs: Sequence[dict[str, Any]]) -> None:
    """Draw controls to merge two games and to split a merged one."""
    known = run_query(merged).dicts()
    with st.container(horizontal=True, gap="small"):
        if pairs:
            with st.popover("Merge games", icon=":material/merge:"):
                pair = st.selectbox("Pair", pairs, format_func=describe_pair, key="pair to merge")
                named = (pair["game"], pair["other"], pair["evidence"])
                st.button("Merge them", key="merge", type="primary", on_click=guard_callback(merge_pair), args=named)
        if known:
            with st.popover("Split", icon=":material/call_split:"):
                one = st.selectbox(
                    "Game", known, format_func=lambda row: f"{row['game']}, now {row['of']}", key="game to split"
                )
                st.button("Split it", key="split", on_click=guard_callback(split_pair), args=(one["game"],))


def describe_pair(pair: dict[str, Any]) -> str:
    """Return a text that identifies two games, as far as possible."""
    other = ", ".join(str(part) for part in (pair["other_players"], pair["other_date"], pair["other"]) if part)
    return f"{', '.join(str(part) for part in (pair['players'], pair['date'], pair['game']) if part)} = {other}"


def merge_pair(game: str, of: str, evidence: str) -> None:
    """Merge a game into another one."""
    try:
        merge_game(get_database().folder, game, of, getpass.getuser(), evidence, WRITE_WAIT)
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
    else:
        st.toast(f"Merged {escape_markdown(game)} into {escape_markdown(of)}.", icon=":material/merge:")


def split_pair(game: str) -> None:
    """Split off a merged game."""
    try:
        merge = split_game(get_database().folder, game, getpass.getuser(), WRITE_WAIT)
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
    else:
        st.toast(f"Split off {escape_markdown(merge.game)}.", icon=":material/call_split:")
