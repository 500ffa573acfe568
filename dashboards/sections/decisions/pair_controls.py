"""Controls that the pages of decisions share: the buttons of a pair, pairs that are put off, earlier decisions with undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from zertz_db.dashboards.components.listing import count_pages, cut_page
from zertz_db.dashboards.components.location import bind_pages, bind_widget
from zertz_db.dashboards.sections.running_job import is_running
from zertz_db.dashboards.state.database import is_writable
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.errors import ZertzError
from zertz_db.plurals import format_count

Pair = TypeVar("Pair")

PAGE_SIZE = 6
"""Pairs per page."""
DECISIONS_PER_PAGE = 20
LATER = "Later"


class Choice(NamedTuple):
    """A button of a pair. act, values: what it calls."""

    label: str
    icon: str
    act: Callable[..., object]
    values: tuple[Any, ...]


class Decision(NamedTuple):
    """An earlier decision: its text and its note, and what undoes it."""

    text: str
    note: str
    undo: Callable[..., object]
    values: tuple[Any, ...]


def choose_page(name: str, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs of the page in the URL, and show how many pairs are open."""
    st.caption(f"{format_count(len(pairs), 'pair')} to decide")
    at = bind_pages(name, count_pages(len(pairs), PAGE_SIZE))
    return [*cut_page(pairs, at, PAGE_SIZE)]


def show_choices(key: str, choices: Sequence[Choice]) -> None:
    """Draw the buttons of a pair."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for choice in choices:
            _show_choice(key, choice)


def _show_choice(key: str, choice: Choice) -> None:
    st.button(
        choice.label,
        key=f"{choice.label} {key}",
        icon=f":material/{choice.icon}:",
        type="tertiary" if choice.label == LATER else "secondary",
        disabled=not is_writable() or is_running(),
        on_click=guard_callback(report_errors),
        args=(choice.act, *choice.values),
    )


def show_decisions(name: str, decisions: Sequence[Decision]) -> None:
    """Draw a box to tick; if it is ticked, list earlier decisions, each with a button that undoes it."""
    if not decisions:
        return
    is_shown = bind_widget(
        f"decided {name}",
        lambda key, first: st.checkbox(f"Show {format_count(len(decisions), 'decision')}", first, key=key),
        default=False,
        options=(True, False),
    )
    if not is_shown:
        return
    at = bind_pages(f"page of decided {name}", count_pages(len(decisions), DECISIONS_PER_PAGE))
    for number, one in enumerate(cut_page(decisions, at, DECISIONS_PER_PAGE)):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(gap=None, width="stretch"):
                st.markdown(escape_markdown(one.text))
                st.caption(escape_markdown(one.note))
            st.button(
                "Undo", key=f"undo {name} {number}", icon=":material/undo:", disabled=not is_writable() or is_running(),
                on_click=guard_callback(report_errors), args=(one.undo, *one.values),
            )  # fmt: skip


def report_errors(act: Callable[..., object], *values: Any) -> None:
    """Call a function; show its answer, if that is a text, or its error."""
    try:
        answer = act(*values)
    except ZertzError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
    else:
        if isinstance(answer, str):
            st.toast(escape_markdown(answer), icon=":material/check:")
