"""Programs as players: good ones play, bad ones lose the game in time, and none is left behind."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.engine.matches.programs import FAULTS, GREETS, LEGAL, write_program
from zertz_db.check.check_many import check_text
from zertz_db.engine.matches import external_player
from zertz_db.engine.matches.line_program import ProgramFailed
from zertz_db.engine.matches.match import MatchOptions, run_match
from zertz_db.engine.matches.players import NoSuchPlayer, open_player
from zertz_db.parser.gipf import writer
from zertz_db.rules.position import Position

START = Position.start("37")
PATIENCE = 60
"""Seconds in which every program does what it does, on a busy machine too."""


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_player, "GRACE_SECONDS", 0.5)


def test_a_program_plays_whole_games_with_one_process(tmp_path: Path) -> None:
    result = run_match(MatchOptions(write_program(tmp_path, LEGAL), "random", 4, START))
    assert result.names == ("Plain-bot", "random-bot")
    assert not result.faults
    assert {game.number for game in result.games} == {1, 2, 3, 4}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_program_that_fails_loses_and_is_named(fault: str, tmp_path: Path) -> None:
    on_go, expected = FAULTS[fault]
    spec = write_program(tmp_path, GREETS.format(on_go=on_go))
    result = run_match(MatchOptions("random", spec, 2, START, seconds=0.3 if fault == "silence" else PATIENCE))
    assert (result.wins, result.losses) == (2, 0)
    assert [game.ending for game in result.games] == (["time"] * 2 if fault == "silence" else ["resign"] * 2)
    for game in result.faults:
        assert game.fault
        assert game.fault.startswith(expected)
        assert game.record.comment == game.fault
    assert len(result.faults) == 2


@pytest.mark.parametrize("move", ["a}b{c [Event] ; 1-0", "x" * 9000, "\\x00\\x1b[2J"])
def test_a_fault_is_a_comment_of_a_verified_record_whatever_the_program_wrote(move: str, tmp_path: Path) -> None:
    spec = write_program(tmp_path, GREETS.format(on_go=f'print("bestmove {move}", flush=True)'))
    [game] = run_match(MatchOptions("random", spec, 1, START)).games
    [checked] = check_text(writer.write(game.record))
    assert (checked.verdict, checked.ending, checked.result_computed) == ("verified", "resign", "1-0")
    assert game.fault
    assert len(game.fault) <= 300


def test_a_program_that_fails_does_not_stop_later_games(tmp_path: Path) -> None:
    spec = write_program(
        tmp_path,
        LEGAL.replace('elif word == "go":', 'elif word == "go" and len(moves) > 40: exit(1)\n    elif word == "go":'),
    )
    result = run_match(MatchOptions(spec, "random", 4, START, opening=0))
    assert len(result.faults) == 4
    assert all(game.plies > 2 for game in result.games)


def test_processes_that_a_program_started_end_with_it(tmp_path: Path) -> None:
    note = tmp_path / "child"
    starts_a_child = f"open({str(note)!r}, 'w').write(str(subprocess.Popen(['sleep', '600']).pid))"
    on_go = f"{starts_a_child}; print('bestmove Wz9', flush=True); time.sleep(600)"
    run_match(MatchOptions("random", write_program(tmp_path, GREETS.format(on_go=on_go)), 1, START, seconds=PATIENCE))
    child = int(note.read_text())
    deadline = time.monotonic() + PATIENCE
    while _runs(child):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_match_that_is_stopped_waits_for_no_program(tmp_path: Path) -> None:
    """One of two programs never answers; with the other, which waits for it, the match goes on to the end of a game."""
    notes = tmp_path / "notes"
    on_first_go = """elif word == "go" and ";" not in moves and not is_first():
        time.sleep(36000)
    elif word == "go":"""
    note = f"""
import os, time
def is_first():
    with open({str(notes)!r}, "a") as file:
        file.write(f"{{os.getpid()}} ")
    while len(noted := open({str(notes)!r}).read().split()) < 2:
        time.sleep(0.01)
    return noted[0] == str(os.getpid())
"""
    program = write_program(tmp_path, note + LEGAL.replace('elif word == "go":', on_first_go))

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_match(MatchOptions(program, "random", 2, START, opening=0, seconds=3600, jobs=2), stop)
    assert len(pids := {*notes.read_text().split()}) == 2
    assert not any(_runs(int(pid)) for pid in pids)


def _runs(pid: int) -> bool:
    try:
        return (
            Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if Path("/proc").is_dir() else not os.kill(pid, 0)
        )
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import time; time.sleep(600)", "python.* gave no answer within 0.5 s"),
        ("", "python.* has ended, with status 0"),
        ("while True: print('no')", "python.* wrote more than 2,000 lines"),
    ],
)
def test_a_program_that_does_not_greet_stops_the_match(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "sleep" in text:
        monkeypatch.setattr(external_player, "START_SECONDS", 0.5)
    with pytest.raises(ProgramFailed, match=message):
        run_match(MatchOptions("random", write_program(tmp_path, text), 1, START))


def test_a_command_that_does_not_exist_stops_the_match() -> None:
    with pytest.raises(ProgramFailed, match="nothing-here can't be started"):
        run_match(MatchOptions("random", "cmd:nothing-here", 1, START))


@pytest.mark.parametrize("spec", ["strong", "cmd:", "cmd:  ", 'cmd:"'])
def test_a_player_that_does_not_exist_is_refused(spec: str) -> None:
    with pytest.raises(NoSuchPlayer, match=r"no player is called|can't be read"):
        open_player(spec)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Deep Marble", "Deep Marble-bot"),
        ("Zbot", "Zbot"),
        ("a\x1b[31m b", "a [31m b-bot"),
        ("x" * 300, "x" * 60 + "-bot"),
    ],
)
def test_names_of_programs_are_printable_and_end_in_bot(name: str, shown: str, tmp_path: Path) -> None:
    spec = write_program(tmp_path, LEGAL.replace("name Plain", f"name {name!s}".replace("\x1b", "\\x1b")))
    player = open_player(spec)
    try:
        player.begin(START)
        assert player.name == shown
    finally:
        player.close()
