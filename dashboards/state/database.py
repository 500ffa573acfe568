"""The database that the pages show."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import streamlit as st

from dashboards.state.markdown_text import escape_markdown
from zertz_db.store.errors import NoDatabase, StoreError
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import Wait
from zertz_db.store.open_database import open_database

DEFAULT_DATABASE = "games.zertz"
WRITE_WAIT = Wait(10.0)
"""How long a page waits for another process that changes the database; then it says who that is."""
SESSION_KEY = "database of this session"
"""In the session's state: a temporary database (a folder) that is shown instead, such as the samples."""


def get_folder() -> Path:
    """Where the database lies: that of the session, else the one that ZERTZ_DB names."""
    return Path(st.session_state.get(SESSION_KEY) or os.environ.get("ZERTZ_DB") or DEFAULT_DATABASE)


def get_database() -> Database:
    """The database, open; it shows what was imported last. Where there is none, the page says so and ends."""
    try:
        opened = _open(str(get_folder()))
        opened.connection()  # moves on to what was imported meanwhile
    except StoreError as error:
        _open.clear()
        stop_page(error)
    return opened


def is_missing() -> bool:
    """Whether there is no database (one that can't be read is there)."""
    try:
        _open(str(get_folder()))
    except NoDatabase:
        return True
    except StoreError:
        return False
    return False


def is_writable() -> bool:
    """Whether pages may change the database: only where the dashboard was started so, and never a temporary one."""
    return os.environ.get("ZERTZ_ALLOW_IMPORT") == "1" and SESSION_KEY not in st.session_state


@st.cache_resource(show_spinner=False)
def _open(folder: str) -> Database:
    return open_database(folder)


def stop_page(message: object) -> NoReturn:
    """Show what is wrong, as it is written, and end the page here."""
    st.error(escape_markdown(message), icon=":material/error:")
    st.stop()
