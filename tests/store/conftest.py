from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a database is made."""
    return tmp_path / "games.zertz"
