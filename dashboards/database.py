"""The database that the pages show."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import streamlit as st

from dashboards.words import plain
from zertz_db.store.errors import NoDatabase, StoreError
from zertz_db.store.lock import Wait
from zertz_db.store.opening import Database, open_database

DEFAULT = "games.zertz"
PATIENCE = Wait(10.0)
"""How long a page waits for another process that changes the database; then it says who that is."""
OF_SESSION = "database of this session"
"""In the session's state: a temporary database (a folder) that is shown instead, such as the samples."""


def folder() -> Path:
    """Where the database lies: that of the session, else the one that ZERTZ_DB names."""
    return Path(st.session_state.get(OF_SESSION) or os.environ.get("ZERTZ_DB") or DEFAULT)


def database() -> Database:
    """The database, open; it shows what was imported last. Where there is none, the page says so and ends."""
    try:
        opened = _open(str(folder()))
        opened.connection()  # moves on to what was imported meanwhile
    except StoreError as error:
        _open.clear()
        stop(error)
    return opened


def is_missing() -> bool:
    """Whether there is no database (one that can't be read is there)."""
    try:
        _open(str(folder()))
    except NoDatabase:
        return True
    except StoreError:
        return False
    return False


def may_write() -> bool:
    """Whether pages may change the database: only where the dashboard was started so, and never a temporary one."""
    return os.environ.get("ZERTZ_ALLOW_IMPORT") == "1" and OF_SESSION not in st.session_state


@st.cache_resource(show_spinner=False)
def _open(folder: str) -> Database:
    return open_database(folder)


def stop(message: object) -> NoReturn:
    """Show what is wrong, as it is written, and end the page here."""
    st.error(plain(message), icon=":material/error:")
    st.stop()
