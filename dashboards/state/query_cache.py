"""Answers of queries, kept as long as the database is the same: who comes back to a page, or asks what somebody asked, does not wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from dashboards.state.database import get_database
from zertz_db.store.annotations.overlay import fingerprint
from zertz_db.store.folder.database import Database

Answer = TypeVar("Answer")

MAX_CACHED = 300
"""So many answers are kept."""


def run_query(question: Callable[..., Answer], *values: Any, **named: Any) -> Answer:
    """What a query says of the database; the values are texts, numbers and tuples of them. Raises what the query raises.

    Several sessions may be given the same answer: it is only to be read.
    """
    opened = get_database()
    key = (
        get_database_state(opened),
        f"{question.__module__}.{question.__qualname__}",
        values,
        tuple(sorted(named.items())),
    )
    answer: Answer = _cache_result(key, lambda: question(opened, *values, **named))
    return answer


def get_database_state(opened: Database) -> tuple[str, int, object]:
    """Something that changes when there is something new to see."""
    return str(opened.folder), opened.generation.number, fingerprint(opened.folder)


@st.cache_resource(show_spinner="Asking the database …", max_entries=MAX_CACHED)
def _cache_result(key: tuple[Any, ...], _ask: Callable[[], Any]) -> Any:  # noqa: ARG001 - the key tells answers apart
    return _ask()
