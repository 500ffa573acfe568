from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder for a database."""
    return tmp_path / "games.zertz"
