"""`zertz import` beside another import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from zertz_db.cli.main import app
from zertz_db.ingest import import_paths
from zertz_db.store.errors import DiskFull
from zertz_db.store.folder import generations
from zertz_db.store.folder.lock import importers_lock

ROOT = Path(__file__).parents[3]


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


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_the_next_import_says_that_it_resumes_a_stopped_one(
    tmp_path: Path, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["import", str(games), "--db", str(tmp_path / "games.zertz")]
    with monkeypatch.context() as patch:
        patch.setattr(generations, "publish", interrupt)
        assert CliRunner().invoke(app, command).exit_code
    info = CliRunner().invoke(app, ["info", "--db", str(tmp_path / "games.zertz")])
    assert "its first import was stopped" in str(info.exception)
    resumed = CliRunner().invoke(app, command)
    assert resumed.exit_code == 0
    assert resumed.stderr == "Going on with an import that was stopped: 1 record is done.\n"
    assert CliRunner().invoke(app, command).stderr == ""


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


def test_a_corrected_file_is_told_and_replaced(tmp_path: Path) -> None:
    file, db = tmp_path / "games.txt", tmp_path / "db"
    text = '[Board "37"]\n[Player1 "{}"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n'
    command = ["import", str(file), "--db", str(db)]

    def run(*options: str) -> list[str]:
        done = CliRunner().invoke(app, [*command, *options])
        assert done.exit_code == 0
        return done.stdout.splitlines()

    file.write_text(text.format("Ada"))
    assert len(run()) == 2
    file.write_text(text.format("Eva"))
    first, missing, place, remedy, state = run()
    assert first == "1 record read = 1 stored + 0 duplicate + 0 rejected"
    assert missing == "the files no longer have 1 stored record; 1 game would go with it:"
    assert place.startswith(f"  {file}:1: game ")
    assert place.endswith(", of which this is the only record")
    assert (remedy, state) == (f"to withdraw it: zertz import {file} --db {db} --replace", f"database {db}: import 2")
    first, withdrawn, place, state = run("--replace")
    assert first == "1 record read = 0 stored + 1 duplicate + 0 rejected"
    assert withdrawn == "withdrawn: 1 stored record that the files no longer have, and 1 game with it"
    assert state == f"database {db}: import 3"
    undone = CliRunner().invoke(app, ["undo", "3", "--db", str(db)]).stdout
    assert "it had withdrawn 1 record" in undone


def test_every_count_is_the_same_though_files_are_copies(tmp_path: Path) -> None:
    """By the import, the list of imports, what the database holds, and the list of rejects."""
    good = '[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n'
    bad = '[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. Wa2,b1\n'
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / "files").mkdir(exist_ok=True)
        (tmp_path / "files" / name).write_text(good + "\n" + bad)
    db = ["--db", str(tmp_path / "db")]

    def run(*words: str) -> str:
        return CliRunner().invoke(app, [*words, *db]).stdout

    assert run("import", str(tmp_path / "files")).startswith("6 records read = 1 stored + 2 duplicate + 3 rejected\n")
    [row] = json.loads(run("imports", "--json"))
    assert [row[name] for name in ("sources", "records", "stored", "duplicate", "rejected")] == [3, 6, 1, 2, 3]
    held = {row["status"]: row["records"] for row in json.loads(run("info", "--json"))["records"]}
    assert held == {"stored": 1, "duplicate": 2, "rejected": 3}
    assert [line.split(":")[0].rpartition("/")[2] for line in run("imports", "--rejects", "1").splitlines()] == [
        "a.txt", "b.txt", "c.txt",
    ]  # fmt: skip


def test_what_is_to_be_given_again_has_the_letters(
    tmp_path: Path, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise DiskFull(tmp_path)

    monkeypatch.setattr(import_paths, "import_paths", full)
    done = CliRunner().invoke(app, ["import", str(games), "--db", "club.zertz", "--letters", "it"])
    assert f"zertz import {games} --db club.zertz --letters it" in str(done.exception)
