"""`zertz openings`, run as a user runs it, with its output in a pipe."""

import csv
import io
import json
import re
from functools import partial
from pathlib import Path

import duckdb
import pytest

from tests.cli.conftest import Run
from tests.queries.openings.slow_openings import TINY, made_up
from zertz_db.ingest.import_paths import import_paths
from zertz_db.rules.position import Position


@pytest.fixture
def run(run: Run) -> Run:
    """Run `zertz openings` with these arguments on the sample."""
    return partial(run, "openings")


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with enough games for percentages."""
    folder = tmp_path_factory.mktemp("busy")
    games = [game for game in made_up(seed=2, games=200) if game.start == TINY]
    (folder / "games.txt").write_text("".join(game.text(number) for number, game in enumerate(games)), "utf-8")
    import_paths([folder / "games.txt"], folder / "games.zertz")
    return folder / "games.zertz"


def test_the_root_of_the_tree(run: Run) -> None:
    status, out, err = run()
    lines = [line.split() for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert out.startswith("3 games; player 1 is to move\n")
    assert ["move", "games", "wins", "losses", "unknown", "plies", "first", "by", "last", "name"] in lines
    assert ["2", "0", "1", "1"] in [line[1:5] for line in lines]
    assert "white centre, corner out" in out
    assert "pool 6/8/10" in out


@pytest.mark.parametrize(
    "moves", [["Wd4,d1", "Bd3,a1"], ["1.", "Wd4,d1", "Bd3,a1"], ["Wd4,d1 Bd3,a1"], ["Wd4,a1", "Bc3,a4"]]
)
def test_after_some_moves(run: Run, moves: list[str]) -> None:
    out = run(*moves)[1]
    assert out.startswith("white centre, corner out\n")
    assert "2 games, 2 by these moves; player 1 is to move" in out
    assert "(ended here)" in out


def test_a_capture_is_written_as_one_argument_or_two(run: Run) -> None:
    one = run("Wd4,d1", "Bd3,a1", "x d3Wd5")[1]
    assert one == run("Wd4,d1", "Bd3,a1", "x", "d3Wd5")[1]
    assert "Gc3,g1" in one


def test_a_position_string_may_be_the_beginning(run: Run) -> None:
    after = Position.start("37").play("Wd4,d1")
    out = run("--position", after.text)[1]
    assert out.startswith("white centre, corner out\n2 games; player 2 is to move")
    assert "2 games, 2 by these moves" in run("Bd3,a1", "--position", after.text)[1]


def test_scores_have_an_interval_and_a_bar(run: Run, busy: Path) -> None:
    out = run("--position", TINY, "--db", busy)[1]
    assert re.search(r"score +interval +0 %     50 %    100 %", out)
    assert any("●" in line and "─" in line and "–" in line for line in out.splitlines())


def test_ways_games_ended(run: Run, busy: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("--position", TINY, "--db", busy, "--ways", "--csv")[1])))
    assert {"board-filled", "resign"} <= {row["way"] for row in rows}
    named = list(csv.DictReader(io.StringIO(run("--position", TINY, "--db", busy, "--endings", "--csv")[1])))
    assert [row["ending"] for row in named] == [row["way"] for row in rows]
    assert run("--ways", "--json")[0] == run("--endings", "--json")[0] == 2
    assert "way" in run("--ways")[1]


def test_forms_agree(run: Run, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("--csv")[1])))
    found = json.loads(run("--json")[1])
    assert run("--parquet", tmp_path / "tree.parquet")[0] == 0
    written = duckdb.read_parquet(str(tmp_path / "tree.parquet"))
    assert written.columns == list(rows[0])
    assert [row["move"] for row in rows] == [row["move"] for row in found["continuations"]]
    assert [row[0] for row in written.fetchall()] == [row["move"] for row in rows]
    assert (found["games"], found["absence"]) == (3, None)


def test_filters_order_and_limit(run: Run) -> None:
    assert run("--first", "Ada")[1].startswith("1 game; ")
    assert run("--filter", "first:ada")[1].startswith("1 game; ")
    assert run("--board", "48")[1].startswith("1 game; ")
    out, err = run("--sort", "date", "--limit", 1)[1:]
    assert err == "1 of 2 continuations; --limit 0 lists all\n"
    assert "(ended here)" not in out


def test_no_game_is_said_so(run: Run) -> None:
    status, out, err = run("Wa1,a2")
    assert (status, err) == (0, "no game reached this position; 2 records that imports rejected are in no count\n")
    assert out.startswith("white corner, near edge out\nAfter Wa1,a2: 0 games, 0 by these moves")
    assert json.loads(run("Wa1,a2", "--json")[1])["absence"].startswith("no game reached")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Wd4,d4"], "move 1: Wd4,d4 is not legal here"),
        (["Wd4,d1", "hop"], "'hop' is not a move"),
        (["--sort", "colour"], "can't be sorted by 'colour'"),
        (["--board", "36"], "36"),
        (["--position", "37"], "a position is written BOARD RULES"),
        (["--json", "--csv"], "can't be combined"),
    ],
)
def test_what_goes_wrong_is_one_message_and_status_2(run: Run, arguments: list[str], message: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("zertz: ") and message in err


def test_help_teaches_by_example(run: Run) -> None:
    status, out, _ = run("--help")
    assert status == 0
    assert "zertz openings Wd4,d1 Bd3,a1" in " ".join(out.split())
