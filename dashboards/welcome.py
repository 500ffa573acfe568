"""The page for who has no database yet: look at the samples, or at records of one's own. Nothing is written but temporary files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import streamlit as st

from dashboards.brought import written
from dashboards.database import OF_SESSION, folder, stop
from dashboards.words import plain
from zertz_db import import_paths, samples
from zertz_db.errors import ZertzError

TYPES = ("txt", "sgf", "zip")


def page() -> None:
    """The page."""
    st.title("Welcome")
    st.write(f"There is no database at {plain(folder())} yet. `zertz import RECORDS` makes one from records of games.")
    left, right = st.columns(2)
    with left.container(border=True, height="stretch"):
        st.subheader(":material/science: The samples")
        st.write("Made-up games on all boards and under both rule sets, some with faults on purpose.")
        if st.button("Show the samples", type="primary", key="samples"):
            with st.spinner("Importing the samples …"):
                show(of_samples())
    with right.container(border=True, height="stretch"):
        st.subheader(":material/upload_file: Records of yours")
        files = st.file_uploader(
            "Files to look at", TYPES, accept_multiple_files=True, help="They stay on this machine."
        )
        if files and st.button("Show these", type="primary", key="uploaded"):
            with st.spinner("Reading and checking …"):
                show(of_files([(file.name, file.getvalue()) for file in files]))


def show(database: tempfile.TemporaryDirectory[str]) -> None:
    """Show a temporary database in this session."""
    st.session_state["kept open"] = database  # it is removed when nobody holds it any more
    st.session_state[OF_SESSION] = str(Path(database.name) / "games.zertz")
    st.rerun()


@st.cache_resource(show_spinner=False)
def of_samples() -> tempfile.TemporaryDirectory[str]:
    """A database of the samples, one for all sessions."""
    return imported([samples.folder()])


def of_files(files: Sequence[tuple[str, bytes]]) -> tempfile.TemporaryDirectory[str]:
    """A database of uploaded files (name, content)."""
    with written(files) as called:
        return imported(called, called)


def imported(paths: Iterable[str | Path], called: Mapping[str, str] | None = None) -> tempfile.TemporaryDirectory[str]:
    """A database of what lies at these paths, and is called so."""
    place = tempfile.TemporaryDirectory(prefix="zertz-")
    try:
        import_paths(paths, Path(place.name) / "games.zertz", called=called)
    except ZertzError as error:
        stop(error)
    return place


page()
