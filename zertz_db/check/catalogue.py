"""Provide the catalogue of findings as data, and as the page docs/findings.md (`python -m zertz_db.check.catalogue` writes it)."""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from zertz_db.check.findings import catalogue

PAGE = Path(__file__).parents[2] / "docs" / "findings.md"
_TEXTS = Path(__file__).with_name("explanations.toml")

FAMILIES = {
    "1": "Bytes and containers",
    "2": "Syntax",
    "3": "The rules of the game",
    "4": "Results and endings",
    "5": "Tags and other facts",
    "6": "Duplicates",
    "7": "Leniencies",
}
"""Meanings of a code's first digit."""

_HEAD = """# Findings

`zertz check` and `zertz import` report findings. Each has a code with a letter for its severity:

- **E**, an error: the record is illegal or unreadable, and an import rejects it.
- **W**, a warning: the record is accepted, with a doubt or a departure from the notation.
- **N**, a note: nothing is wrong.

The first digit is the family. A code never changes its meaning and is never used again. `--select`
and `--ignore` take codes and prefixes of codes. `zertz explain CODE` prints the text of this page.
The sections of the rules are those of [Rules](rules.md). [Checking](checking.md) has the options, a
pre-commit hook and a GitHub workflow.

`python -m zertz_db.check.catalogue` writes this page from `findings.py`, the readers and
`explanations.toml`. A test reads every example; each must raise its code.
"""
_WIDTH = 100
"""Columns of the page's lines; code and tables may be longer."""


class Explanation(NamedTuple):
    """A code's full explanation and an example: a record, or, after `$`, words or commands that lead to one."""

    text: str
    example: str


@cache
def explanations() -> dict[str, Explanation]:
    """Return the explanation of every code."""
    with _TEXTS.open("rb") as file:
        entries = tomllib.load(file)
    return {code: Explanation(entry["explanation"], entry["example"].strip("\n")) for code, entry in entries.items()}


def page() -> str:
    """Return the page with all codes, in Markdown."""
    kinds = sorted(catalogue().values(), key=lambda kind: (kind.code[1:], kind.code))
    parts = [_HEAD]
    for family, members in groupby(kinds, lambda kind: kind.code[1]):
        parts.append(f"## {family}xx: {FAMILIES[family]}\n")
        for kind in members:
            rule = f" (rule {kind.rule})" if kind.rule else ""
            explained = explanations()[kind.code]
            parts.append(
                f"### {kind.code}: {kind.title}{rule}\n\n{_wrapped(explained.text)}\n\n```\n{explained.example}\n```\n"
            )
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    """Break a paragraph into lines of the page's width."""
    return fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
