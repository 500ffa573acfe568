"""The page with the imports: their balances, what they rejected for which reason, and each rejected record to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from dashboards.answers import ask
from dashboards.database import database, stop
from dashboards.freshness import ago
from dashboards.listing import PAGE, Column, Pages, Row, listing
from dashboards.location import number, put, value
from dashboards.record_view import show_record
from dashboards.tiles import Tile, tiles
from dashboards.words import plain
from zertz_db.check.findings import catalogue
from zertz_db.cli.words import counted
from zertz_db.ingest.kept import kept_record
from zertz_db.queries.errors import QueryError
from zertz_db.queries.overview import imports, reasons, rejects

RUNS = (
    Column("No.", "number"),
    Column("When (UTC)", "quiet"),
    Column("Files", "number", wide=True),
    Column("Records", "number"),
    Column("Stored", "number"),
    Column("Duplicate", "number", wide=True),
    Column("Rejected", "number"),
    Column("What", "long", wide=True),
)
REASONS = (
    Column("Code", "code"),
    Column("Meaning", "long"),
    Column("Records", "number"),
    Column("For example", "long", wide=True),
)
REJECTS = (
    Column("Code", "code"),
    Column("What is wrong", "long"),
    Column("File", "quiet", wide=True),
    Column("Line", "number"),
)


def page() -> None:
    """The page."""
    st.title("Imports")
    runs = {row["run"]: row for row in ask(imports).dicts()}
    if not runs:
        st.info("Nothing was imported yet: `zertz import RECORDS` brings games.", icon=":material/inbox:")
        return
    named = value("run")
    run = int(named) if named.isascii() and named.isdigit() and int(named) in runs else next(iter(runs))
    listing(RUNS, [row_of(row) for row in runs.values()], key="runs", label="Imports", height=300, on_row=choose_run)
    row = runs[run]
    st.subheader(f"Import {run}")
    st.caption(
        f"{plain(ago(row['made_at']).capitalize())}: {plain(row['what'])}{', taken back since' if row['undone'] else ''}"
    )
    tiles(
        [
            Tile("Records read", f"{row['records']:,}", f"in {counted(row['sources'], 'file')}"),
            Tile("= stored", f"{row['stored']:,}", "games that were new"),
            Tile("+ duplicate", f"{row['duplicate']:,}", "of games that were known"),
            Tile("+ rejected", f"{row['rejected']:,}", "no games; their bytes are kept"),
        ]
    )
    if row["withdrawn"]:
        st.info(
            f"It withdrew {counted(row['withdrawn'], 'record')} that the files no longer hold.",
            icon=":material/remove_done:",
        )
    if row["rejected"]:
        show_rejects(run)
    else:
        st.success("It rejected nothing.", icon=":material/check:")


def row_of(row: dict[str, Any]) -> Row:
    """An import in the list."""
    numbers = (f"{row[name]:,}" for name in ("sources", "records", "stored", "duplicate", "rejected"))
    return Row(str(row["run"]), (str(row["run"]), f"{row['made_at']:%Y-%m-%d %H:%M}", *numbers, row["what"]))


def show_rejects(run: int) -> None:
    """Reasons by code, the rejected records, and the one that is chosen."""
    kinds = catalogue()
    by_code = ask(reasons, run).dicts()
    st.subheader("Why records were rejected")
    listing(
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
            for row in by_code
        ],
        key="reasons",
        label="Reasons",
        height=300,
        on_row=choose_reason,
    )
    code = value("code") or None
    found = [row for row in ask(rejects, run).dicts() if code in (None, row["reason"])]
    st.subheader(f"Records rejected for {plain(code)}" if code else "Rejected records")
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
    put(run=run, code=None, page=None, record=None)


def choose_reason(code: str | None) -> None:
    """Show what was rejected for this reason; None for everything."""
    put(code=code, page=None, record=None)


def show_list(run: int, found: list[dict[str, Any]]) -> None:
    """The rejected records; choosing one shows it."""
    at = number("page", -(-len(found) // PAGE))
    rows = [
        Row(str(place), (row["reason"], row["message"], short(row), None if row["line"] is None else str(row["line"])))
        for place, row in enumerate(found, 1)
    ]
    listing(
        REJECTS,
        rows[(at - 1) * PAGE : at * PAGE],
        key="rejects",
        pages=Pages(at, len(found)),
        label="Rejected records",
        height=420,
        on_row=lambda place: put(record=place),
    )
    if found and value("record"):
        chosen = found[number("record", len(found)) - 1]
        review(run, *(chosen[name] for name in ("path", "member", "index")))


def where(row: dict[str, Any]) -> str:
    """Where a record was found."""
    return f"{row['path']}!{row['member']}" if row["member"] else str(row["path"])


def short(row: dict[str, Any]) -> str:
    """The same without folders."""
    return where({**row, "path": Path(row["path"]).name})


def review(run: int, path: str, member: str, index: int) -> None:
    """A rejected record, as today's readers see it."""
    st.subheader("The record")
    st.caption(plain(where({"path": path, "member": member})))
    try:
        found = kept_record(database(), run, path, member, index)
    except QueryError as error:
        stop(error)
    if found is None:
        st.warning("Its bytes could not be had, so none were kept.", icon=":material/broken_image:")
        return
    if found.checked.is_game:
        st.info("Today's readers take it for a game: `zertz recheck` brings it in.", icon=":material/update:")
    show_record(found, f"reject {run} {path} {member} {index}")


page()
