"""Controls that write: each acts only with a token. A session gets the token when its page is drawn, and can use it once.

This stops writes without the page: a session that begins with a click, or a click that arrives twice.
The session's state on the server has the token. No address and no other page can contain it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from zertz_db.dashboards.state.database import is_writable

TOKEN_KEY = "token of the next write"  # noqa: S105 - the key, not the token
PRESSED_KEY = "control that may write now"


def guard_callback(act: Callable[..., object]) -> Callable[..., None]:
    """Return a callback for a control that is being drawn: it calls `act` with its arguments, unless the token was used meanwhile."""
    return partial(_redeem, _token(), act)


def write_button(label: str, *, key: str | None = None, widget: Callable[..., bool] = st.button, **looks: Any) -> bool:
    """Draw a button; return whether it was pressed on a page that may write, once per drawing of the page.

    widget: `st.button` or `st.form_submit_button`. looks: its other arguments.
    """
    name = key or label
    pressed = widget(label, key=key, on_click=guard_callback(_note_pressed), args=(name,), **looks)
    return pressed and st.session_state.pop(PRESSED_KEY, None) == name


def _token() -> str:
    """Return the session's token; create one if the last one was used."""
    token: str = st.session_state.setdefault(TOKEN_KEY, secrets.token_urlsafe())
    return token


def _redeem(token: str, act: Callable[..., object], *values: Any, **named: Any) -> None:
    if not is_writable() or not secrets.compare_digest(st.session_state.pop(TOKEN_KEY, ""), token):
        st.toast(
            "Nothing was written: this page was out of date. Please press it again.", icon=":material/sync_problem:"
        )
        return
    act(*values, **named)


def _note_pressed(name: str) -> None:
    """Record which button was pressed, for the next drawing of the page."""
    st.session_state[PRESSED_KEY] = name
