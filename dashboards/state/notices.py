"""Notices: the results of actions. Each stays on its page until it is dismissed or replaced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from zertz_db.dashboards.state.markdown_text import escape_markdown

_MAX_LISTED = 20


class Notice(NamedTuple):
    """A notice. page, label, query: a link to a page (its file) with this URL query. names: items to list on demand."""

    text: str
    is_error: bool = False
    page: str = ""
    label: str = ""
    query: Mapping[str, str] = {}
    names: tuple[str, ...] = ()


def set_notice(place: str, notice: Notice) -> None:
    """Set the notice of a place on a page, in place of an earlier one; `show_notice` shows it."""
    st.session_state[_key(place)] = notice


def show_notice(place: str) -> None:
    """Show the notice of a place, with a button to dismiss it."""
    notice: Notice | None = st.session_state.get(_key(place))
    if notice is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if notice.is_error:
            st.error(escape_markdown(notice.text), icon=":material/error:")
        else:
            st.success(escape_markdown(notice.text), icon=":material/check:")
        if notice.page:
            st.page_link(
                notice.page, label=notice.label, icon=":material/arrow_forward:", query_params=dict(notice.query)
            )
        st.button(
            "Dismiss",
            icon=":material/close:",
            type="tertiary",
            key=f"dismiss {place}",
            on_click=remove_notice,
            args=(place,),
        )

    if notice.names:
        with st.expander(f"These {len(notice.names):,}"):
            for name in notice.names[:_MAX_LISTED]:
                st.caption(escape_markdown(name))
            if len(notice.names) > _MAX_LISTED:
                st.caption(f"… and {len(notice.names) - _MAX_LISTED:,} more")


def remove_notice(place: str) -> None:
    """Remove the notice of a place, if there is one."""
    st.session_state.pop(_key(place), None)


def _key(place: str) -> str:
    return f"notice: {place}"
