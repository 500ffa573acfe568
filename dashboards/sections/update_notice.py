"""What happens to the database while pages are open: imports that run elsewhere, and what they brought."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from dashboards.state.database import get_database, get_folder
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.query_cache import get_database_state
from zertz_db.store.folder.lock import holder

POLL_SECONDS = 5
"""Seconds between two looks."""
STATE_KEY = "state of the database that is shown"


def watch_database() -> None:
    """In the sidebar: that somebody is changing the database. Where it has changed, the whole page is shown anew."""
    st.session_state[STATE_KEY] = get_database_state(get_database())
    with st.sidebar:
        _poll_database()


@st.fragment(run_every=POLL_SECONDS)
def _poll_database() -> None:
    if get_database_state(get_database()) != st.session_state[STATE_KEY]:
        st.toast("The database has changed: this is how it is now.", icon=":material/update:")
        st.rerun(scope="app")
    held = holder(get_folder())
    if held is not None:
        st.info(f"It is being changed by {escape_markdown(held.holder)}. This page follows.", icon=":material/sync:")


def format_age(moment: datetime, now: datetime | None = None) -> str:
    """How long ago that was (both UTC).

    >>> format_age(datetime(2026, 5, 1, 12), datetime(2026, 5, 1, 14, 30))
    '2 hours ago'
    """
    seconds = ((now or datetime.now(UTC).replace(tzinfo=None)) - moment).total_seconds()
    for unit, length in (("year", 31_557_600), ("month", 2_629_800), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"
