"""The page with the last imports: their balances, and what they rejected for which reason."""

from __future__ import annotations

import streamlit as st

from dashboards.database import database
from dashboards.tables import show
from zertz_db.check.findings import catalogue
from zertz_db.queries.overview import imports, reasons, rejects
from zertz_db.queries.result import Column, Result
from zertz_db.store.opening import Database


def page() -> None:
    """The page."""
    st.title("Imports")
    opened = database()
    runs = imports(opened)
    if not runs.rows:
        st.info("Nothing was imported yet: zertz import RECORDS brings games.")
        return
    show(runs)
    by_run = {row["run"]: row for row in runs.dicts()}
    run = st.selectbox(
        "Import", by_run, format_func=lambda number: f"{number}, {by_run[number]['made_at']:%Y-%m-%d %H:%M} UTC"
    )
    row = by_run[run]
    for column, name in zip(st.columns(4), ("records", "stored", "duplicate", "rejected"), strict=True):
        column.metric(
            f"= {name}" if name == "stored" else f"+ {name}" if name != "records" else "records read", f"{row[name]:,}"
        )
    if row["rejected"]:
        show_rejects(opened, run)
    else:
        st.write("It rejected nothing.")


def show_rejects(opened: Database, run: int) -> None:
    """Reasons by code, and each rejected record."""
    st.subheader("Reasons")
    found = reasons(opened, run)
    titles = Column("meaning", "what the code stands for")
    kinds = catalogue()
    show(
        Result(
            (found.columns[0], titles, *found.columns[1:]),
            [(code, kinds[code].title if code in kinds else "", *rest) for code, *rest in found.rows],
        )
    )
    st.subheader("Rejected records")
    show(rejects(opened, run))


page()
