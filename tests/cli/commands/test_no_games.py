"""Commands with filters that no game passes: one sentence on standard error, no empty table."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.queries.made_games import Made, build


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("made"), [Made(moves=("Wd4,d1", "Bd3,a1"), broken_off="tie")])


@pytest.mark.parametrize(
    "command",
    [
        "games",
        "stats",
        "stats endings",
        "stats tactics",
        "times",
        "times clocks",
        "puzzles",
        "tactics",
        "insights points",
        "openings",
        "openings Wd4,d1",
    ],
)
def test_one_sentence_is_printed(run: Run, command: str) -> None:
    assert run(*command.split(), "--player", "nobody12") == (0, "", "No games match.\n")


def test_tables_for_programs_keep_their_heading(run: Run) -> None:
    assert run("stats", "endings", "--player", "nobody12", "--csv") == (
        0,
        "ending,games,first,second,plies,of,share,low,high\n",
        "No games match.\n",
    )
