"""`zertz generate`."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from zertz_db.cli.errors import Stop
from zertz_db.cli.main import app
from zertz_db.parser.gipf.reader import read


def run(*arguments: str) -> str:
    answer = CliRunner().invoke(app, ["generate", *arguments], catch_exceptions=False)
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def test_games_go_to_standard_output_as_official_notation() -> None:
    records = list(read(run("--games", "3", "--board", "48", "--first", "greedy")))
    assert [(record.board, record.fault) for record in records] == [("48", None)] * 3
    assert all(record.player1 and record.player1.startswith("greedy-") for record in records)


def test_a_file_gets_what_standard_output_would(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    assert run("-n", "2", "-o", str(file)) == ""
    assert file.read_text("utf-8") == run("-n", "2")


def test_the_seed_decides() -> None:
    assert run("--seed", "5") == run("--seed", "5")
    assert run("--seed", "5") != run("--seed", "6")


def test_options_of_the_rule_set_reach_the_records() -> None:
    (record,) = read(run("-n", "1", "--rules", "standard+written", "--annotated"))
    assert (record.claims, record.clock) == ("written", "up")


def test_a_position_brings_its_own_board() -> None:
    start = "custom blitz a-2:ooo/b-3:oooo/c-2:ooo 5/7/9 0/0/0 0/0/0 2"
    (record,) = read(run("-n", "1", "--position", start))
    assert record.position == start


def test_the_servers_form_is_a_zip() -> None:
    answer = CliRunner().invoke(app, ["generate", "-n", "2", "--to", "boardspace"])
    with zipfile.ZipFile(io.BytesIO(answer.stdout_bytes)) as archive:
        assert len(archive.namelist()) == 2
        assert all(name.startswith("Z-random-") for name in archive.namelist())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--board", "38"], "no standard board is called '38'; there are 37"),
        (["--rules", "chess"], "no rule set is called 'chess'; there are standard and blitz"),
        (["--position", "37"], "a position is written BOARD RULES"),
        (["--board", "40", "--to", "boardspace"], "the server has no board 40; write --to gipf instead"),
    ],
)
def test_what_cannot_be_is_told_with_what_can(arguments: list[str], message: str) -> None:
    with pytest.raises(Stop, match=message) as stopped:
        CliRunner().invoke(app, ["generate", *arguments], catch_exceptions=False)
    assert stopped.value.status == 2


@pytest.mark.parametrize("arguments", [["--games", "0"], ["--first", "clever"], ["--to", "pgn"]])
def test_wrong_usage_ends_with_status_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, ["generate", *arguments]).exit_code == 2


def test_a_name_with_a_slash_behind_is_a_folder_of_files(tmp_path: Path) -> None:
    run("-n", "120", "-o", f"{tmp_path / 'games'}/")
    assert [file.name for file in sorted((tmp_path / "games").iterdir())] == ["games-001.txt", "games-101.txt"]


def test_a_folder_with_files_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(Stop, match="is not empty"):
        CliRunner().invoke(app, ["generate", "-o", str(tmp_path)], catch_exceptions=False)
