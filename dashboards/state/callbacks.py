"""Handle reports of a page's component before the page runs again, so one click costs one run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

Callback: TypeAlias = Callable[[str], None]
"""Function that takes a reported value."""


def build_callbacks(key: str, acts: Mapping[str, Callback | None]) -> dict[str, Any]:
    """Return the callbacks of the component with this key: an action by the name of its report, None to only store the report."""
    return {f"on_{name}_change": partial(_call_with_value, key, name, act) for name, act in acts.items()}


def _call_with_value(key: str, name: str, act: Callback | None) -> None:
    value = (st.session_state.get(key) or {}).get(name)
    if isinstance(value, Mapping):
        value = value.get(name)  # stored with the time of the report
    if act and value is not None:
        act(str(value))
