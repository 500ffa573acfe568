"""The Python examples of README, docs/ and docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import zertz_db
from tests.project.docs.pages import DOCS, GUIDES, README, name

PROGRAMS = ("zertz_db.data", "zertz_db.dashboards.views", "zertz_db.dashboards.app")
"""Samples, and pages: importing a page draws it."""
WITH_EXAMPLES = [page for page in GUIDES if ">>> " in page.read_text("utf-8")]


def test_the_readme_and_the_page_on_python_have_examples() -> None:
    assert {README, DOCS / "python.md"} <= set(WITH_EXAMPLES)


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_the_python_examples_of_pages(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (outcome.failed, outcome.attempted > 0) == (0, True)


def modules() -> list[str]:
    found = [module.name for module in pkgutil.walk_packages(zertz_db.__path__, "zertz_db.")]
    return [name for name in found if not name.startswith(PROGRAMS)]


@pytest.mark.parametrize("module", modules())
def test_the_examples_in_docstrings(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0
