"""Run commands, or import modules, as if only the base were installed.

`python -m tests.project.packaging.without_packages` reads and writes JSON.

Input: "commands", lists of arguments; "modules" and "names", such as zertz_db.open_database. Output: for each command status, output
and errors; for each module and name the error of its import, or null.
"""

from __future__ import annotations

import importlib
import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import PathFinder
from typing import Any


class _Blocker:
    """Finder that hides every package of an extra."""

    def __init__(self, hidden: frozenset[str]) -> None:
        self._hidden = hidden

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] in self._hidden:
            return None
        return PathFinder.find_spec(name, path, target)


def block() -> None:
    """Hide the packages of all extras, except pydantic, which typer needs."""
    from zertz_db.extras import EXTRAS

    hidden = frozenset(package for extra in EXTRAS for package in EXTRAS[extra]) - {"pydantic"}
    sys.meta_path[:] = [_Blocker(hidden) if finder is PathFinder else finder for finder in sys.meta_path]


def run(arguments: list[str]) -> tuple[int, str, str]:
    """Run a command."""
    from zertz_db.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["zertz", *arguments]
    status: Any = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            status = ended.code or 0
    return int(status), out.getvalue(), err.getvalue()


def try_import(module: str) -> str | None:
    """Return the error of an import, or None."""
    try:
        importlib.import_module(module)
    except Exception as error:  # noqa: BLE001 - it is the result
        return f"{type(error).__name__}: {error}"
    return None


def get_name(path: str) -> str | None:
    """Return the error of a public name, such as `zertz_db.open_database`, or None."""
    module, _, name = path.rpartition(".")
    try:
        getattr(importlib.import_module(module), name)
    except Exception as error:  # noqa: BLE001 - it is the result
        return f"{type(error).__name__}: {error}"
    return None


if __name__ == "__main__":
    wanted = json.load(sys.stdin)
    block()
    json.dump(
        {
            "commands": [run(arguments) for arguments in wanted.get("commands", [])],
            "modules": {module: try_import(module) for module in wanted.get("modules", [])},
            "names": {path: get_name(path) for path in wanted.get("names", [])},
        },
        sys.stdout,
    )
