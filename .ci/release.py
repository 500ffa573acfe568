"""Prepare a checkout for a release: python .ci/release.py https://host/owner/zertz-db v0.2.0

The repository's own pages have relative links, which work in every fork and offline. A package index shows README alone, so links and
pictures get absolute addresses here, and the project's addresses their host. Nothing else is changed. The tag must be the version.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_HOMEPAGE = re.compile(r'^Homepage = "(.+)"$', re.MULTILINE)
"""The project's address in pyproject.toml: a placeholder until a release knows it. Examples in docs/ have it too."""
_LINK = re.compile(r"(\]\(|(?:src|srcset|href)=\")(?![a-z]+:|#)([^)\"\s]+)")


def make_absolute(text: str, project: str, tag: str) -> str:
    """Return a page with absolute addresses: pictures as raw files, other links as pages."""

    def replace(found: re.Match[str]) -> str:
        kind = "raw" if found[2].endswith((".png", ".svg")) else "blob"
        return f"{found[1]}{project}/{kind}/{tag}/{found[2]}"

    return _LINK.sub(replace, text)


def main(root: Path, project: str, tag: str) -> None:
    """Change README.md, pyproject.toml and the pages of a checkout. Exit with a message if the tag is not the version."""
    source = (root / "zertz_db" / "__init__.py").read_text("utf-8")
    (version,) = re.findall(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    if tag != f"v{version}":
        sys.exit(f"the tag is {tag}, but the version is {version}; the tag must be v{version}")
    page, settings = root / "README.md", root / "pyproject.toml"
    page.write_text(make_absolute(page.read_text("utf-8"), project, tag), "utf-8")
    (placeholder,) = _HOMEPAGE.findall(settings.read_text("utf-8"))
    for path in (settings, *(root / "docs").glob("*.md")):
        path.write_text(path.read_text("utf-8").replace(placeholder, project), "utf-8")


if __name__ == "__main__":
    main(ROOT, *sys.argv[1:])
