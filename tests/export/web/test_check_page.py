"""The checker of a site, which Pyodide runs, agrees with ours: all verdicts and findings of the samples."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from zertz_db import samples
from zertz_db.check.check_many import check_text
from zertz_db.export.web.checker import collect_checker
from zertz_db.export.web.site import FRONTEND

DRIVER = Path(__file__).with_name("check_driver.mjs")


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the unpacked package: the folder that ZERTZ_PYODIDE names, else npm's."""
    if given := os.environ.get("ZERTZ_PYODIDE"):
        return Path(given)
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("pyodide")
    if npm is None or subprocess.run([npm, "pack", "pyodide"], cwd=folder, capture_output=True, check=False).returncode:
        pytest.skip("npm is missing or has no network")
    shutil.unpack_archive(next(folder.glob("*.tgz")), folder, filter="data")
    return folder / "package"


def read_samples() -> dict[str, str]:
    """Return the texts of the samples by name, also those in archives."""
    found: dict[str, bytes] = {}
    for path in sorted(path for path in samples.folder().rglob("*") if path.is_file()):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                found |= {f"{path.name}:{name}": archive.read(name) for name in archive.namelist()}
        else:
            found[path.name] = path.read_bytes()
    return {name: content.decode("utf-8", "replace") for name, content in found.items()}


def check_here(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(json.dumps([one.as_json() for one in check_text(text)], default=str))
    return found


@pytest.mark.long
def test_pyodide_checks_all_samples_as_python_does(pyodide: Path, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is missing")
    shutil.copytree(FRONTEND, tmp_path, dirs_exist_ok=True)
    (tmp_path / "checker").mkdir()
    for name, content in collect_checker(pyodide).items():
        (tmp_path / name).write_bytes(content)
    texts = read_samples()
    lines = "".join(json.dumps(text) + "\n" for text in texts.values())
    done = subprocess.run([node, str(DRIVER), str(tmp_path)], input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(len(records) for records in answers) > 500
    for (name, text), records in zip(texts.items(), answers, strict=True):
        assert records == check_here(text), name
