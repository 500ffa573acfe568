"""The sample archives of zertz-db."""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """Return the folder of the samples: inside the installed package, or `data/` in a checkout."""
    package = Path(__file__).parent
    installed = package / "data"
    return installed if installed.is_dir() else package.parent / "data"
