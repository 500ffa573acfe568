"""`zertz play`, with lines as a person types them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from zertz_db.check.check_many import check_text
from zertz_db.engine import choose_move
from zertz_db.rules.position import Position

WIN = "37 standard ..../...../....../.oWW.../....../...../.... 6/8/10 3/0/0 0/0/0 1"
SECONDS = 60
"""Maximum time for a move: the nodes of the strength end the search before, on a busy machine too."""
Play = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Play with these typed lines and options, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(typed: str, *options: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return run("play", "--name", "Ada", "--seed", "1", "--strength", "easy", *options)

    return call


def test_a_game_is_won_and_stored_as_a_verified_record(play: Play, run: Run, tmp_path: Path) -> None:
    status, shown, reported = play("xd4 d2\n", WIN, "--db", tmp_path / "new.zertz")
    assert status == 0
    assert "Ada is player 1; easy-bot is player 2." in shown
    assert "You play x d4Wd2" in shown
    assert "Ada wins with 4W." in shown
    assert "stored in" in reported
    listed = run("games", "--db", tmp_path / "new.zertz", "--csv")[1]
    assert "Ada,easy-bot,1-0,set,4W,37,standard,1,zertz play,verified" in listed


def test_the_engine_begins_and_answers(play: Play) -> None:
    _, shown, _ = play("", "--second", "--board", "40")
    assert "Ada is player 2; easy-bot is player 1." in shown
    assert "Player 1 plays " in shown
    assert shown.rstrip().endswith("The game is left unfinished.")


def test_words_help_and_take_back(play: Play, tmp_path: Path) -> None:
    typed = "help\nmoves\nhint\nWd4\nWd4,d1\nundo\nundo\nboard\nsave a.txt\nsave a.txt\nsave\nsave no/where.txt\nquit\n"
    _, shown, _ = play(typed)
    for expected in (
        "take back your last move",
        "1,944 placements",
        "a free ring must be removed; did you mean Wd4,",
        "You play Wd4,d1",
        "there is no move of yours to take back",
        "saved as a.txt",
        "a.txt exists; name a new file",
        "name a file: save game.txt",
        "no/where.txt can't be written",
        "The game is left unfinished.",
    ):
        assert expected in shown
    [record] = check_text((tmp_path / "a.txt").read_text("utf-8"))
    assert (record.verdict, len(record.record.plies)) == ("unfinished", 0)


def test_resigning_ends_and_stores_the_game(play: Play, run: Run, tmp_path: Path) -> None:
    _, shown, _ = play("Wd4,d1\nRESIGN\n", "--db", tmp_path / "new.zertz")
    assert "Ada resigns; easy-bot wins." in shown
    assert "Ada,easy-bot,0-1,resign" in run("games", "--db", tmp_path / "new.zertz", "--csv")[1]


def test_an_unfinished_game_is_not_stored(play: Play, tmp_path: Path) -> None:
    assert play("quit\n", "--db", tmp_path / "new.zertz")[0] == 0
    assert not (tmp_path / "new.zertz").exists()


def test_a_whole_game_is_played_by_hints(play: Play) -> None:
    position, typed = Position.start("37", "blitz"), []
    for ply in range(200):
        if position.is_over:
            break
        if position.side == 1:
            move = choose_move(position, "medium", 5, SECONDS).move
            typed.append(f"{move}\n")
        else:
            move = choose_move(position, "easy", f"1/{ply}", SECONDS).move  # what the game's engine will answer
        position = position.play(move)
    _, shown, _ = play("".join(typed), "--rules", "blitz", "--seconds", SECONDS)
    assert f"{'Ada' if position.winner == 1 else 'easy-bot'} wins with " in shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--strength", "divine"), "no strength is called 'divine'; there are easy, medium, hard"),
        (("--board", "99"), "no standard board is called '99'"),
        ((WIN, "--moves", "x d4Wd2"), "the game is over"),
    ],
)
def test_what_can_not_be_played_is_refused(play: Play, options: tuple[str, ...], message: str) -> None:
    status, _, error = play("", *options)
    assert status == 2
    assert message in error
