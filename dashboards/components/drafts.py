"""Drafts: what somebody is at on a page is kept in the browser, so that it survives the window. The server keeps nothing of it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboards.components.location import HISTORY_KEY
from dashboards.state.callbacks import Callback, build_callbacks

MAX_DRAFT_LENGTH = 500_000
"""Letters of the longest draft: browsers have room for some millions."""


def save_draft(kind: str, value: str, on_found: Callback, *, is_safe: bool = False, field: str | None = None) -> None:
    """Keep a value as the draft of its kind in the browser; an empty one discards the draft that was kept from this page.

    on_found: takes the draft, where the page is opened with an empty value and the browser has one. is_safe: the value is stored
    elsewhere and no draft any more. field: a CSS selector of the field that the value is typed into: what is typed is kept letter by
    letter.
    """
    is_draft = bool(value) and not is_safe and len(value) <= MAX_DRAFT_LENGTH
    data = {"kind": kind, "value": value if is_draft else "", "looks": not value, "field": field}
    with st.container(key=f"{HISTORY_KEY} of {kind}"):
        _component(key=f"draft of {kind}", data=data, **build_callbacks(f"draft of {kind}", {"found": on_found}))


_component = st.components.v2.component(
    "zertz_draft", js=(Path(__file__).parent / "frontend" / "draft.js").read_text("utf-8")
)
