"""Cache query results until the database changes, for all sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from zertz_db.dashboards.state.database import get_database
from zertz_db.store.annotations.overlay import fingerprint
from zertz_db.store.folder.database import Database

Result = TypeVar("Result")

MAX_CACHED = 300
"""Maximum cached results."""


def run_query(query: Callable[..., Result], *values: Any, **named: Any) -> Result:
    """Return a query's result; the values are texts, numbers and tuples of them. Raises what the query raises.

    Sessions share results: don't change one.
    """
    database = get_database()
    key = (
        get_database_state(database),
        f"{query.__module__}.{query.__qualname__}",
        values,
        tuple(sorted(named.items())),
    )
    result: Result = _cache_result(key, lambda: query(database, *values, **named))
    return result


def get_database_state(database: Database) -> tuple[str, int, object]:
    """Return a value that changes when the database has something new."""
    return str(database.folder), database.generation.number, fingerprint(database.folder)


@st.cache_resource(show_spinner="Querying the database …", max_entries=MAX_CACHED)
def _cache_result(key: tuple[Any, ...], _run: Callable[[], Any]) -> Any:  # noqa: ARG001 - the key identifies the result
    return _run()
