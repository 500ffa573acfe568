"""The package as a whole: who may be named `parser`, and what an installation brings along."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from zertz_db import samples
from zertz_db.conformance.questions import find_suite

ROOT = Path(__file__).parents[3]


def import_beside(decoys: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "import zertz_db"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=decoys,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("decoy", ["parser.py", "parser/__init__.py"])
def test_a_foreign_parser_module_is_named_with_what_to_do(tmp_path: Path, decoy: str) -> None:
    file = tmp_path / decoy
    file.parent.mkdir(exist_ok=True)
    file.write_text("")
    answer = import_beside(tmp_path)
    assert answer.returncode == 1
    last = answer.stderr.splitlines()[-1]
    assert last.startswith("ImportError: zertz_db needs its own package `parser`")
    assert str(file) in last
    assert "PYTHONPATH" in last


def test_our_own_parser_is_found(tmp_path: Path) -> None:
    assert import_beside(tmp_path).returncode == 0


def test_every_package_is_in_the_wheel() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"])
    rooms = [ROOT / "zertz_db", ROOT / "parser", ROOT / "dashboards"]
    there = {".".join(file.parent.relative_to(ROOT).parts) for room in rooms for file in room.rglob("__init__.py")}
    assert listed == there | {"zertz_db.conformance.suite", "zertz_db.data"}


def test_the_samples_lie_in_a_folder_with_an_explanation() -> None:
    assert (samples.folder() / "README.md").is_file()


def test_the_conformance_suite_lies_in_a_folder_with_its_standard() -> None:
    assert (find_suite() / "standard.md").is_file()
