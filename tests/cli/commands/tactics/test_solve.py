"""`zertz solve`: the line with its boards, the winning moves, and what was searched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.queries.sample import record
from tests.tactics.samples import SAMPLES
from tests.tactics.test_hostile import EMPTY, large_board
from zertz_db.cli.main import app
from zertz_db.ingest.import_paths import import_paths
from zertz_db.tactics import refute, solve

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
        ([CLOSE.replace("6/8/10", "-6/8/10")], "the pool is written as three numbers"),
        ([CLOSE.replace("6/8/10", f"{10**9}/8/10")], "the pool is written as three numbers"),
        ([f"37 standard {EMPTY.replace('o', 'W')} 99/99/99 0/0/0 0/0/0 1"], "at most 127 of a colour"),
        (["W" * 100_000], "a position is written"),
        (["custom standard " + "/".join(["a0:oooooooooo"] * 9_000) + " 6/8/10 0/0/0 0/0/0 1"], "is named twice"),
    ],
)
def test_what_can_not_be_searched_is_a_sentence(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(app, ["solve", *arguments])
    assert sentence in str(done.exception)
    assert len(str(done.exception)) < 300


@pytest.mark.parametrize("option", ["--depth=0", "--depth=33", "--nodes=0", "--nodes=-1", f"--nodes={10**30}"])
def test_limits_out_of_range_are_refused(option: str) -> None:
    done = CliRunner().invoke(app, ["solve", CLOSE, option])
    assert done.exit_code == 2
    assert option.partition("=")[0] in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("layout", ["WGB", "WGBoBGW", "oB", "o"])
def test_a_large_board_is_answered_within_the_limit(layout: str) -> None:
    board = large_board(lambda ring: layout[ring % len(layout)])
    found = json.loads(
        run(f"custom standard {board} 6/8/10 0/0/0 0/0/0 1", "--depth", "11", "--nodes", "500", "--json")
    )
    assert found["limit"] == 500
    assert found["nodes"] <= 600
    assert found["verdict"]


def test_a_board_without_marbles_or_pool_is_searched() -> None:
    assert json.loads(run(f"37 standard {EMPTY} 0/0/0 0/0/0 0/0/0 1", "--json"))["forced"] is None


@pytest.mark.parametrize(("game", "sentence"), [("3T7K", "there is no game 3T7K"), ("x", "is too short")])
def test_an_unknown_game_is_a_sentence(sample: Path, game: str, sentence: str) -> None:
    done = CliRunner().invoke(app, ["solve", "--game", game, "--db", str(sample)])
    assert sentence in str(done.exception)


@pytest.mark.parametrize(
    ("position", "move", "lines"),
    [
        (CLOSE, "x d3Wd5", ["x d3Wd5: wins by force in 1 ply."]),
        (CLOSE.replace(" 3/0/0", " 2/0/0"), "x d3Wd5", ["x d3Wd5: no forced win within 5 plies was found."]),
        (SAMPLES[2].position, "Bd6", ["Bd6: wins by force in 3 plies."]),
    ],
)
def test_a_move_is_refuted(position: str, move: str, lines: list[str]) -> None:
    if move == "Bd6":
        move = solve(position, 3).line[0]
        lines = [line.replace("Bd6", move) for line in lines]
    printed = run(position, "--refute", move).splitlines()
    assert set(lines) <= set(printed)
    found = json.loads(run(position, "--refute", move, "--json"))
    assert found == {**solve(position).as_json(), "refutation": refute(position, move).as_json()}


def test_replies_to_a_move_that_does_not_win_are_listed() -> None:
    printed = run(CLOSE.replace(" 3/0/0", " 2/0/0"), "--refute", "x d3Wd5", "--depth", "3")
    assert "replies after which no forced win was found" in printed
    assert "proven" in printed


def test_an_illegal_move_to_refute_is_a_sentence() -> None:
    done = CliRunner().invoke(app, ["solve", CLOSE, "--refute", "Wa1"])
    assert "a capture is possible and so compulsory" in str(done.exception)


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
