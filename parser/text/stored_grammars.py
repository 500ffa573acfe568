"""Provide parsers and expressions of grammars without analysing the grammars, which takes 50 to 100 ms each.

Next to a grammar lie the expressions of its terminals (`*.terminals.json`, which need no Lark) and the tables of its parsers
(`*.RULE.tables.json`). `python -m zertz_db.parser.text.stored_grammars` writes them. They count only for the text of the grammar,
and tables only for the version of Lark, from which they were made. Otherwise the grammar is analysed.
"""

from __future__ import annotations

import io
import json
import pickle
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from lark import Lark

STORED = (
    ("gipf/gipf.lark", ("record", "pieces")),
    ("gipf/gipf.lark", ("by_ply",)),
    ("boardspace/boardspace.lark", ("start", "pieces")),
)
"""Grammars below `parser`, and the start rules of the parsers whose tables are stored."""
_ROOT = Path(__file__).parents[1]


@cache
def parser_of(grammar: str, *starts: str) -> Lark:
    """Return the LALR parser of a grammar, such as `gipf/gipf.lark` below `parser`, loaded or built on first use."""
    return _load(grammar, starts) or build_parser(grammar, *starts)


def build_parser(grammar: str, *starts: str) -> Lark:
    """Return the parser, made from the grammar's text."""
    from lark import Lark

    return Lark.open(
        str(_ROOT / grammar), import_paths=[str(_ROOT)], parser="lalr", start=list(starts), maybe_placeholders=False
    )


@cache
def expressions_of(grammar: str) -> dict[str, str]:
    """Return the expressions of a grammar's terminals by name, composed as Lark composes them."""
    stored = _read(_terminals_file(grammar))
    if stored and stored["grammar"] == _checksum(grammar):
        expressions: dict[str, str] = stored["terminals"]
        return expressions
    return derive_expressions(grammar)


def derive_expressions(grammar: str) -> dict[str, str]:
    """Return the expressions, made from the grammar's text."""
    starts = next(rules for name, rules in STORED if name == grammar)
    terminals = sorted(build_parser(grammar, *starts).terminals, key=lambda terminal: terminal.name)
    return {terminal.name: terminal.pattern.to_regexp() for terminal in terminals}


def _load(grammar: str, starts: tuple[str, ...]) -> Lark | None:
    if (grammar, starts) not in STORED:
        return None
    import lark

    stored = _read(_tables_file(grammar, starts))
    if not stored or stored["lark"] != lark.__version__ or stored["grammar"] != _checksum(grammar):
        return None
    loaded: Lark = lark.Lark.load(stored["parser"])
    return loaded


def _read(file: Path) -> dict[str, Any] | None:
    try:
        return json.loads(file.read_bytes(), object_hook=_with_numbers)  # type: ignore[no-any-return]
    except FileNotFoundError:
        return None


def _with_numbers(item: dict[str, Any]) -> dict[Any, Any]:
    """Return an object with its keys as they were before they were written: JSON turns numbers into texts."""
    return {int(key) if key.isdigit() else key: value for key, value in item.items()}


def _terminals_file(grammar: str) -> Path:
    return (_ROOT / grammar).with_suffix(".terminals.json")


def _tables_file(grammar: str, starts: tuple[str, ...]) -> Path:
    return (_ROOT / grammar).with_suffix(f".{starts[0]}.tables.json")


def _checksum(grammar: str) -> int:
    return crc32((_ROOT / grammar).read_bytes().replace(b"\r\n", b"\n"))


def _write_all() -> None:
    for grammar, starts in STORED:
        text = json.dumps(_tables(grammar, starts), ensure_ascii=False, separators=(",", ":"))
        _tables_file(grammar, starts).write_text(text + "\n", encoding="utf-8", newline="\n")
        expressions = {"grammar": _checksum(grammar), "terminals": derive_expressions(grammar)}
        text = json.dumps(expressions, ensure_ascii=False, indent=1)
        _terminals_file(grammar).write_text(text + "\n", encoding="utf-8", newline="\n")


def _tables(grammar: str, starts: tuple[str, ...]) -> dict[str, Any]:
    import lark

    buffer = io.BytesIO()
    build_parser(grammar, *starts).save(buffer)
    saved = pickle.loads(buffer.getvalue())  # noqa: S301 - it was made here
    saved["data"]["options"] |= {"import_paths": [], "source_path": None}
    return {"lark": lark.__version__, "grammar": _checksum(grammar), "parser": saved}


if __name__ == "__main__":
    _write_all()
