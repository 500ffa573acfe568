"""Watch for changes of the database while pages are open, by imports that run elsewhere."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from zertz_db.dashboards.state.database import get_database, get_folder
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import get_database_state
from zertz_db.store.folder.lock import holder

POLL_SECONDS = 5
"""Seconds between two checks."""
STATE_KEY = "state of the shown database"


def watch_database() -> None:
    """Show in the sidebar if another process is changing the database. Redraw the page after a change."""
    st.session_state[STATE_KEY] = get_database_state(get_database())
    with st.sidebar:
        _poll_database()


@st.fragment(run_every=POLL_SECONDS)
def _poll_database() -> None:
    if get_database_state(get_database()) != st.session_state[STATE_KEY]:
        st.toast("The database has changed. This page is up to date.", icon=":material/update:")
        st.rerun(scope="app")
    lock = holder(get_folder())
    if lock is not None:
        st.info(f"{escape_markdown(lock.holder)} is changing the database. This page follows.", icon=":material/sync:")


def format_age(moment: datetime, now: datetime | None = None) -> str:
    """Return the age of a moment in words (both UTC).

    >>> format_age(datetime(2026, 5, 1, 12), datetime(2026, 5, 1, 14, 30))
    '2 hours ago'
    """
    seconds = ((now or datetime.now(UTC).replace(tzinfo=None)) - moment).total_seconds()
    for unit, length in (("year", 31_557_600), ("month", 2_629_800), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"
