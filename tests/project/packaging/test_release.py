"""What publishing changes, and files that hosts and package indexes read."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import zertz_db
from tests.project.docs.pages import ROOT

PROJECT = "https://host.example/owner/zertz-db"
TAG = f"v{zertz_db.__version__}"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def load_release() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](docs/api.md)", f"[a]({PROJECT}/blob/v1/docs/api.md)"),
        ("[a](docs/api.md#limits)", f"[a]({PROJECT}/blob/v1/docs/api.md#limits)"),
        ('<img src="docs/images/game.png">', f'<img src="{PROJECT}/raw/v1/docs/images/game.png">'),
        (
            '<source srcset="docs/images/game-dark.png">',
            f'<source srcset="{PROJECT}/raw/v1/docs/images/game-dark.png">',
        ),
        ("[a](https://x.example/y) [b](#links)", "[a](https://x.example/y) [b](#links)"),
    ],
)
def test_links_become_absolute(text: str, expected: str) -> None:
    assert load_release().make_absolute(text, PROJECT, "v1") == expected


def test_a_release_changes_readme_and_addresses(tmp_path: Path) -> None:
    for name in ("README.md", "pyproject.toml", "zertz_db/__init__.py", "docs/checking.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    load_release().main(tmp_path, PROJECT, TAG)
    page = (tmp_path / "README.md").read_text("utf-8")
    assert f'src="{PROJECT}/raw/{TAG}/docs/images/game.png"' in page
    assert re.findall(r'\]\((?!https?:|#)|(?:src|srcset)="(?!https?:)', page) == []
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert all(url.startswith(PROJECT) for url in urls.values())
    assert f"git+{PROJECT}\n" in (tmp_path / "docs/checking.md").read_text("utf-8")


def test_a_tag_must_be_the_version(tmp_path: Path) -> None:
    (tmp_path / "zertz_db").mkdir()
    shutil.copy(ROOT / "zertz_db" / "__init__.py", tmp_path / "zertz_db")
    with pytest.raises(SystemExit, match="the tag must be v"):
        load_release().main(tmp_path, PROJECT, "v9")


def test_the_version_is_named_alike_everywhere() -> None:
    assert f"version: {zertz_db.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"## [{zertz_db.__version__}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f'"version": "{zertz_db.__version__}"' in (ROOT / "zertz_db/api/openapi.json").read_text("utf-8")


def test_pythons_are_those_of_the_workflow() -> None:
    versions = [one.rpartition(" ")[2] for one in SETTINGS["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    workflow = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    assert f'python: ["{versions[0]}", "{versions[-1]}"]' in workflow
    assert SETTINGS["requires-python"] == f">={versions[0]}"


def test_workflows_and_images_install_extras_that_exist() -> None:
    files = [*(ROOT / ".github/workflows").iterdir(), ROOT / "Dockerfile", ROOT / "Makefile", ROOT / ".ci/run"]
    named = {
        extra
        for file in files
        for extras in re.findall(r"(?:\.|whl\)?)\[([a-z,]+)\]", file.read_text("utf-8"))
        for extra in extras.split(",")
    }
    assert {"db", "fast", "dashboard", "all"} <= named <= set(SETTINGS["optional-dependencies"])
