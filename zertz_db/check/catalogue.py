"""The catalogue of findings with explanations and examples, as data and as a page: python -m zertz_db.check.catalogue writes docs/findings.md."""

from __future__ import annotations

import tomllib
from functools import cache
from itertools import groupby
from pathlib import Path
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
"""What the first digit of a code says."""

_HEAD = """# Findings

Everything that `zertz check` and `zertz import` can say of a record has a code. The letter says how grave it is: **E** an error (the
record is illegal or unreadable, and an import rejects it), **W** a warning (it is accepted, with a doubt or a departure from the notation),
**N** a note (nothing is wrong). The first digit is the family. A code is never given another meaning and never used again; `--select` and
`--ignore` take codes and their beginnings, `zertz explain CODE` prints what stands here. Sections of the rules are those of
[the rules as they are checked](rules.md).

## In a workflow

`zertz check` ends with status 1 if it finds an error, so it can guard a repository of records. A hook for [pre-commit](https://pre-commit.com)
is in `.pre-commit-hooks.yaml`; it checks `.sgf`, `.zen` and `.gipf` files, or those that you name:

```yaml
- repo: https://example.org/zertz-db   # where this repository is
  rev: main
  hooks:
    - id: zertz-check
      files: ^games/
      args: [--strict, --ignore, "W7"]
```

On GitHub, `--format github` puts each finding at its line of the change (`.github/workflows/records.yml`):

```yaml
on: [push, pull_request]
jobs:
  records:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {python-version: "3.12"}
      - run: pip install git+https://example.org/zertz-db
      - run: zertz check games --format github --strict --ignore W7
```

For other machines there are `--format json` (one array) and `jsonl` (a record a line), `--statistics` for a first look at many records, and
`--exit-zero` where findings are not to stop anything.

## The codes

This page is written by `python -m zertz_db.check.catalogue` from `findings.py`, the readers and `explanations.toml`; every example is read
by a test and raises its code.
"""


class Explanation(NamedTuple):
    """What a code means at length, and an example: a record, or, if it begins with `$`, words and commands that lead to one."""

    text: str
    example: str

    @property
    def is_record(self) -> bool:
        """Whether the example is a record that can be checked."""
        return not self.example.startswith("$")


@cache
def explanations() -> dict[str, Explanation]:
    """The explanation of every code."""
    with _TEXTS.open("rb") as file:
        found = tomllib.load(file)
    return {code: Explanation(entry["explanation"], entry["example"].strip("\n")) for code, entry in found.items()}


def page() -> str:
    """The page with all codes, in Markdown."""
    kinds = sorted(catalogue().values(), key=lambda kind: (kind.code[1:], kind.code))
    parts = [_HEAD]
    for family, members in groupby(kinds, lambda kind: kind.code[1]):
        parts.append(f"### {family}xx: {FAMILIES[family]}\n")
        for kind in members:
            rule = f" (rule {kind.rule})" if kind.rule else ""
            explained = explanations()[kind.code]
            parts.append(f"#### {kind.code}: {kind.title}{rule}\n\n{explained.text}\n\n```\n{explained.example}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
