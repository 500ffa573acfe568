"""Pages are short, and their lines fit a screen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.docs.pages import DOCS, README, name, prose, room_pages

README_LINES = 200
ROOM_LINES = 25
COLUMNS = 100
_LONG = re.compile(r"^(\||#|    | *<|\S+$)|https?://")
"""Lines that may be longer: tables, headings, code, pictures, single words, and lines with an address."""


def test_the_readme_is_short() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= README_LINES


@pytest.mark.parametrize("page", room_pages(), ids=name)
def test_the_readme_of_a_room_is_short_and_names_its_neighbours(page: Path) -> None:
    text = page.read_text("utf-8")
    assert len(text.splitlines()) <= ROOM_LINES
    for part in ("**Imports**: ", "**Imported by**: ", "**Add** "):
        assert part in text


@pytest.mark.parametrize("room", ["parser", "dashboards", *("zertz_db/" + room for room in (
    "rules", "check", "store", "tactics", "play", "engine", "ingest", "queries", "maintain", "edit", "export", "api", "cli"
))])  # fmt: skip
def test_every_room_has_a_readme(room: str) -> None:
    assert README.parent / room / "README.md" in room_pages()


@pytest.mark.parametrize("page", [README, *sorted(DOCS.rglob("*.md")), *room_pages()], ids=name)
def test_lines_fit(page: Path) -> None:
    long = [line for line in prose(page).splitlines() if len(line) > COLUMNS and not _LONG.search(line)]
    assert long == []
