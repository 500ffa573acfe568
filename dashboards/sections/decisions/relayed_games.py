"""Show games with the same moves at about the same time, side by side, for the reader to judge."""

from __future__ import annotations

from typing import Any

import streamlit as st

from zertz_db.dashboards.components.gallery import show_gallery
from zertz_db.dashboards.components.listing import Column, Row, count_pages, cut_page, show_listing
from zertz_db.dashboards.components.location import bind_pages
from zertz_db.dashboards.sections.decisions.game_pairs import COLUMNS, build_facts
from zertz_db.dashboards.sections.decisions.name_pairs import list_evidence
from zertz_db.dashboards.sections.decisions.pair_controls import PAGE_SIZE
from zertz_db.dashboards.sections.game_cards import build_cards
from zertz_db.dashboards.state.database import get_database
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.games.comparison import GamePair, compare_games
from zertz_db.queries.games.relays import HOURS, SHORTEST, Relation, compare_with_chance, list_relays

COLOURS: dict[Relation, Any] = {
    Relation.relayed: "red",
    Relation.swapped: "orange",
    Relation.elsewhere: "violet",
    Relation.repeated: "gray",
}
"""Colours of the relations of players."""
CHANCE_COLUMNS = (
    Column("Relation"),
    Column("Pairs", "number", help=f"pairs of games at most {HOURS:g} hours apart"),
    Column("By chance", "number", help="the mean of such pairs if dates are permuted"),
    Column("At most", "number", help="95 % of the permutations have at most this number"),
    Column("At any time", "number", wide=True, help="pairs with as many plies in common, whenever they were played"),
    Column("Meaning", "quiet", wide=True),
)


def show_relays(filters: str) -> None:
    """Show how many pairs there are and chance gives, then each pair."""
    st.caption(
        f"Two games with the same moves for at least {SHORTEST} plies, at most {HOURS:g} hours apart, turned or mirrored perhaps. "
        "A player may have relayed moves from one game to the other. A pair proves nothing: players repeat lines, bots answer alike, "
        "and a game can be recorded twice. So compare the pairs with chance: games whose dates are permuted."
    )
    pairs = run_query(list_relays, filters).dicts()
    if not pairs:
        st.info(
            escape_markdown(run_query(absence, filters))
            if filters
            else "No two games have the same moves at about the same time.",
            icon=":material/check:",
        )
        return
    chance = [
        Row(
            row["relation"],
            (
                row["relation"],
                *(f"{row[name]:,}" for name in ("pairs", "expected", "most", "any_time")),
                row["meaning"],
            ),
        )
        for row in run_query(compare_with_chance).dicts()
    ]
    show_listing(CHANCE_COLUMNS, chance, key="chance of relays", label="Pairs of games, and pairs by chance")
    st.caption(format_count(len(pairs), "pair"))
    at = bind_pages("relays", count_pages(len(pairs), PAGE_SIZE))
    shown = cut_page(pairs, at, PAGE_SIZE)
    found = run_query(compare_games, tuple((row["game"], row["other"]) for row in shown))
    for row in shown:
        if (row["game"], row["other"]) in found:
            show_relay(row, found[row["game"], row["other"]])


def show_relay(row: dict[str, Any], found: GamePair) -> None:
    """Show two games side by side: boards, facts, and the evidence."""
    key = f"{row['game']} {row['other']}"
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(escape_markdown(row["relation"]), color=COLOURS[Relation(row["relation"])])
            st.caption(escape_markdown(f"{row['players']} and {row['other_players']}, {row['date']}"))
        boards, facts = st.columns([2, 3], gap="medium")
        with boards:
            cards = build_cards(get_database(), [found.first, found.second])
            show_gallery(cards, key=f"relayed boards {key}", width=150, label="The last positions of both games")
        with facts:
            show_listing(COLUMNS, build_facts(found), key=f"relayed facts {key}", label="Facts of both games")
            st.markdown(list_evidence(row["evidence"]))
