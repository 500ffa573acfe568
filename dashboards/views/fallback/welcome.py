"""Page for a start without a database: create it, or import the samples or one's own records into a temporary one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from zertz_db import import_paths, samples
from zertz_db.dashboards.sections.running_job import follow_job, is_running, show_job, start_job
from zertz_db.dashboards.state.database import SESSION_KEY, get_folder, is_writable, stop_page
from zertz_db.dashboards.state.import_job import POLL_SECONDS, ImportJob
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.session_work import build_disconnection_check
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.errors import ZertzError

TYPES = ("txt", "sgf", "zip")
NAME = "games.zertz"
"""Name of a temporary database in its folder."""
MAX_SECONDS = 600.0
"""Maximum seconds of an import into a temporary database, which any visitor may start."""


def show_page() -> None:
    """Draw the page."""
    st.title("Welcome")
    progress = show_job()
    st.write(f"There is no database at {escape_markdown(get_folder())} yet.")
    if is_writable():
        show_creation()
        st.write("Or look at games in a temporary database first:")
    else:
        st.write(
            "Run `zertz import RECORDS` to create it from records of games, or start the dashboard with `--allow-import` to create it here."
        )
    left, right = st.columns(2)
    with left.container(border=True, height="stretch"):
        st.subheader(":material/science: The samples")
        st.write("Made-up games on all boards and under both rule sets, some with faults on purpose.")
        if st.button("Show the samples", type="primary", key="samples"):
            with st.spinner("Importing the samples …"):
                use_database(import_samples())
    with right.container(border=True, height="stretch"):
        st.subheader(":material/upload_file: Your records")
        files = st.file_uploader("Files to view", TYPES, accept_multiple_files=True, help="They stay on this machine.")
        if files and st.button("Show these", type="primary", key="uploaded"):
            with st.spinner("Reading and checking …"):
                use_database(import_uploads([(file.name, file.getvalue()) for file in files]))
    follow_job(progress)


def show_creation() -> None:
    """Draw the controls that create the database from files; other pages create it too."""
    with st.container(border=True):
        st.subheader(":material/create_new_folder: Create it")
        files = st.file_uploader(
            "Files to import",
            accept_multiple_files=True,
            help="Records or archives; every notation that `zertz check` reads.",
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Create the database",
                key="create",
                type="primary",
                icon=":material/download:",
                disabled=not files or is_running(),
                on_click=guard_callback(start_creation),
                args=([(file.name, file.getvalue()) for file in files or []],),
            )
            st.page_link("views/check.py", label="Check records first", icon=":material/fact_check:")
            st.page_link("views/enter.py", label="Enter a game", icon=":material/edit:")


def start_creation(files: Sequence[tuple[str, bytes]]) -> None:
    """Start an import that creates the database."""
    start_job(lambda: ImportJob(files, get_folder(), is_disconnected=build_disconnection_check()))


def use_database(database: tempfile.TemporaryDirectory[str]) -> None:
    """Show a temporary database in this session."""
    st.session_state["open database"] = database  # it is removed when no session refers to it
    st.session_state[SESSION_KEY] = str(Path(database.name) / NAME)
    st.rerun()


@st.cache_resource(show_spinner=False)
def import_samples() -> tempfile.TemporaryDirectory[str]:
    """Return a database of the samples, shared by all sessions."""
    place = tempfile.TemporaryDirectory(prefix="zertz-")
    try:
        import_paths([samples.folder()], Path(place.name) / NAME)
    except ZertzError as error:
        stop_page(error)
    return place


def import_uploads(files: Sequence[tuple[str, bytes]]) -> tempfile.TemporaryDirectory[str]:
    """Return a database of uploaded files (name, content)."""
    place = tempfile.TemporaryDirectory(prefix="zertz-")
    job = ImportJob(files, Path(place.name) / NAME, is_disconnected=build_disconnection_check(), seconds=MAX_SECONDS)
    slot = st.empty()
    try:
        while not job.wait(POLL_SECONDS):
            slot.caption("Importing …")  # Streamlit ends this run here if the visitor requests something else
    finally:
        job.stop()
        job.wait()
    if job.failure:
        stop_page(job.failure)
    return place


show_page()
