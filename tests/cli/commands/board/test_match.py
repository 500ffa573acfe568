"""`zertz match` and `zertz engine`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.engine.matches.programs import GREETS, LEGAL, write_program

GAMES = ("--games", 4, "--board", "40", "--seconds", 60)  # no move takes so long, on a busy machine either


def test_a_match_prints_its_score_and_stores_verified_games(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "new.zertz"
    status, shown, reported = run("match", "easy", "random", *GAMES, "--jobs", 2, "--db", db)
    assert status == 0
    assert shown.startswith("easy-bot 4 : 0 random-bot\n4 games: 4 wins of easy-bot, 0 wins of random-bot, 0 ties;")
    assert "easy-bot is stronger by ∞ Elo points (95 % interval: +7 to ∞)" in shown
    assert reported.endswith(f"stored in {db}: 4 games\n")
    listed = run("games", "kind:bot-bot board:40", "--db", db, "--csv")[1]
    assert listed.count("verified") == 4


def test_the_stronger_player_is_named_first(run: Run) -> None:
    shown = run("match", "random", "easy", *GAMES)[1]
    assert "easy-bot is stronger by ∞ Elo points (95 % interval: +7 to ∞)" in shown


def test_a_database_that_cannot_be_opened_is_refused_before_the_games(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for command in (["match", "random", "random"], ["play"]):
        status, shown, error = run(*command, "--db", file)
        assert (status, shown) == (2, "")
        assert "is a file" in error


def test_json_has_the_games(run: Run, tmp_path: Path) -> None:
    found = json.loads(run("match", "greedy", "random", "--games", 3, "--json", "--db", tmp_path / "new.zertz")[1])
    assert found["players"] == ["greedy-bot", "random-bot"]
    assert found["wins"] + found["ties"] + found["losses"] == len(found["games"]) == 3
    assert found["elo"][2] is None or found["losses"]


def test_a_program_plays_and_its_faults_are_reported(run: Run, tmp_path: Path) -> None:
    assert "Plain-bot" in run("match", write_program(tmp_path, LEGAL), "random", "--games", 2)[1]
    bad = write_program(tmp_path, GREETS.format(on_go="raise SystemExit(1)"))
    status, shown, _ = run("match", bad, "random", "--games", 2)
    assert status == 0
    assert "Bad-bot 0 : 2 random-bot" in shown
    assert "game 1: Bad-bot has ended, with status 1" in shown
    wrong = write_program(tmp_path, "raise ValueError('no weights')")
    status, _, error = run("match", wrong, "random", "--games", 2)
    assert status == 2
    assert "has ended, with status 1: ValueError: no weights. It must answer `hello` with `ready`" in error


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (
            ("easy", "divine"),
            "no player is called 'divine'; there are random, greedy, easy, medium, hard and cmd:COMMAND",
        ),
        (("cmd:no-such-program", "easy"), "no-such-program can't be started"),
    ],
)
def test_players_that_do_not_exist_are_refused(run: Run, players: tuple[str, str], message: str) -> None:
    status, _, error = run("match", *players)
    assert status == 2
    assert message in error


def test_the_engine_speaks_the_protocol(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "hello 1\nnewgame 37 standard\ngo seconds 60 nodes 500 seed 1\nquit\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    status, shown, _ = run("engine", "--strength", "easy")
    assert status == 0
    assert shown.startswith("name zertz-easy\nready\ninfo ")
    assert shown.splitlines()[-1].startswith("bestmove ")
