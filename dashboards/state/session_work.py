"""Do bounded work for a session: end it when the visitor leaves, and cache its latest results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from zertz_db.dashboards.state.bounded_work import UPLOAD_REMEDY, run_bounded

Result = TypeVar("Result")

MAX_CACHED = 20
"""Maximum cached results per session."""
_CACHE_KEY = "results of bounded work"


def cache_in_session(
    key: tuple[Any, ...],
    caption: str,
    work: Callable[..., Result],
    *values: Any,
    seconds: float | None = None,
    remedy: str = UPLOAD_REMEDY,
) -> Result:
    """Return the result of bounded work; cache the latest ones for the session. Raises what `run_bounded` raises.

    caption: shown meanwhile. seconds, remedy: as for `run_bounded`.
    """
    cached = _get_cache()
    if key not in cached:
        slot = st.empty()

        def poll() -> None:
            if is_disconnected():
                st.stop()
            slot.caption(caption)  # Streamlit ends this run here if the visitor requests something else

        found = run_bounded(work, *values, seconds=seconds, poll=poll, remedy=remedy)
        slot.empty()
        while len(cached) >= MAX_CACHED:
            del cached[next(iter(cached))]
        cached[key] = found
    result: Result = cached[key]
    return result


def is_cached(key: tuple[Any, ...]) -> bool:
    """Return whether the session has the result of this work."""
    return key in _get_cache()


def read_cached(key: tuple[Any, ...]) -> Any:
    """Return the session's result of this work, None without one."""
    return _get_cache().get(key)


def is_disconnected() -> bool:
    """Return whether this session's browser is disconnected."""
    return build_disconnection_check()()


def build_disconnection_check() -> Callable[[], bool]:
    """Return a function for any thread that checks if the browser of this session is disconnected."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not runtime.exists():
        return lambda: False
    session, server = context.session_id, runtime.get_instance()
    return lambda: not server.is_active_session(session)


def _get_cache() -> dict[tuple[Any, ...], Any]:
    found: dict[tuple[Any, ...], Any] = st.session_state.setdefault(_CACHE_KEY, {})
    return found
