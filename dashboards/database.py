"""The database that the pages show."""

from __future__ import annotations

import os
from typing import NoReturn

import streamlit as st

from zertz_db.store.errors import StoreError
from zertz_db.store.opening import Database, open_database

DEFAULT = "games.zertz"


def database() -> Database:
    """The database named by ZERTZ_DB, open; it shows what was imported last. Where there is none, the page says so and ends."""
    folder = os.environ.get("ZERTZ_DB") or DEFAULT
    try:
        opened = _open(folder)
        opened.connection()  # moves on to what was imported meanwhile
    except StoreError as error:
        _open.clear()
        stop(str(error))
    return opened


@st.cache_resource(show_spinner=False)
def _open(folder: str) -> Database:
    return open_database(folder)


def stop(message: str) -> NoReturn:
    """Say what is wrong, and end the page here."""
    st.error(message)
    st.stop()
