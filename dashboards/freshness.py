"""What happens to the database while pages are open: imports that run elsewhere, and what they brought."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from dashboards.answers import state
from dashboards.database import database, folder
from dashboards.words import plain
from zertz_db.store.lock import holder

EVERY = 5
"""Seconds between two looks."""
SHOWN = "state of the database that is shown"


def follow() -> None:
    """In the sidebar: that somebody is changing the database. Where it has changed, the whole page is shown anew."""
    st.session_state[SHOWN] = state(database())
    with st.sidebar:
        _watch()


@st.fragment(run_every=EVERY)
def _watch() -> None:
    if state(database()) != st.session_state[SHOWN]:
        st.toast("The database has changed: this is how it is now.", icon=":material/update:")
        st.rerun(scope="app")
    held = holder(folder())
    if held is not None:
        st.info(f"It is being changed by {plain(held.holder)}. This page follows.", icon=":material/sync:")


def ago(moment: datetime, now: datetime | None = None) -> str:
    """How long ago that was (both UTC).

    >>> ago(datetime(2026, 5, 1, 12), datetime(2026, 5, 1, 14, 30))
    '2 hours ago'
    """
    seconds = ((now or datetime.now(UTC).replace(tzinfo=None)) - moment).total_seconds()
    for unit, length in (("year", 31_557_600), ("month", 2_629_800), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        count = int(seconds // length)
        if count:
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"
