"""The page for who has no database yet: look at the samples, or at records of one's own. Nothing is written but temporary files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import streamlit as st

from dashboards.state.database import SESSION_KEY, get_folder, stop_page
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.uploads import write_uploads
from zertz_db import import_paths, samples
from zertz_db.errors import ZertzError

TYPES = ("txt", "sgf", "zip")


def show_page() -> None:
    """The page."""
    st.title("Welcome")
    st.write(
        f"There is no database at {escape_markdown(get_folder())} yet. `zertz import RECORDS` makes one from records of games."
    )
    left, right = st.columns(2)
    with left.container(border=True, height="stretch"):
        st.subheader(":material/science: The samples")
        st.write("Made-up games on all boards and under both rule sets, some with faults on purpose.")
        if st.button("Show the samples", type="primary", key="samples"):
            with st.spinner("Importing the samples …"):
                use_database(import_samples())
    with right.container(border=True, height="stretch"):
        st.subheader(":material/upload_file: Records of yours")
        files = st.file_uploader(
            "Files to look at", TYPES, accept_multiple_files=True, help="They stay on this machine."
        )
        if files and st.button("Show these", type="primary", key="uploaded"):
            with st.spinner("Reading and checking …"):
                use_database(import_uploads([(file.name, file.getvalue()) for file in files]))


def use_database(database: tempfile.TemporaryDirectory[str]) -> None:
    """Show a temporary database in this session."""
    st.session_state["kept open"] = database  # it is removed when nobody holds it any more
    st.session_state[SESSION_KEY] = str(Path(database.name) / "games.zertz")
    st.rerun()


@st.cache_resource(show_spinner=False)
def import_samples() -> tempfile.TemporaryDirectory[str]:
    """A database of the samples, one for all sessions."""
    return import_temporary([samples.folder()])


def import_uploads(files: Sequence[tuple[str, bytes]]) -> tempfile.TemporaryDirectory[str]:
    """A database of uploaded files (name, content)."""
    with write_uploads(files) as called:
        return import_temporary(called, called)


def import_temporary(
    paths: Iterable[str | Path], called: Mapping[str, str] | None = None
) -> tempfile.TemporaryDirectory[str]:
    """A database of what lies at these paths, and is called so."""
    place = tempfile.TemporaryDirectory(prefix="zertz-")
    try:
        import_paths(paths, Path(place.name) / "games.zertz", called=called)
    except ZertzError as error:
        stop_page(error)
    return place


show_page()
