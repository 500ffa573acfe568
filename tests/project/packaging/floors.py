"""Print the lowest versions that pyproject.toml allows, as requirements of pip: `python -m tests.project.packaging.floors [EXTRA…]`."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]


def list_floors(*extras: str) -> list[str]:
    """Return a pin for each requirement of the base and of some extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    requirements = [
        *project["dependencies"],
        *(one for extra in extras for one in project["optional-dependencies"][extra]),
    ]
    return [re.sub(r">=([\w.]+)[^;]*", r"==\1", one) for one in requirements if not one.startswith("zertz-db[")]


if __name__ == "__main__":
    print("\n".join(list_floors(*sys.argv[1:] or ("db", "fast"))))
