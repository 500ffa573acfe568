"""The package as a whole: its top-level name, and what an installation brings along."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from zertz_db import samples
from zertz_db.conformance.questions import find_suite

ROOT = Path(__file__).parents[3]
IMPORT_READERS = """
from importlib import import_module
from zertz_db import dashboards, parser
for dialect in parser.DIALECTS:
    for module in filter(None, (dialect.reader, dialect.writer, dialect.name_fields)):
        import_module(module)
print(next(parser.read("1. Wd4,d1 *")).dialect)
"""


@pytest.mark.parametrize("decoy", ["parser.py", "parser/__init__.py", "dashboards.py", "dashboards/__init__.py"])
def test_a_foreign_module_of_a_room_s_name_does_not_matter(tmp_path: Path, decoy: str) -> None:
    file = tmp_path / decoy
    file.parent.mkdir(exist_ok=True)
    file.write_text("raise AssertionError('a foreign module was imported')")
    answer = subprocess.run(
        [sys.executable, "-c", IMPORT_READERS],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.stdout, answer.stderr) == ("gipf\n", ""), answer.stderr


def test_a_checkout_without_symbolic_links_works(tmp_path: Path) -> None:
    for name in ("parser", "dashboards"):
        shutil.copytree(ROOT / name, tmp_path / name)
    links = {str(ROOT / "zertz_db"): ["parser", "dashboards"]}
    shutil.copytree(ROOT / "zertz_db", tmp_path / "zertz_db", ignore=lambda folder, _: links.get(folder, []))
    (tmp_path / "zertz_db" / "parser").write_text("../parser")  # as git writes a link on Windows
    show = "; from zertz_db import check_text; print(parser.__file__)"
    answer = subprocess.check_output([sys.executable, "-c", IMPORT_READERS + show[2:]], cwd=tmp_path, text=True)
    assert answer.split() == ["gipf", str(tmp_path / "parser" / "__init__.py")]


def test_the_wheel_installs_one_top_level_name() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    assert {package.partition(".")[0] for package in listed} == {"zertz_db"}


def test_every_package_is_in_the_wheel() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"])
    rooms = [ROOT / "zertz_db", ROOT / "parser", ROOT / "dashboards"]
    there = {".".join(file.parent.relative_to(ROOT).parts) for room in rooms for file in room.rglob("__init__.py")}
    there = {package if package.startswith("zertz_db") else f"zertz_db.{package}" for package in there}
    assert listed == there | {"zertz_db.conformance.suite", "zertz_db.data"}


def test_the_samples_lie_in_a_folder_with_an_explanation() -> None:
    assert (samples.folder() / "README.md").is_file()


def test_the_conformance_suite_lies_in_a_folder_with_its_standard() -> None:
    assert (find_suite() / "standard.md").is_file()
