"""`zertz analyse`, run as a user runs it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.ingest.databases import written, zipped
from zertz_db.ingest.import_paths import import_paths
from zertz_db.play.generate import generate_games

WRITTEN_CLAIMS = '[Claims "written"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 *\n'


@pytest.fixture
def db(tmp_path: Path) -> Path:
    import_paths([zipped(tmp_path / "games.zip", list(generate_games(3, seed=3)))], tmp_path / "db")
    import_paths([written(tmp_path / "written.txt", [WRITTEN_CLAIMS])], tmp_path / "db")
    return tmp_path / "db"


@pytest.mark.usefixtures("db")
def test_an_analysis_is_counted_and_a_second_one_has_nothing_to_do(run: Run) -> None:
    status, out, _ = run("analyse", "--depth", 3, "--jobs", 1)
    lines = out.splitlines()
    assert (status, lines[:2]) == (
        0,
        [
            "3 games analysed within 3 plies and 20,000 nodes a position",
            "1 game not searched: claims are written, which can't be searched",
        ],
    )
    assert re.fullmatch(
        r"forced wins of 3 plies or more: \d+, missed: \d+; proven blunders: \d+; games with a puzzle: \d+", lines[2]
    )
    assert run("analyse", "--depth", 3)[:2] == (
        0,
        "0 games analysed within 3 plies and 20,000 nodes a position\n4 games skipped: analysed before within such limits\n",
    )


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--depth", "2"), "an odd number of plies"),
        (("colour:red",), "unknown field 'colour'"),
        (("--cluster", "nonsense"), "nonsense"),
        (("--jobs", "257"), "--jobs"),
        (("forced:x",), "invalid number of plies 'x'"),
    ],
)
def test_a_mistake_is_explained(run: Run, arguments: tuple[str, ...], message: str) -> None:
    status, out, err = run("analyse", *arguments)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.usefixtures("db")
def test_a_filter_without_games_is_reported(run: Run) -> None:
    assert run("analyse", "player:nobody12") == (1, "", "zertz: No games match.\n")


def test_a_missing_database_is_named(run: Run, tmp_path: Path) -> None:
    status, _, err = run("analyse", "--db", tmp_path / "none")
    assert status == 2
    assert "There is no database" in err
