"""The README's examples are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import parser
import zertz_db
from zertz_db.cli.main import app

ROOT = Path(__file__).parents[2]


def test_the_python_examples_of_the_readme() -> None:
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (outcome.failed, outcome.attempted > 0) == (0, True)


def test_the_commands_of_the_readme_exist() -> None:
    named = set(re.findall(r"^(?:\$ |\.venv/bin/)?zertz (\w+)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE))
    known = {command.name for command in app.registered_commands}
    assert named and named <= known


def modules() -> list[str]:
    found = []
    for package in (parser, zertz_db):
        found += [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [name for name in found if ".data" not in name]


@pytest.mark.parametrize("name", modules())
def test_the_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
