"""The board's component without a browser: what pages give it, and clicks that a test makes up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
import streamlit as st

from dashboards import board


@dataclass
class Boards:
    """given: the data of the board that was shown last. answers: what the browser answers in the next run, once."""

    given: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)

    def mount(self, _key: str, data: dict[str, Any]) -> Mapping[str, Any]:
        """In the place of the component."""
        self.given = data
        answers, self.answers = self.answers, {}
        return answers


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> Iterator[Boards]:
    made = Boards()
    monkeypatch.setattr(board, "_mount", made.mount)
    monkeypatch.setattr(board, "just_chosen", lambda _key: made.answers.pop("move", None))
    st.cache_resource.clear()
    yield made
    st.cache_resource.clear()
