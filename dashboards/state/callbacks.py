"""What a component of a page reports, handed on before the page is shown anew: so a page is run but once after a click."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

Callback: TypeAlias = Callable[[str], None]
"""Takes what was reported."""


def build_callbacks(key: str, acts: Mapping[str, Callback | None]) -> dict[str, Any]:
    """The callbacks of the component with this key: by what it reports, what is to be done; with None it is only given back."""
    return {f"on_{name}_change": partial(_call_with_value, key, name, act) for name, act in acts.items()}


def _call_with_value(key: str, name: str, act: Callback | None) -> None:
    value = (st.session_state.get(key) or {}).get(name)
    if isinstance(value, Mapping):
        value = value.get(name)  # with the time at which it was reported
    if act and value is not None:
        act(str(value))
