"""`zertz import` beside another import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zertz_db.store.lock import importers_lock

ROOT = Path(__file__).parents[2]


def start(db: Path, games: Path, wait: str) -> subprocess.Popen[str]:
    command = "from zertz_db.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", command, "import", str(games), "--db", str(db), "--wait", wait],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    path.write_text('[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n')
    return path


@pytest.mark.parametrize("wait", ["0", "0.3"])
def test_a_second_import_fails_with_status_2_and_names_the_holder(tmp_path: Path, games: Path, wait: str) -> None:
    with importers_lock(tmp_path / "games.zertz"):
        second = start(tmp_path / "games.zertz", games, wait)
        _, words = second.communicate()
    assert second.returncode == 2
    assert f"is being changed by process {os.getpid()} on " in words
    assert "Traceback" not in words


def test_a_second_import_waits_for_the_first_and_says_for_whom(tmp_path: Path, games: Path) -> None:
    with importers_lock(tmp_path / "games.zertz"):
        second = start(tmp_path / "games.zertz", games, "60")
        assert second.stderr
        words = second.stderr.readline()
    out, _ = second.communicate()
    assert f"waiting up to 60 s for process {os.getpid()} on " in words
    assert second.returncode == 0
    assert "1 stored" in out
