"""The compiled random player plays the same games; a folder of them does not depend on the number of workers."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from zertz_db.parser.gipf.reader import read
from zertz_db.play import compiled_random, random_kernel
from zertz_db.play import write_files as folders
from zertz_db.play.generate import generate_games
from zertz_db.play.write_files import GenerateOptions, write_folder
from zertz_db.rules import compiled
from zertz_db.rules.board import STANDARD_BOARDS, standard_board
from zertz_db.rules.position import Position

OWN_CAPTURES = "37 standard ooGo/...oo/oooooo/ooooooo/oooooo/ooooo/oooo 1/0/0 3/2/0 1/0/4 2"


@pytest.mark.parametrize("rules", ["standard", "blitz+written", "standard+tournament+written"])
@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_compiled_games_are_those_that_are_played_interpreted(board: str, rules: str) -> None:
    assert list(generate_games(12, board, rules, seed=5, fast=True)) == list(
        generate_games(12, board, rules, seed=5, fast=False)
    )


def test_long_games_and_other_starts_are_the_same_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_random, "_INITIAL_NUMBERS", 1)  # never enough at first
    start = Position.parse(OWN_CAPTURES)
    one, other = (list(generate_games(20, seed=3, start=start, annotated=True, fast=how)) for how in (True, False))
    assert one == other
    assert any(ply.taken_from == "own" for record in one for ply in record.plies)


def test_games_begin_at_any_number() -> None:
    assert list(generate_games(3, seed=4, begin=8)) == list(generate_games(10, seed=4))[7:]


def test_without_a_compiler_games_are_played_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise compiled.CompilerMissing("no compiler")

    monkeypatch.setattr(compiled_random, "_compile_random_game", missing)
    assert not compiled_random.is_available(standard_board("37"))
    assert list(generate_games(2, seed=6, fast=True)) == list(generate_games(2, seed=6, fast=False))


def test_a_game_that_does_not_fit_is_reported_and_nothing_is_written_after_the_end() -> None:
    start = Position.start("37")
    room = random_kernel.get_max_move_length(start.board.tables)
    code, begins, claims = [0] * room, [0] * 3, [0] * 6
    played = random_kernel.random_game(
        start.board.tables, [4, 5, 6, 3, 0, 0, 0], start.state, 9, [0.5] * 300, [0], [0] * room, code, begins, claims
    )
    assert played == random_kernel.BUFFER_FULL


def wanted(form: str, games: int = 250) -> GenerateOptions:
    return GenerateOptions(games, 9, "random", "random", Position.start("37").text, False, form)


@pytest.mark.parametrize("form", ["gipf", "boardspace"])
def test_a_folder_does_not_depend_on_the_number_of_workers(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    write_folder(wanted(form), tmp_path / "alone", 1, done.append)
    monkeypatch.setattr(folders, "_MIN_PARALLEL_GAMES", 1)
    monkeypatch.setattr(folders, "_FILES_PER_BATCH", 1)
    write_folder(wanted(form), tmp_path / "together", 2)
    assert sum(done) == 250
    contents = [
        {file.name: file.read_bytes() for file in sorted((tmp_path / of).iterdir())} for of in ("alone", "together")
    ]
    assert contents[0] == contents[1]
    assert len(contents[0]) == 3


def test_a_folder_holds_the_games_of_the_seed_in_order(tmp_path: Path) -> None:
    write_folder(wanted("gipf"), tmp_path, 1)
    rounds = [record.round for file in sorted(tmp_path.iterdir()) for record in read(file.read_text("utf-8"))]
    assert rounds == [str(number) for number in range(1, 251)]


def test_an_archive_of_a_folder_has_a_hundred_games(tmp_path: Path) -> None:
    write_folder(wanted("boardspace"), tmp_path, 1)
    counts = [len(zipfile.ZipFile(file).namelist()) for file in sorted(tmp_path.iterdir())]
    assert counts == [100, 100, 50]
