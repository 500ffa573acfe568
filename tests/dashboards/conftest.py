"""Replace the components of pages for tests without a browser: collect their data, and simulate clicks."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.navigation.page import StreamlitPage

from tests.ingest.databases import copied
from zertz_db.dashboards.components import board, gallery, listing, location
from zertz_db.dashboards.state import callbacks

manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
"""Each page that a test opens would search all installed packages for components: that takes most of a test's time."""


@dataclass
class Boards:
    """given: the data of the board that was shown last. answers: what the browser answers in the next run, once. acts: its callbacks."""

    given: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    acts: dict[str, callbacks.Callback | None] = field(default_factory=dict)

    def mount(self, _key: str, data: dict[str, Any], **acts: callbacks.Callback | None) -> None:
        """Replace the component. As in the browser, callbacks get a click before the page runs again."""
        self.given, self.acts = data, acts
        answers, self.answers = self.answers, {}
        send(answers, acts)

    def send_early(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Send the answers before the page runs, as a browser does: a board below widgets could not change these any more."""
        run = StreamlitPage.run

        def send_and_run(page: StreamlitPage) -> None:
            answers, self.answers = self.answers, {}
            for name, value in answers.items():
                if act := self.acts.get(name):
                    act(value)
            run(page)

        monkeypatch.setattr(StreamlitPage, "run", send_and_run)

    def report(self, _key: str, name: str) -> Any:
        """Replace the browser's report."""
        return self.answers.get(name)


def send(answers: Mapping[str, Any], acts: Mapping[str, callbacks.Callback | None]) -> None:
    """Call the callbacks of the clicks, and run the page again."""
    found = [(act, answers[name]) for name, act in acts.items() if act and name in answers]
    for act, value in found:
        act(value)
    if found:
        st.rerun()


@pytest.fixture(autouse=True)
def _program() -> Iterator[None]:
    """Take back that Streamlit puts each page in the place of the program: a process that a later test spawns would run that page."""
    program = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = program


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> Iterator[Boards]:
    made = Boards()
    monkeypatch.setattr(board, "_mount", made.mount)
    monkeypatch.setattr(board, "_report", made.report)
    st.cache_resource.clear()
    yield made
    st.cache_resource.clear()


@dataclass
class Lists:
    """The lists and galleries of a page. given: the data of those that were shown in the last run, by key. clicks: what the browser
    reports in the next run, once, by key.
    """

    given: dict[str, dict[str, Any]] = field(default_factory=dict)
    clicks: dict[str, dict[str, Any]] = field(default_factory=dict)

    def mount(self, *, key: str, data: dict[str, Any], **acts: callbacks.Callback | None) -> None:
        """Replace the components."""
        self.given[key] = data
        send(self.clicks.pop(key, {}), acts)

    def column(self, key: str, title: str) -> list[Any]:
        """Return the values of a column of a list."""
        data = self.given[key]
        at = [column["title"] for column in data["columns"]].index(title)
        return [row["values"][at] for row in data["rows"]]

    def links(self, key: str) -> list[str]:
        """Return the links of a list's rows, or of a gallery's cards."""
        data = self.given[key]
        return [one["href"] for one in data.get("rows") or data["cards"]]

    def opened(self) -> list[str]:
        """Return the URLs of pages that were opened without a click on a link."""
        return [data["open"] for data in self.given.values() if "open" in data]

    def keys(self, key: str) -> list[str]:
        """Return the keys that the rows of a list report."""
        return [row["key"] for row in self.given[key]["rows"]]


@pytest.fixture
def lists(monkeypatch: pytest.MonkeyPatch) -> Lists:
    made = Lists()
    monkeypatch.setattr(listing, "_component", made.mount)
    monkeypatch.setattr(listing, "build_callbacks", lambda _key, acts: acts)
    monkeypatch.setattr(gallery, "_component", made.mount)
    monkeypatch.setattr(location, "_component", made.mount)
    return made


@pytest.fixture
def folder(sample: Path) -> Path:
    """The database of the pages; many modules have one of their own."""
    return sample


@pytest.fixture
def read_only(folder: Path, monkeypatch: pytest.MonkeyPatch, lists: Lists, boards: Boards) -> Path:
    """The database, which pages may read."""
    assert lists.given == boards.given == {}
    monkeypatch.setenv("ZERTZ_DB", str(folder))
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "0")
    return folder


@pytest.fixture
def own(read_only: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the database, which pages may change."""
    db = copied(read_only, tmp_path)
    monkeypatch.setenv("ZERTZ_DB", str(db))
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    return db
