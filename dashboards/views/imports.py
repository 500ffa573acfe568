"""Page of imports: their tallies, the reasons for rejections, and each rejected record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from dashboards.components.listing import PAGE_SIZE, Column, Pages, Row, show_listing
from dashboards.components.location import get_number, get_value, parse_number, set_values
from dashboards.components.tiles import Tile, show_tiles
from dashboards.sections.record_view import show_record
from dashboards.sections.update_notice import format_age
from dashboards.state.database import get_database, stop_page
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.query_cache import run_query
from zertz_db.check.findings import catalogue
from zertz_db.ingest.stored.source_lookup import read_stored_record
from zertz_db.plurals import format_count
from zertz_db.queries.database_info import list_imports, list_reasons, list_rejects
from zertz_db.queries.errors import QueryError

RUNS = (
    Column("No.", "number"),
    Column("When (UTC)", "quiet"),
    Column("Files", "number", wide=True),
    Column("Records", "number"),
    Column("Stored", "number"),
    Column("Duplicate", "number", wide=True),
    Column("Rejected", "number"),
    Column("Source", "long", wide=True),
)
REASONS = (
    Column("Code", "code"),
    Column("Meaning", "long"),
    Column("Records", "number"),
    Column("Example", "long", wide=True),
)
REJECTS = (
    Column("Code", "code"),
    Column("Problem", "long"),
    Column("File", "quiet", wide=True),
    Column("Line", "number"),
)


def show_page() -> None:
    """Draw the page."""
    st.title("Imports")
    runs = {row["run"]: row for row in run_query(list_imports).dicts()}
    if not runs:
        st.info("No imports yet. Run `zertz import RECORDS`.", icon=":material/inbox:")
        return
    named = parse_number(get_value("run"))
    run = next(iter(runs)) if named is None or named not in runs else named
    show_listing(
        RUNS, [build_row(row) for row in runs.values()], key="runs", label="Imports", height=300, on_row=choose_run
    )
    row = runs[run]
    st.subheader(f"Import {run}")
    undone = ", undone since" if row["undone"] else ""
    st.caption(f"{escape_markdown(format_age(row['made_at']).capitalize())}: {escape_markdown(row['what'])}{undone}")
    show_tiles(
        [
            Tile("Records read", f"{row['records']:,}", f"in {format_count(row['sources'], 'file')}"),
            Tile("= stored", f"{row['stored']:,}", "new games"),
            Tile("+ duplicate", f"{row['duplicate']:,}", "of stored games"),
            Tile("+ rejected", f"{row['rejected']:,}", "not games; their bytes are stored"),
        ]
    )
    if row["withdrawn"]:
        st.info(
            f"It withdrew {format_count(row['withdrawn'], 'record')} that the files no longer hold.",
            icon=":material/remove_done:",
        )
    if row["rejected"]:
        show_rejects(run)
    else:
        st.success("It rejected nothing.", icon=":material/check:")


def build_row(row: dict[str, Any]) -> Row:
    """Return the row of an import."""
    numbers = (f"{row[name]:,}" for name in ("sources", "records", "stored", "duplicate", "rejected"))
    return Row(str(row["run"]), (str(row["run"]), f"{row['made_at']:%Y-%m-%d %H:%M}", *numbers, row["what"]))


def show_rejects(run: int) -> None:
    """Show the reasons by code, the rejected records, and the chosen one."""
    kinds = catalogue()
    reasons = run_query(list_reasons, run).dicts()
    st.subheader("Why records were rejected")
    show_listing(
        REASONS,
        [
            Row(
                row["reason"],
                (
                    row["reason"],
                    kinds[row["reason"]].title if row["reason"] in kinds else "",
                    f"{row['records']:,}",
                    row["example"],
                ),
            )
            for row in reasons
        ],
        key="reasons",
        label="Reasons",
        height=300,
        on_row=choose_reason,
    )
    code = get_value("code") or None
    found = [row for row in run_query(list_rejects, run).dicts() if code in (None, row["reason"])]
    st.subheader(f"Records rejected for {escape_markdown(code)}" if code else "Rejected records")
    if code:
        st.button(
            "Show all",
            key="all",
            on_click=choose_reason,
            args=(None,),
            icon=":material/filter_alt_off:",
            type="tertiary",
        )
    show_list(run, found)


def choose_run(run: str) -> None:
    """Show this import."""
    set_values(run=run, code=None, page=None, record=None)


def choose_reason(code: str | None) -> None:
    """Show the records rejected for this reason; None for all."""
    set_values(code=code, page=None, record=None)


def show_list(run: int, found: list[dict[str, Any]]) -> None:
    """Show the list of rejected records; a click on one shows it."""
    at = get_number("page", -(-len(found) // PAGE_SIZE))
    rows = [
        Row(
            str(place),
            (row["reason"], row["message"], format_short_place(row), None if row["line"] is None else str(row["line"])),
        )
        for place, row in enumerate(found, 1)
    ]
    show_listing(
        REJECTS,
        rows[(at - 1) * PAGE_SIZE : at * PAGE_SIZE],
        key="rejects",
        pages=Pages(at, len(found)),
        label="Rejected records",
        height=420,
        on_row=lambda place: set_values(record=place),
    )
    if found and get_value("record"):
        chosen = found[get_number("record", len(found)) - 1]
        show_rejected_record(run, *(chosen[name] for name in ("path", "member", "index")))


def format_place(row: dict[str, Any]) -> str:
    """Return the place of a record."""
    return f"{row['path']}!{row['member']}" if row["member"] else str(row["path"])


def format_short_place(row: dict[str, Any]) -> str:
    """Return the place of a record without folders."""
    return format_place({**row, "path": Path(row["path"]).name})


def show_rejected_record(run: int, path: str, member: str, index: int) -> None:
    """Show a rejected record as today's readers check it."""
    st.subheader("The record")
    st.caption(escape_markdown(format_place({"path": path, "member": member})))
    try:
        found = read_stored_record(get_database(), run, path, member, index)
    except QueryError as error:
        stop_page(error)
    if found is None:
        st.warning("Its bytes could not be read, so none are stored.", icon=":material/broken_image:")
        return
    if found.checked.is_game:
        st.info("Today's readers accept it as a game. Run `zertz recheck` to store it.", icon=":material/update:")
    show_record(found, f"reject {run} {path} {member} {index}")


show_page()
