"""Names that may be one player's and games that may be one, to decide on where the dashboard may write."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.answers import ask
from dashboards.database import PATIENCE, database, may_write
from dashboards.listing import PAGE, Column, Pages, Row, listing
from dashboards.location import bound_pages, number
from dashboards.tables import show
from dashboards.words import plain
from dashboards.writing import once
from zertz_db.errors import ZertzError
from zertz_db.ingest.claiming import claim
from zertz_db.ingest.uniting import part, unite
from zertz_db.queries.duplicates import duplicates, merged
from zertz_db.queries.name_proposals import proposals
from zertz_db.queries.players import claims

TIERS = "bytes: the same record; game: the same players, date and moves; moves: the same moves; contained: one begins the other"
DOUBLES = (
    Column("How sure", "badge", help=TIERS),
    Column("Players"),
    Column("Date", "quiet", wide=True),
    Column("Perhaps the same as", wide=True),
    Column("Of", "quiet", wide=True),
    Column("What speaks for it", "long"),
)  # fmt: skip
REVIEWED = 8
"""So many pairs of names are shown at a time."""


def show_names() -> None:
    """Names that may be one player's, to decide on; what was decided."""
    st.caption(
        "Names that may be one player's: alike, never met, with opponents in common or different in signs only. People decide."
    )
    found = ask(proposals).dicts()
    if not found:
        st.info("No two names look like one player's.", icon=":material/check:")
    pages = max(1, -(-len(found) // REVIEWED))
    above = st.container()
    at = bound_pages("pairs", pages)
    with above:
        for row in found[(at - 1) * REVIEWED : at * REVIEWED]:
            show_pair(row)
    said = ask(claims)
    if said.rows:
        st.subheader("What was decided")
        show(said)
    if not may_write():
        st.caption(
            "To decide here, start the dashboard with `--allow-import`; or `zertz players NAME --is OTHER`, `--is-not`, `--undo`."
        )


def show_pair(row: dict[str, Any]) -> None:
    """Two names, and the decision."""
    name, player = row["name"], row["player"]
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{plain(name)}** ({row['games']:,}) and **{plain(player)}**")
            st.caption(plain(row["evidence"]))
        with st.container(horizontal=True, gap="small", width="content"):
            for label, verdict, icon in (("One player", "accepted", "check"), ("Two players", "rejected", "close")):
                st.button(
                    label, key=f"{verdict} {name} {player}", icon=f":material/{icon}:", disabled=not may_write(),
                    on_click=once(decide), args=(name, player, verdict, row["evidence"]),
                )  # fmt: skip


def decide(name: str, player: str, verdict: str, evidence: str) -> None:
    """Say whether two names are one player's."""
    try:
        claim(database().folder, name, player, verdict, evidence)
    except ZertzError as error:
        st.toast(plain(error), icon=":material/error:")
    else:
        st.toast(
            f"Noted: {plain(name)} {'is' if verdict == 'accepted' else 'is not'} {plain(player)}.",
            icon=":material/check:",
        )


def show_doubles(words: str) -> None:
    """Games that may be one."""
    st.caption(
        "Games that may be one, the surest first. Games that are made one keep all their records, and can be parted again."
    )
    found = ask(duplicates, words).dicts()
    if found:
        list_doubles(found)
    else:
        st.info("No two games look like one.", icon=":material/check:")
    if may_write():
        unite_or_part(found)
    elif found:
        st.caption(
            "To make one of two games, start the dashboard with `--allow-import`; or `zertz duplicates --merge ID --into ID`, `--split ID`."
        )


def list_doubles(found: Sequence[dict[str, Any]]) -> None:
    """The pairs, of which each opens the first game."""
    at = number("page", -(-len(found) // PAGE))
    shown = [
        Row(
            row["game"],
            (row["tier"], row["players"], row["date"], row["other_players"], row["other_date"], row["evidence"]),
            "game",
            {"id": row["game"]},
        )
        for row in found[(at - 1) * PAGE : at * PAGE]
    ]
    listing(DOUBLES, shown, key="doubles", pages=Pages(at, len(found)), label="Games that may be one")


def unite_or_part(found: Sequence[dict[str, Any]]) -> None:
    """Make one game of two, or two again of one."""
    known = ask(merged).dicts()
    with st.container(horizontal=True, gap="small"):
        if found:
            with st.popover("Make one of two", icon=":material/merge:"):
                pair = st.selectbox("Which two", found, format_func=in_words, key="pair to unite")
                named = (pair["game"], pair["other"], pair["evidence"])
                st.button("Make them one", key="unite", type="primary", on_click=once(make_one), args=named)
        if known:
            with st.popover("Part them again", icon=":material/call_split:"):
                one = st.selectbox(
                    "Which one", known, format_func=lambda row: f"{row['game']}, now {row['of']}", key="game to part"
                )
                st.button("Part it", key="part", on_click=once(make_two), args=(one["game"],))


def in_words(pair: dict[str, Any]) -> str:
    """Two games, as far as one can tell them apart."""
    other = ", ".join(str(part) for part in (pair["other_players"], pair["other_date"], pair["other"]) if part)
    return f"{', '.join(str(part) for part in (pair['players'], pair['date'], pair['game']) if part)} = {other}"


def make_one(game: str, of: str, evidence: str) -> None:
    """Let a game be another one."""
    try:
        unite(database().folder, game, of, getpass.getuser(), evidence, PATIENCE)
    except ZertzError as error:
        st.toast(plain(error), icon=":material/error:")
    else:
        st.toast(f"{plain(game)} is {plain(of)} now.", icon=":material/merge:")


def make_two(game: str) -> None:
    """Let a game be its own again."""
    try:
        parted = part(database().folder, game, getpass.getuser(), PATIENCE)
    except ZertzError as error:
        st.toast(plain(error), icon=":material/error:")
    else:
        st.toast(f"{plain(parted.game)} is a game of its own again.", icon=":material/call_split:")
