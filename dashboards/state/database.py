"""The database that the pages show."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import streamlit as st

from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.store.errors import NoDatabase, StoreError
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import Wait
from zertz_db.store.open_database import open_database

DEFAULT_DATABASE = "games.zertz"
WRITE_WAIT = Wait(10.0)
"""Time that a page waits for another process that changes the database; then it names that process."""
SESSION_KEY = "database of this session"
"""Session state: a temporary database (a folder) to show instead, such as the samples."""


def get_folder() -> Path:
    """Return the path of the database: the session's, or by default the one in ZERTZ_DB."""
    return Path(st.session_state.get(SESSION_KEY) or os.environ.get("ZERTZ_DB") or DEFAULT_DATABASE)


def get_database() -> Database:
    """Return the open database at its latest generation. If there is none, show an error and end the page."""
    try:
        database = _open(str(get_folder()))
        database.connection()  # moves to the latest generation
    except StoreError as error:
        _open.clear()
        stop_page(error)
    return database


def is_missing() -> bool:
    """Return whether there is no database. An unreadable one is there."""
    try:
        _open(str(get_folder()))
    except NoDatabase:
        return True
    except StoreError:
        return False
    return False


def is_writable() -> bool:
    """Return whether pages may change the database: only with `--allow-import`, and never a temporary one."""
    return os.environ.get("ZERTZ_ALLOW_IMPORT") == "1" and SESSION_KEY not in st.session_state


@st.cache_resource(show_spinner=False)
def _open(folder: str) -> Database:
    return open_database(folder)


def stop_page(message: object) -> NoReturn:
    """Show an error message, unformatted, and end the page here."""
    st.error(escape_markdown(message), icon=":material/error:")
    st.stop()
