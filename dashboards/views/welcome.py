"""Page for a start without a database: import the samples or one's own records into a temporary database."""

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
    """Draw the page."""
    st.title("Welcome")
    st.write(
        f"There is no database at {escape_markdown(get_folder())} yet. Run `zertz import RECORDS` to create one from records of games."
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


def use_database(database: tempfile.TemporaryDirectory[str]) -> None:
    """Show a temporary database in this session."""
    st.session_state["open database"] = database  # it is removed when no session refers to it
    st.session_state[SESSION_KEY] = str(Path(database.name) / "games.zertz")
    st.rerun()


@st.cache_resource(show_spinner=False)
def import_samples() -> tempfile.TemporaryDirectory[str]:
    """Return a database of the samples, shared by all sessions."""
    return import_temporary([samples.folder()])


def import_uploads(files: Sequence[tuple[str, bytes]]) -> tempfile.TemporaryDirectory[str]:
    """Return a database of uploaded files (name, content)."""
    with write_uploads(files) as names:
        return import_temporary(names, names)


def import_temporary(
    paths: Iterable[str | Path], names: Mapping[str, str] | None = None
) -> tempfile.TemporaryDirectory[str]:
    """Return a temporary database of the files at these paths. names: their names by path, if they differ."""
    place = tempfile.TemporaryDirectory(prefix="zertz-")
    try:
        import_paths(paths, Path(place.name) / "games.zertz", called=names)
    except ZertzError as error:
        stop_page(error)
    return place


show_page()
