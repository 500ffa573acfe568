"""The command line as people know it: help, version, completion, safe CSV, and exports that other programs open."""

from __future__ import annotations

import csv
import io
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from zertz_db import __version__
from zertz_db.cli.command_table import COMMANDS, COMPLETION_VARIABLE, PANELS
from zertz_db.parser import read

NAMES = [row.name for row in COMMANDS]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version(run: Run, option: str) -> None:
    assert run(option) == (0, f"zertz-db {__version__}\n", "")


def test_the_package_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "zertz_db", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "Usage: zertz [OPTIONS] COMMAND" in done.stdout


def test_help_of_a_command(run: Run) -> None:
    assert run("help", "check") == run("check", "--help")
    assert run("help", "conformance", "run") == run("conformance", "run", "--help")
    assert run("help") == run("--help")
    status, _, error = run("help", "nonsense")
    assert (status, "No such command 'nonsense'" in error) == (2, True)


def test_the_help_has_six_panels_with_every_command(run: Run) -> None:
    assert len(PANELS) == 6
    assert sorted(name for names in PANELS.values() for name in names) == sorted(NAMES)
    out = run("--help")[1]
    assert [out.find(f"╭─ {panel} ─") > 0 for panel in PANELS] == [True] * 6


def test_no_help_shows_a_type_for_flags_or_a_long_line(run: Run) -> None:
    for name in NAMES:
        out = run(name, "--help")[1]
        assert "<bool>" not in out, name
        assert max(map(len, out.splitlines())) <= 80, name


def test_a_paragraph_is_wrapped_once(run: Run) -> None:
    """Every line but the last of a paragraph has no room for the next word."""
    text = run("export", "--help")[1].partition("╭")[0]
    paragraph = next(part for part in text.split("\n" + " " * 80 + "\n") if "Official notation" in part)
    lines = [line.strip() for line in paragraph.splitlines()]
    assert all(len(f"{line} {after.split()[0]}") > 77 for line, after in pairwise(lines))


def complete(run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], *, shell: str = "bash") -> list[str]:
    monkeypatch.setenv(COMPLETION_VARIABLE, f"complete_{shell}")
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", " ".join(words))
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    status, out, error = run()
    assert (status, error) == (0, "")
    return [line for line in out.split("\n") if line]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["zertz", "conv"], ["convert"]),
        (["zertz", "games", "player", ":", "ad"], ["Ada"]),  # bash divides words at colons
        (["zertz", "games", "player", ":"], ["Ben", "Ada"]),
        (["zertz", "games", "--player", "be"], ["Ben"]),
        (["zertz", "games", "verdict", ":", "ver"], ["verified"]),
        (["zertz", "players", "ad"], ["Ada"]),
        (["zertz", "compare", "se"], ["sets"]),
        (["zertz", "compare", "sets", "boa"], ["board:37", "board:40"]),
        (["zertz", "insights", "poi"], ["points"]),
        (["zertz", "insights", "points", "verdict", ":", "ver"], ["verified"]),
        (["zertz", "insights", "points", "--of", "ad"], ["Ada"]),
        (["zertz", "insights", "points", "--by", "boa"], ["board"]),
        (["zertz", "stats", "endi"], ["endings"]),
        (["zertz", "games", "boa"], ["board:37", "board:40"]),  # the only field: its values
        (["zertz", "games", "nonsense", ":"], []),
        (["zertz", "nonsense", "x"], []),
    ],
)
def test_bash_completes(run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], expected: list[str]) -> None:
    found = complete(run, monkeypatch, words)
    assert found[: len(expected)] == expected
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(("shell", "expected"), [("zsh", r"player\\:ada"), ("fish", "player:Ada")])
def test_other_shells_complete_whole_words(
    run: Run, monkeypatch: pytest.MonkeyPatch, shell: str, expected: str
) -> None:
    assert expected in "\n".join(complete(run, monkeypatch, ["zertz", "games", "player:ad"], shell=shell))


def test_zsh_keeps_the_case_of_a_typed_text(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It offers no other texts; case does not matter in filters."""
    shell = "zsh"
    found = complete(run, monkeypatch, ["zertz", "games", "player:AD"], shell=shell)
    assert r'"player\\:ADa"' in "\n".join(found)


def test_completion_is_silent_without_a_database(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = ["zertz", "games", "--db", str(tmp_path / "none.zertz"), "--player", "ad"]
    assert complete(run, monkeypatch, words) == []


def test_raw_csv_has_unchanged_texts(run: Run) -> None:
    query = "SELECT '=1+1' AS text"
    assert run("sql", "--csv", query)[1] == "text\n'=1+1\n"
    assert run("sql", "--raw-csv", query)[1] == "text\n=1+1\n"
    assert run("sql", "--csv", query)[1] == "text\n'=1+1\n"
    assert run("export", "--to", "csv", "--raw-csv") == run("export", "--to", "csv")
    assert run("check", "--raw-csv", "x")[0] == 2


def test_an_export_to_sqlite_has_games_and_plies(run: Run, tmp_path: Path) -> None:
    assert run("export", "board:37", "-o", tmp_path / "games.sqlite") == (0, "", "")
    rows = list(csv.DictReader(io.StringIO(run("export", "board:37", "--to", "csv")[1])))
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as made:
        games = made.execute("SELECT id, plies, board FROM games").fetchall()
        counts = dict(made.execute("SELECT game, count(*) FROM plies GROUP BY game").fetchall())
    assert games == [(row["id"], int(row["plies"]), "37") for row in rows]
    assert counts == {row["id"]: int(row["plies"]) for row in rows if row["plies"] != "0"}


@pytest.mark.parametrize("form", ["zen", "boardspace"])
def test_an_export_to_a_dialect_reads_back(run: Run, tmp_path: Path, form: str) -> None:
    target = tmp_path / "games.txt"
    status, _, errors = run("export", "board:37", "--to", form, "-o", target)
    written = int(errors.split()[0])
    omitted = sum(int(line.split()[0]) for line in errors.splitlines() if "can't be written" in line)
    assert written + omitted == len(run("games", "board:37", "--limit", "0", "--csv")[1].splitlines()) - 1
    assert written > 0
    assert status == (1 if omitted else 0)
    assert len(list(read(target.read_text("utf-8"), form))) == written
