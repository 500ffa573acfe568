"""`zertz solve`: the line with its boards, the winning moves, and what was searched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.queries.sample import record
from zertz_db.cli.main import app
from zertz_db.ingest.import_paths import import_paths
from zertz_db.tactics import solve

CLOSE = "37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1"


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["solve", *arguments])
    assert done.exit_code == 0, done.exception
    return done.stdout


def test_a_win_is_printed_with_its_boards_and_all_winning_moves() -> None:
    lines = run(CLOSE).splitlines()
    assert "Player 1: forced win in 1 ply. 0 positions examined." in lines
    assert "1. x d3Wd5" in lines
    assert lines[-2:] == ["x d3Wd5      1", "x d4Wd2      1"]
    assert sum(line.endswith("a  b  c  d  e  f  g") for line in lines) == 2


def test_without_a_win_the_answer_names_what_was_searched() -> None:
    assert "no forced win found within 3 plies, searched completely" in run("--depth", "3")


def test_json_is_the_solution_of_the_library() -> None:
    assert json.loads(run(CLOSE, "--depth", "3", "--nodes", "1000", "--json")) == solve(CLOSE, 3, 1000).as_json()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--depth", "4"], "a forced win takes an odd number of plies"),
        (["--rules", "standard+written"], "written claims can't be searched"),
        ([CLOSE.replace(" 3/0/0", " 4/0/0")], "the game is over"),
        ([CLOSE, "--board", "48"], "give one start"),
    ],
)
def test_what_can_not_be_searched_is_a_sentence(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(app, ["solve", *arguments])
    assert sentence in str(done.exception)


def test_a_position_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text(
        record("one", "Ada", "Ben", "2010.05.01", "1. Wd4,d1 Bd3,a1 *", Board="37"), "utf-8"
    )
    import_paths([tmp_path / "a.txt"], tmp_path / "zertz-db")
    monkeypatch.chdir(tmp_path)
    games = json.loads(CliRunner().invoke(app, ["games", "--db", "zertz-db", "--json"]).stdout)
    found = json.loads(run("--game", games[0]["id"], "--ply", "1", "--json", "--db", "zertz-db"))
    assert found["position"].endswith(" 2")
    assert found["forced"] is None
