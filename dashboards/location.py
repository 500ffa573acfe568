"""What stands in the address of a page: there lies what the page shows, so that it can be sent to somebody."""

from __future__ import annotations

import streamlit as st


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
