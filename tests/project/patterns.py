"""Every regular expression that `parser` and `zertz_db` compile, their grammars' included: `python -m tests.project.patterns`."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_PACKAGE = "zertz_db"
_SUFFIXES = (".txt", ".sgf", ".zen", ".rec")
_compiler = re._compiler  # type: ignore[attr-defined] # there is no public way to see what is compiled,
_parser = re._parser  # type: ignore[attr-defined] # or how an expression is built
_SINGLE_SIGNS = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}


def record_patterns() -> list[tuple[str, int]]:
    """Import every module, take each sample through its reader and all writers; return what was compiled by our code or for our grammars.

    Each expression comes once, with its flags.
    """
    found: dict[tuple[str, int], None] = {}
    plain = _compiler.compile

    def compile_noted(pattern: Any, flags: int = 0) -> Any:
        if isinstance(pattern, str | bytes) and _is_ours():
            found[pattern if isinstance(pattern, str) else pattern.decode("latin-1"), int(flags)] = None
        return plain(pattern, flags)

    _compiler.compile = compile_noted
    try:
        for module in _modules():
            importlib.import_module(module)
        _read_and_write_samples()
    finally:
        _compiler.compile = plain
    return list(found)


def _is_ours() -> bool:
    """Whether the call of `re` comes from our code, or from the package that reads our grammars."""
    frame = sys._getframe(2)
    while frame.f_back and Path(frame.f_code.co_filename).parent.name == "re":
        frame = frame.f_back
    folders = Path(frame.f_code.co_filename).parts
    return any(name in folders for name in (_PACKAGE, "lark"))


def _modules() -> Iterator[str]:
    yield _PACKAGE
    for module in pkgutil.walk_packages(importlib.import_module(_PACKAGE).__path__, f"{_PACKAGE}."):
        if not module.name.startswith("zertz_db.dashboards."):  # importing a page draws it
            yield module.name


def _read_and_write_samples() -> None:
    from zertz_db.check.check_many import check_text
    from zertz_db.parser.dialects import WRITERS
    from zertz_db.parser.text.encoding import decode

    for path in sorted((ROOT / "data").rglob("*")):
        if path.suffix in _SUFFIXES:
            for checked in check_text(decode(path.read_bytes())[0]):
                if checked.is_game:
                    for write in WRITERS.values():
                        write(checked.completed())


def is_unsafe(pattern: str, flags: int = 0) -> bool:
    """Whether an expression repeats, possessively, a group that is not atomic.

    Python 3.11.0 to 3.11.4 read that wrongly: where the group fails in its middle, the place it had come to is taken for the end.
    The same quantifier behind an atomic group, or a single sign, is right in every version.
    """
    return any(map(_repeats_unsafely, _operations(_parser.parse(pattern, flags))))


def _operations(tree: Any) -> Iterator[tuple[str, Any]]:
    """The operations of an expression, each with its argument, those within others too."""
    for operation, argument in tree:
        yield str(operation), argument
        for part in _parts(argument):
            yield from _operations(part)


def _parts(argument: Any) -> Iterator[Any]:
    if isinstance(argument, _parser.SubPattern):
        yield argument
    elif isinstance(argument, tuple | list):
        for part in argument:
            yield from _parts(part)


def _repeats_unsafely(item: tuple[str, Any]) -> bool:
    operation, argument = item
    if operation != "POSSESSIVE_REPEAT":
        return False
    repeated = list(argument[2])
    while len(repeated) == 1 and str(repeated[0][0]) == "SUBPATTERN" and repeated[0][1][0] is None:
        repeated = list(repeated[0][1][3])
    return len(repeated) != 1 or str(repeated[0][0]) not in {*_SINGLE_SIGNS, "ATOMIC_GROUP"}


if __name__ == "__main__":
    json.dump(record_patterns(), sys.stdout)
