"""Submit the text of a text area during typing."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

from zertz_db.dashboards.components.location import HISTORY_KEY

TYPING_DELAY = 500
"""Milliseconds after a key until the typed text is submitted."""


def follow_typing(key: str) -> None:
    """Submit the text of the text area with this key during typing."""
    css_class = "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", key.strip())  # as Streamlit makes it
    with st.container(key=f"{HISTORY_KEY} of typing {key}"):
        _component(key=f"typing {key}", data={"field": f".{css_class} textarea", "delay": TYPING_DELAY})


_component = st.components.v2.component(
    "zertz_live_text", js=(Path(__file__).parent / "frontend" / "live_text.js").read_text("utf-8")
)
