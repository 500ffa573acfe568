"""Provide the expressions of grammars' terminals without Lark: importing Lark and analysing a grammar takes 100 ms.

They are stored next to each grammar, as `*.terminals.json`. `python -m parser.text.terminals` writes those files from the grammars; a
test compares them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from parser.text.lark_recovery import parser_of

GRAMMARS = {"gipf/gipf.lark": ("record", "pieces"), "boardspace/boardspace.lark": ("start", "pieces")}
"""Grammars whose expressions are stored, with their start rules."""
_ROOT = Path(__file__).parents[1]


@cache
def expressions_of(grammar: str) -> dict[str, str]:
    """Return the stored expressions of a grammar in `GRAMMARS`, by the names of its terminals."""
    expressions: dict[str, str] = json.loads(_file_of(grammar).read_bytes())
    return expressions


def derive_expressions(grammar: str) -> dict[str, str]:
    """Return the expressions as Lark composes them."""
    terminals = parser_of(grammar, *GRAMMARS[grammar]).terminals
    return {terminal.name: terminal.pattern.to_regexp() for terminal in sorted(terminals, key=lambda one: one.name)}


def _file_of(grammar: str) -> Path:
    return (_ROOT / grammar).with_suffix(".terminals.json")


def write_expressions() -> None:
    """Write the files."""
    for grammar in GRAMMARS:
        text = json.dumps(derive_expressions(grammar), ensure_ascii=False, indent=1)
        _file_of(grammar).write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_expressions()
