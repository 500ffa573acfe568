"""Identifiers use the words of the glossary: no banned word, no function named like its module, a row for each replacement."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.project.docs.pages import DOCS, ROOT

PACKAGES = ("parser", "zertz_db", "dashboards")
REPLACEMENTS = {
    "told": "annotation",
    "said": "annotation",
    "say": "annotation",
    "says": "annotation",
    "veil": "redact",
    "withheld": "redact",
    "withhold": "redact",
    "withholding": "redact",
    "sight": "record",
    "sighted": "record",
    "lot": "batch",
    "lots": "batch",
    "stretch": "segment",
    "stretches": "segment",
    "leading": "representative record",
    "unite": "merge, split",
    "uniting": "merge, split",
    "lift": "revert",
    "fold": "materialise",
    "settle": "compact",
    "settling": "compact",
    "slicing": "external sort",
    "glimpse": "thumbnail",
    "glimpses": "thumbnail",
    "swift": "fast path",
    "thorough": "full parse",
    "deed": "move",
    "deeds": "move",
    "seldom": "prior",
    "habit": "prior",
    "habits": "prior",
    "wave": "candidate",
    "waves": "candidate",
    "placings": "embedding",
    "seat": "player game",
    "seats": "player game",
    "success": "points share",
    "balance": "tally",
    "met": "seen",
    "doomed": "to delete",
    "mend": "repair",
    "kept": "cache",
    "brought": "upload",
    "asked": "query",
    "arrange": "pack",
    "lie": "orientation",
    "lying": "orientation",
}
"""The glossary's term, by a word that no identifier has."""
BANNED_PHRASES = {
    "lay_out": "pack",
    "lay_on": "apply",
    "on_top": "overlay",
    "told_by": "pattern",
    "take_back": "revert",
}
"""The glossary's term, by a phrase of several words that no identifier has."""
EXCEPTIONS = {
    "fold_name": "case folding, as Unicode calls it",
    "fold_names": "case folding, as Unicode calls it",
    "kept": "a column of the database: whether a turn kept a forced win",
    "RING_KEPT": "a fact of the game: a placement that removes no ring",
}
"""The reason, by an identifier that has a banned word nevertheless."""
LIKE_MODULE_EXCEPTIONS = {
    "zertz_db/cli/main.py: main": "the usual name of a program's entry point",
    "zertz_db/ingest/import_paths.py: import_paths": "a public name of the package",
    "zertz_db/api/routes/check.py: check": "OpenAPI has it in a public name, the id of the operation",
    "zertz_db/api/routes/explorer.py: explorer": "OpenAPI has it in a public name, the id of the operation",
    "zertz_db/api/routes/games.py: games": "OpenAPI has it in a public name, the id of the operation",
    "zertz_db/api/routes/health.py: health": "OpenAPI has it in a public name, the id of the operation",
    "zertz_db/api/routes/search.py: search": "OpenAPI has it in a public name, the id of the operation",
    "zertz_db/rules/perft.py: perft": "the field's name of this count",
    "zertz_db/store/open_database.py: open_database": "a public name of the package",
}
"""The reason, by a function that has the name of its module nevertheless."""


class Identifier(NamedTuple):
    """A name that a file defines."""

    file: str
    name: str

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"


def sources() -> list[Path]:
    """Return every source file of the packages."""
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def identifiers(path: Path) -> Iterator[Identifier]:
    """Yield the names that a file defines: its module, functions, classes, parameters, attributes and variables of classes and modules."""
    file = path.relative_to(ROOT).as_posix()
    yield Identifier(file, path.parent.name if path.stem == "__init__" else path.stem)
    tree = ast.parse(path.read_text("utf-8"))
    for name in sorted({name for node in ast.walk(tree) for name in names_of(node)}):
        yield Identifier(file, name)


def names_of(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ClassDef(name=name, body=body):
            yield name
            yield from (name for statement in body for name in assigned(statement))
        case ast.Module(body=body):
            yield from (name for statement in body for name in assigned(statement))
        case ast.arg(arg=name):
            yield name
        case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
            yield name


def assigned(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a module or class assigns."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    for target in targets:
        yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def banned_words(name: str) -> set[str]:
    """Return the banned words and phrases of an identifier.

    >>> sorted(banned_words("lay_out_lots")), sorted(banned_words("LotsOfSeats")), banned_words("balanced")
    (['lay_out', 'lots'], ['lots', 'seats'], set())
    """
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    text = f"_{'_'.join(words)}_"
    return {word for word in words if word in REPLACEMENTS} | {
        phrase for phrase in BANNED_PHRASES if f"_{phrase}_" in text
    }


def with_banned_words() -> set[str]:
    return {
        str(identifier)
        for path in sources()
        for identifier in identifiers(path)
        if banned_words(identifier.name) and identifier.name not in EXCEPTIONS
    }


def named_like_module() -> set[str]:
    """Return the functions that have the name of their module."""
    found = set()
    for path in sources():
        if path.stem != "__init__":
            tree = ast.parse(path.read_text("utf-8"))
            functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
            found |= {f"{path.relative_to(ROOT).as_posix()}: {one.name}" for one in functions if one.name == path.stem}
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lay_out", {"lay_out"}), ("ImportLot", {"lot"}), ("_seats", {"seats"}), ("MAX_LOTS", {"lots"}), ("plot", set()),
        ("settled_at", set()), ("taken_back", set()),
    ],
)  # fmt: skip
def test_banned_words_are_found(name: str, expected: set[str]) -> None:
    assert banned_words(name) == expected


def test_every_kind_of_name_is_found() -> None:
    source = "A, (B, C) = 1, (2, 3)\nD: int = 1\nclass E:\n    f = 1\n    def g(self, h, *i, j=1, **k):\n        self.m = local = 1\n"
    tree = ast.parse(source)
    assert {name for node in ast.walk(tree) for name in names_of(node)} == {*"ABCDEfghijkm", "self"}


def test_no_identifier_has_a_banned_word() -> None:
    assert sorted(with_banned_words()) == []


def test_no_function_is_named_like_its_module() -> None:
    assert sorted(named_like_module() - LIKE_MODULE_EXCEPTIONS.keys()) == []


def test_exceptions_are_still_needed() -> None:
    present = {identifier.name for path in sources() for identifier in identifiers(path)}
    assert [name for name in EXCEPTIONS if name not in present or not banned_words(name)] == []
    assert sorted(LIKE_MODULE_EXCEPTIONS.keys() - named_like_module()) == []


def test_the_glossary_has_a_row_for_every_replacement() -> None:
    terms = set(re.findall(r"^\| ([^|]+?) \|", (DOCS / "glossary.md").read_text("utf-8"), re.MULTILINE))
    assert sorted({*REPLACEMENTS.values(), *BANNED_PHRASES.values()} - terms) == []
