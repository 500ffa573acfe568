"""Every relative link and anchor of every page leads somewhere."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.project.docs.pages import DOCS, ROOT, all_pages, name, prose

_LINK = re.compile(r"\]\(([^()\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)


def links(page: Path) -> list[str]:
    """Return the targets of a page's links and pictures inside the repository."""
    text = _CODE.sub("", prose(page))
    targets = [found[1] or found[2] for found in _LINK.finditer(text)]
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them: repeated ones are numbered."""
    seen: Counter[str] = Counter()
    found = set()
    for heading in _HEADING.findall(prose(page)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


@pytest.mark.parametrize("page", all_pages(), ids=name)
def test_links_resolve(page: Path) -> None:
    broken = []
    for target in links(page):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


def test_every_page_is_in_the_index() -> None:
    listed = {(DOCS / link.partition("#")[0]).resolve() for link in links(DOCS / "README.md")}
    assert {page for page in DOCS.rglob("*.md") if page.name != "README.md"} <= listed


def test_every_picture_is_shown() -> None:
    shown = {(page.parent / link).resolve() for page in all_pages() for link in links(page)}
    assert set((DOCS / "images").iterdir()) <= shown


def test_no_page_lies_outside_the_pages_and_rooms() -> None:
    rooms = ("parser", "zertz_db", "dashboards", ".github")
    places = {page.parent.relative_to(ROOT).parts[:1] for page in all_pages()}
    assert places <= {(), ("docs",), ("data",), ("conformance",), *((room,) for room in rooms)}
