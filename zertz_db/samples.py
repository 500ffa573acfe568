"""The sample archives that come with zertz-db."""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """Where the samples lie: inside the installed package, or, in a checkout, in `data/` beside it."""
    package = Path(__file__).parent
    installed = package / "data"
    return installed if installed.is_dir() else package.parent / "data"
