"""`zertz winchance`, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from zertz_db.tactics.win_chance import shipped_model


def test_the_table_of_a_file(run: Run, tmp_path: Path) -> None:
    shipped_model().write(tmp_path / "copy.json")
    status, out, err = run("winchance", "--model", tmp_path / "copy.json")
    assert (status, err) == (0, "")
    assert out == run("winchance")[1]
    assert json.loads(run("winchance", "--json")[1])[0]["group"] == "all"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["board:37"], "a filter and --output belong to --fit"),
        (["--output", "x.json"], "a filter and --output belong to --fit"),
        (["--trees", "5"], "--trees belongs to --fit"),
        (["--half-life", "2"], "--half-life belongs to --fit"),
        (["--fit", "--model", "x.json"], "--model and --fit can't be combined; choose one"),
        (["--model", "none.json"], "none.json can't be read (No such file or directory): name a file that"),
        (["--fit", "board:99"], "no game has the board '99'"),
        (["--fit", "player:nobody12"], "a win chance needs at least 20 games with a winner, not 0: select more games"),
    ],
)
def test_mistakes_are_explained(run: Run, arguments: list[str], message: str) -> None:
    status, out, err = run("winchance", *arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_the_output_is_checked_before_the_fit(run: Run, tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text("mine", "utf-8")
    for file, message in (
        (tmp_path / "there.json", "exists; name another file, or use --force to replace it"),
        (tmp_path, "is a folder; name a file to write"),
        (tmp_path / "nowhere" / "x.json", "there is no folder"),
    ):
        status, out, err = run("winchance", "--fit", "--output", file)
        assert (status, out) == (2, "")
        assert message in err
        assert "fitting" not in err
    assert (tmp_path / "there.json").read_text("utf-8") == "mine"
