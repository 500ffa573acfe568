"""Show the tournaments, and the standings of the chosen one: the browser prints the standings alone."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import streamlit as st

from zertz_db.dashboards.components.listing import Column, Row, save_in_url, show_listing
from zertz_db.dashboards.components.location import get_value
from zertz_db.dashboards.sections.tournaments.pairing_table import show_pairings
from zertz_db.dashboards.sections.tournaments.trf_comparison import show_trf_comparison
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.export.standings_page import (
    STYLE,
    build_page_rule,
    format_standings,
    format_standings_page,
)
from zertz_db.export.trf import format_trf
from zertz_db.queries.filters.terms import join_filters
from zertz_db.queries.tournaments.tournament_games import Tournament, list_tournaments, read_tournament

COLUMNS = (
    Column("Tournament"),
    Column("Since", "quiet", wide=True),
    Column("Until", "quiet"),
    Column("Games", "number"),
    Column("Players", "number"),
)
_PRINT_STYLE = """
@media print {
  body *:not(:has(.standings), .standings, .standings *) { display: none !important; }
  html, body, body *:has(.standings) {
    display: block !important; position: static !important; overflow: visible !important; height: auto !important;
    min-height: 0 !important; max-height: none !important; width: auto !important; max-width: none !important;
    margin: 0 !important; padding: 0 !important; border: 0 !important; background: #fff !important; transform: none !important;
  }
}
"""
"""CSS that hides all but the standings on paper, and lets them flow over several sheets."""


def show_tournaments(filters: str) -> None:
    """Show the tournaments of the games that pass the filters, the standings of the one in the URL, and pairings."""
    _show_list(filters)
    show_pairings()


def _show_list(filters: str) -> None:
    found = run_query(list_tournaments, filters).dicts()
    if not found:
        st.info("No game belongs to a tournament.", icon=":material/trophy:")
        return
    terms = {row["tournament"]: row["filter"] for row in found}
    named = get_value("tournament")
    if named and named not in terms:
        among = "These games have" if filters else "The database has"
        st.info(f"{among} no tournament “{escape_markdown(named)}”. These are all.", icon=":material/search_off:")
    if named in terms:
        show_standings(run_query(read_tournament, named, filters), join_filters(terms[named], filters))
        show_trf_comparison(named, filters)
    rows = [
        Row(
            row["tournament"],
            (
                row["tournament"],
                _write_day(row["since"]),
                _write_day(row["until"]),
                f"{row['games']:,}",
                f"{row['players']:,}",
            ),
        )
        for row in found
    ]
    show_listing(COLUMNS, rows, key="tournaments", label="Tournaments", height=420, on_row=save_in_url("tournament"))


def show_standings(tournament: Tournament, filters: str) -> None:
    """Show the standings of a tournament, with a link to its games and its files. filters: select its games."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link("views/games.py", label="The games", icon=":material/view_list:", query_params={"filter": filters})
        if not tournament.games:
            return
        st.download_button(
            "Page to print",
            format_standings_page(tournament),
            "standings.html",
            "text/html",
            icon=":material/print:",
            type="tertiary",
            help="Or print this page: only the standings are printed.",
        )
        with suppress(ValueError):  # its columns are too narrow for more than 999 points
            st.download_button(
                "TRF",
                format_trf(tournament),
                "tournament.trf",
                "text/plain",
                icon=":material/download:",
                type="tertiary",
                help="FIDE's file format for tournaments, for other programs",
            )
    st.html(f"<style>{build_page_rule(tournament)}{STYLE}{_PRINT_STYLE}</style>")
    st.html(format_standings(tournament))


def _write_day(value: Any) -> str | None:
    return None if value is None else str(value)
