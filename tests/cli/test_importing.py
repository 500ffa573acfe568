"""`zertz import` beside another import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from zertz_db.cli.main import app
from zertz_db.ingest import importing
from zertz_db.store.errors import DiskFull
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


def test_letters_that_are_said_are_remembered(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("bd4,d1; gd3,a1; d3-d5\n")
    command = ["import", str(tmp_path / "notes.txt"), "--db", str(tmp_path / "db")]
    for options, run in (([], "import 1"), (["--letters", "it"], "import 2"), ([], "nothing new: unchanged")):
        done = CliRunner().invoke(app, [*command, *options])
        assert (done.exit_code, done.stdout.endswith(f": {run}\n")) == (0, True)
    written = CliRunner().invoke(app, ["export", "--db", str(tmp_path / "db")]).stdout
    assert "1. Wd4,d1 Gd3,a1 2. x d3Wd5" in written


def test_what_is_to_be_given_again_has_the_letters(
    tmp_path: Path, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise DiskFull(tmp_path)

    monkeypatch.setattr(importing, "import_paths", full)
    done = CliRunner().invoke(app, ["import", str(games), "--db", "club.zertz", "--letters", "it"])
    assert f"zertz import {games} --db club.zertz --letters it" in str(done.exception)
