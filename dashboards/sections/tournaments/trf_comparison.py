"""Compare a tournament with a TRF file that a visitor drops or pastes. Nothing is stored."""

from __future__ import annotations

import streamlit as st

from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Result
from zertz_db.queries.tournaments.file_comparison import compare_with_file
from zertz_db.queries.tournaments.trf_file import MAX_BYTES, parse_trf
from zertz_db.store.folder.database import Database


def show_trf_comparison(tournament: str, filters: str) -> None:
    """Offer to compare a tournament with its file; show what differs, or that both agree."""
    with st.expander("Compare with a TRF file", icon=":material/difference:"):
        dropped = st.file_uploader(
            "TRF file",
            help="FIDE's file format for tournaments. The file is read, not stored.",
            key="trf file",
            max_upload_size=MAX_BYTES // 1_000_000,
        )
        pasted = st.text_area("Or paste it", key="trf text", height=120)
        data = dropped.getvalue() if dropped else pasted.encode()
        if not data.strip():
            return
        try:
            _show_differences(tournament, data, filters)
        except QueryError as error:
            st.error(escape_markdown(str(error)), icon=":material/error:")


def _show_differences(tournament: str, data: bytes, filters: str) -> None:
    file = parse_trf(data)
    for doubt in file.doubts:
        st.warning(escape_markdown(doubt), icon=":material/warning:")
    found = run_query(_compare, tournament, data, filters)
    games = format_count(len(file.games), "game")
    if not found.rows:
        st.success(f"The file and the database agree on {games}.", icon=":material/check:")
        return
    st.markdown(f"**{format_count(len(found.rows), 'difference')}**; the file has {games}.")
    show_table(_drop_empty_columns(found))


def _drop_empty_columns(found: Result) -> Result:
    """Return a table without the columns that have no value: the notes are then in view."""
    shown = [place for place in range(len(found.columns)) if any(row[place] is not None for row in found.rows)]
    return Result(
        tuple(found.columns[place] for place in shown), [tuple(row[place] for place in shown) for row in found.rows]
    )


def _compare(database: Database, tournament: str, data: bytes, filters: str) -> Result:
    return compare_with_file(database, tournament, parse_trf(data), filters)
