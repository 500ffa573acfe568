"""`zertz find`, run as a user runs it, with its output in a pipe."""

import csv
import io
import json
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Run
from zertz_db.cli.commands.find import draw_pattern
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.rules.position import Position

AFTER_TWO = Position.start("37").play("Wd4,d1").play("Bd3,a1")


@pytest.fixture
def run(run: Run) -> Run:
    """Run `zertz find` with these arguments on the sample."""
    return partial(run, "find")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--moves", "1. Wd4,d1 Bd3,a1"],
        [AFTER_TWO.text],
        [AFTER_TWO.text, "--mode", "exact", "--pool", "--captures", "--side"],
        [AFTER_TWO.text, "--mode", "shape"],
        ["d4:W d3:B d1:. a1:. rings=35"],
    ],
)
def test_a_position_is_found_however_it_is_said(run: Run, arguments: list[str]) -> None:
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert "in 2 games\n" in out
    assert "x d3Wd5" in out


def test_a_position_of_a_game_is_found_in_it(run: Run) -> None:
    game = json.loads(run("--moves", "Wd4,d1 Bd3,a1", "--json")[1])["hits"][0]["id"]
    for ply in range(3):
        found = json.loads(run("--game", game, "--ply", ply, "--json")[1])
        assert (game, ply) in {(hit["id"], hit["ply"]) for hit in found["hits"]}
    end = json.loads(run("--game", game, "--json")[1])
    assert game in {hit["id"] for hit in end["hits"] if hit["ply"] == 2}


def test_a_filter_holds(run: Run) -> None:
    assert "in 1 game\n" in run("--moves", "Wd4,d1", "--filter", "ending:resign")[1]
    assert "in 0 games\n" in run("--moves", "Wd4,d1", "--player", "Eve", "--until", "2009")[1]


def test_what_could_have_come_from_a_position(run: Run) -> None:
    found = json.loads(run(AFTER_TWO.text, "--mode", "reachable", "--all", "--limit", 0, "--json")[1])
    assert found["games"] >= 2
    assert min(hit["ply"] for hit in found["hits"]) == 2


def test_the_first_match_of_a_game_is_listed_or_all(run: Run) -> None:
    first, every = (json.loads(run("W", "--json", "--limit", 0, *options)[1])["hits"] for options in ([], ["--all"]))
    games = [hit["id"] for hit in first]
    assert len({*games}) == len(games) < len(every)


def test_the_tables(run: Run, tmp_path: Path) -> None:
    found = json.loads(run("W", "--json", "--limit", 0)[1])
    for table, name in (("hits", "hits"), ("next", "continuations"), ("years", "years")):
        rows = list(csv.DictReader(io.StringIO(run("W", "--csv", "--limit", 0, "--table", table)[1])))
        assert [list(row) for row in rows] == [list(row) for row in found[name]]
    assert run("W", "--parquet", tmp_path / "hits.parquet", "--limit", 0)[0] == 0
    assert pq.read_table(tmp_path / "hits.parquet").num_rows == len(found["hits"])


def test_a_sequence(run: Run) -> None:
    arguments = ["--moves", "Wd4,d1", "--then", AFTER_TWO.text, "--within", 1]
    found = json.loads(run(*arguments, "--json")[1])
    assert (found["games"], [hit["then"] - hit["ply"] for hit in found["hits"]]) == (2, [1, 1])
    assert "in 2 games\n" in run(*arguments)[1]
    assert json.loads(run(AFTER_TWO.text, "--then", "d4:W d3:. d1:. rings=99", "--json")[1])["games"] == 0
    assert json.loads(run("sacrifice", "--then", "W", "--mode", "pattern", "--json")[1])["games"] > 0


def test_a_search_within_the_games_of_others(run: Run) -> None:
    arguments = ["pattern rings>0", f"exact.pool.side {AFTER_TWO.text}"]
    found = json.loads(run("G", "--also", arguments[0], "--also", arguments[1], "--json")[1])
    alone = {hit["id"] for hit in json.loads(run("G", "--json")[1])["hits"]}
    others = {hit["id"] for hit in json.loads(run(AFTER_TWO.text, "--mode", "exact", "--json")[1])["hits"]}
    assert {hit["id"] for hit in found["hits"]} == alone & others != set()


def test_the_mode_of_a_sequence_is_about_its_positions(run: Run) -> None:
    status, out, _ = run("sacrifice", "--then", AFTER_TWO.text, "--mode", "shape")
    assert (status, out.splitlines()[0]) == (0, "  sacrifice")


def test_a_list_that_is_cut_is_said_so(run: Run) -> None:
    assert "1 of 2 matches; --limit 0 lists all" in run("--moves", "Wd4,d1", "--limit", 1)[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give one thing to find"),
        (["W", "--moves", "Wd4,d1"], "give one thing to find"),
        (["W", "--within", "3"], "--within belongs to --then"),
        (["W", "--then", "B", "--pool"], "omit --then"),
        (["W", "--then", "B", "--also", "pattern G"], "can't be combined"),
        (["W", "--also", "G"], "a search begins with"),
        (["W", "--ply", "3"], "--ply belongs to --game"),
        (["--moves", "Wd4,d9"], "move 1: "),
        (["--moves", "Wd4,d1", "--mode", "pattern"], "needs a pattern"),
        (["--moves", "Wd4,d1", "--board", "custom"], "moves need a described board"),
        (["37 standard oooo"], "a position is written"),
        (["W x"], "unexpected 'x'"),
        (["W", "--pool"], "in a pattern use limits"),
        (["W", "--json", "--table", "years"], "--json has all tables"),
        (["--game", "0000000000000"], "there is no game"),
        (["W", "--mode", "exact"], "a position is written"),
    ],
)
def test_what_can_not_be_asked_is_explained(run: Run, arguments: list[str], message: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("W . o / ? B", ["W . o", " ? B"]),
        ("W o / < o B o / . .", [" W o", "o B o", " . ."]),
        ("[Wo] B / G", ["[Wo]  B", "   G"]),
        ("d4:W e4:o rings<20 board:48", ["d4:W  e4:o", "rings<20, board 48"]),
    ],
)
def test_a_pattern_is_drawn(text: str, lines: list[str]) -> None:
    assert list(draw_pattern(parse_pattern(text))) == [f"  {line}" for line in lines]
