"""A database with puzzles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.puzzle_games import build_puzzle_games


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_puzzle_games(tmp_path_factory.mktemp("puzzles"))
