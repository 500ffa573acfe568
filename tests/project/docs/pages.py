"""The pages for people: where they are, and their parts that tests look at."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[3]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
FINDINGS = DOCS / "findings.md"
"""The generated page. Its examples have a test of their own."""
GUIDES = [README, *sorted(page for page in DOCS.rglob("*.md") if page != FINDINGS)]
"""The pages whose commands, answers and Python examples are tested here."""
_FENCE = re.compile(r"^( *)```[^\n]*\n(?:.*\n)*?\1```$", re.MULTILINE)


def all_pages() -> list[Path]:
    """Return every Markdown page of the repository: those that git knows, or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):  # a copy without git
        listed = [str(page) for page in ROOT.rglob("*.md") if not {".venv", "build"} & set(page.parts)]
    return sorted({ROOT / name for name in listed if name and (ROOT / name).is_file()})


def room_pages() -> list[Path]:
    """Return the README of every room: all but those of the repository, the pages and the samples."""
    elsewhere = {README, DOCS / "README.md", *(ROOT / folder / "README.md" for folder in ("data", "conformance"))}
    return [page for page in all_pages() if page.name == "README.md" and page not in elsewhere]


def prose(page: Path) -> str:
    """Return the text of a page without its code blocks; each of their lines is left empty."""
    return _FENCE.sub(lambda block: "\n" * block[0].count("\n"), page.read_text("utf-8"))


def name(page: Path) -> str:
    """Return the path of a page inside the repository."""
    return page.relative_to(ROOT).as_posix()
