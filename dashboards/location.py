"""What stands in the address of a page: there lies what the page shows, so that it can be sent to somebody."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlencode

import streamlit as st

HIDDEN = "history"
"""The key of a container that takes no place on a page."""


def put(**values: str | None) -> None:
    """Put values into the address, and take those out that are empty; for callbacks too."""
    for name, value in values.items():
        if value:
            st.query_params[name] = value
        else:
            st.query_params.pop(name, None)


def number(name: str, last: int, otherwise: int = 1) -> int:
    """The whole number that the address has under this name, from 1 to `last` (which may be 0); `otherwise` where it has none."""
    written = st.query_params.get(name, "")
    asked = int(written[:9]) if written.isascii() and written.isdigit() else otherwise
    return max(1, min(asked, last))


def address(page: str, query: Mapping[str, str]) -> str:
    """The address of a page of the dashboard with this in its URL, seen from another one.

    >>> address("games", {"filter": "board:37"})
    'games?filter=board%3A37'
    """
    return f"{page}?{urlencode(query)}" if query else page


def keep_history(shown: str) -> None:
    """See to it that the browser's history has one entry for each page, and that rows and cards can open pages. `shown`: its path."""
    with st.container(key=HIDDEN):
        _component(key="history of pages", data={"shown": shown})


def open_page(page: str, query: Mapping[str, str]) -> NoReturn:
    """Show another page, with an entry of its own in the browser's history."""
    to = address(page, query)
    with st.container(key=f"{HIDDEN} of opening"):
        _component(key=f"open {to}", data={"open": to})
    st.stop()


_component = st.components.v2.component("zertz_location", js=(Path(__file__).parent / "location.js").read_text("utf-8"))
