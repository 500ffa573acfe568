"""Drafts: the browser stores a page's unfinished input, so that it survives the window. The server stores nothing of it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from zertz_db.dashboards.components.location import HISTORY_KEY
from zertz_db.dashboards.state.callbacks import Callback, build_callbacks

MAX_DRAFT_LENGTH = 500_000
"""Maximum letters of a draft: browsers have room for some millions."""


def save_draft(kind: str, value: str, on_found: Callback, *, is_safe: bool = False, field: str | None = None) -> None:
    """Store a value in the browser as the draft of its kind; an empty value discards the draft that this page stored.

    on_found: takes the browser's draft if the page is opened with an empty value. is_safe: the value is stored elsewhere, so no draft
    is needed. field: a CSS selector of the field for the value; its text is stored at each letter.
    """
    is_draft = bool(value) and not is_safe and len(value) <= MAX_DRAFT_LENGTH
    data = {"kind": kind, "value": value if is_draft else "", "looks": not value, "field": field}
    with st.container(key=f"{HISTORY_KEY} of {kind}"):
        _component(key=f"draft of {kind}", data=data, **build_callbacks(f"draft of {kind}", {"found": on_found}))


_component = st.components.v2.component(
    "zertz_draft", js=(Path(__file__).parent / "frontend" / "draft.js").read_text("utf-8")
)
