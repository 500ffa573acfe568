"""Find the test files that are nearest to a module: few imports lie between them."""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterator
from functools import cache
from os.path import commonpath
from pathlib import Path, PurePath

ROOMS_OF_TESTS = (
    "api", "check", "cli", "cluster", "conformance", "dashboards", "edit", "engine", "export", "ingest", "maintain", "parser", "play",
    "project", "queries", "rules", "sources", "store", "tactics", "variations",
)  # fmt: skip
"""Folders of `tests` that run without a browser or a private archive."""


_FAR = 1000
_WORD = re.compile(r'"([\w-]+)"')
_COMMAND = re.compile(r'Command\(\s*"([\w-]+)",\s*"([\w.]+)"')


class NearTests:
    """The imports of a checkout, read without running it."""

    def __init__(self, root: Path, names: list[str]) -> None:
        """Read the Python files `names` below `root`."""
        self._root = root
        self._files = {_module(PurePath(name)): name for name in names if name.endswith(".py")}
        table = self._files.get("zertz_db.cli.command_table")
        self._commands = _COMMAND.findall((root / table).read_text("utf-8")) if table else []
        self._importers: dict[str, set[str]] = {}
        for module, name in self._files.items():
            for imported in self._imports_of(name):
                self._importers.setdefault(imported, set()).add(module)

    def tests_of(self, path: PurePath) -> list[str]:
        """Return the test files that may notice a change of the module at `path`, the nearest first.

        A test file imports the module that it is named after, and a test of the command line the commands that it runs. Of files that
        are equally near, those of the same folder come first, then those that contain the module's name, then small ones: they are
        quick. The other tests of the room come last.
        """
        distances = self._distances(_module(path))
        room = _room_of_tests(path)
        mirror = PurePath("tests", *path.parts[path.parts[0] == "zertz_db" :])
        tests = [
            (distances.get(module, _FAR), name)
            for module, name in self._files.items()
            if _is_test(name) and (module in distances or PurePath(name).is_relative_to(room))
        ]

        def remoteness(test: tuple[int, str]) -> tuple[int, int, bool, int]:
            distance, name = test
            content = (self._root / name).read_bytes()
            shared = len(commonpath([name, mirror]).split("/"))
            return distance, -shared, path.stem.encode() not in content, len(content)

        return [name for _, name in sorted(tests, key=remoteness)]

    def _distances(self, module: str) -> dict[str, int]:
        distances = {module: 0}
        waiting = deque([module])
        while waiting:
            each = waiting.popleft()
            for importer in sorted(self._importers.get(each, ())):
                if importer not in distances:
                    distances[importer] = distances[each] + 1
                    waiting.append(importer)
        return distances

    def _imports_of(self, name: str) -> Iterator[str]:
        for node in ast.walk(ast.parse((self._root / name).read_bytes())):
            match node:
                case ast.Import(names=aliases):
                    yield from (alias.name for alias in aliases)
                case ast.ImportFrom(module=str(module), names=aliases):
                    yield from (self._home(module, alias.name) for alias in aliases)
        if _is_test(name):
            yield from self._mirrored(PurePath(name))
        if name.startswith("tests/cli/"):
            words = {*_WORD.findall((self._root / name).read_text("utf-8"))}
            yield from (f"zertz_db.cli.{module}" for command, module in self._commands if command in words)

    def _home(self, module: str, name: str) -> str:
        """Return the module of a name: a package that lists public names has them from its modules."""
        if f"{module}.{name}" in self._files:
            return f"{module}.{name}"
        file = self._files.get(module, "")
        return _imported_names(self._root / file).get(name, module) if file.endswith("__init__.py") else module

    def _mirrored(self, test: PurePath) -> Iterator[str]:
        """Yield the modules of the room with the test's name, in any folder."""
        room, name = test.parts[1], test.stem.removeprefix("test_")
        for module in self._files:
            if module.startswith(f"zertz_db.{room}.") and module.rpartition(".")[2].removesuffix("_") == name:
                yield module


@cache
def _imported_names(file: Path) -> dict[str, str]:
    imports = (node for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.ImportFrom))
    return {alias.name: node.module for node in imports if node.module for alias in node.names}


def _is_test(name: str) -> bool:
    parts = PurePath(name).parts
    return parts[0] == "tests" and parts[1] in ROOMS_OF_TESTS and parts[-1].startswith("test_")


def _room_of_tests(path: PurePath) -> PurePath:
    """Return the folder of tests that mirrors a room."""
    if path.parts[0] != "zertz_db":
        return PurePath("tests", path.parts[0])
    return PurePath("tests", path.parts[1] if len(path.parts) > 2 else "project")


def _module(path: PurePath) -> str:
    """Return the name that a module is imported by: the rooms at the top are parts of `zertz_db`."""
    package = () if path.parts[0] in ("zertz_db", "tests") else ("zertz_db",)
    return ".".join((*package, *path.with_suffix("").parts)).removesuffix(".__init__")
