"""`zertz moves`, run as a user runs it, with its output in a pipe."""

import csv
import io
import json
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Run
from zertz_db.rules.moves import list_moves
from zertz_db.rules.position import Position

AFTER_TWO = Position.start("37").play("Wd4,d1").play("Bd3,a1")
CLAIMING = "37 standard W.../o..../.o..../.oooo../oooo../ooooo/oooo 1/5/7 2/0/0 2/2/3 1"
"""The marble on a1 hangs by b1."""


@pytest.fixture
def run(run: Run) -> Run:
    """Run `zertz moves` with these arguments on the sample."""
    return partial(run, "moves")


def asked(run: Run, *arguments: object) -> str:
    """The position that is asked about."""
    return str(json.loads(run(*arguments, "--json")[1])["position"])


@pytest.fixture
def game(run: Run) -> str:
    return str(json.loads(run.func("find", AFTER_TWO.text, "--json")[1])["hits"][0]["id"])  # type: ignore[attr-defined]


def test_a_position_is_said_in_several_ways(run: Run, game: str) -> None:
    assert asked(run) == Position.start("37").text
    assert (
        asked(run, "--board", "48", "--rules", "standard+tournament")
        == Position.start("48", "standard+tournament").text
    )
    for arguments in (
        [AFTER_TWO.text],
        ["--moves", "1. Wd4,d1 Bd3,a1"],
        [Position.start("37").play("Wd4,d1").text, "--moves", "Bd3,a1"],
        ["--game", game, "--ply", 2],
        ["--game", game, "--ply", 1, "--moves", "Bd3,a1"],
    ):
        assert asked(run, *arguments) == AFTER_TWO.text


def test_compulsory_captures_are_listed_with_their_reason(run: Run) -> None:
    status, out, err = run(AFTER_TWO.text)
    assert (status, err) == (0, "")
    board, _, said = out.partition("\n\nPlayer 1 must capture: ")
    assert board.endswith("pool 5/8/9, player 1 holds 0/0/0, player 2 holds 0/0/0 (white/grey/black)")
    assert said.splitlines() == [
        "d3 can jump over white on d4 to d5; d4 can jump over black on d3 to d2.",
        "2 captures.",
        "",
        "captures",
        "move     taken",
        "x d3Wd5  1W",
        "x d4Bd2  1B",
        "",
        "marbles that each winning set still lacks",
        "player  4W  5G  6B  3each",
        "     1   4   5   6      9",
        "     2   4   5   6      9",
    ]


def test_placements_are_counted_and_what_they_bring_is_listed(run: Run) -> None:
    out = run(CLAIMING)[1]
    assert (
        "648 placements (216 white, 216 grey, 216 black).\n12 free rings: b1 c2 d2 d4 d5 e1 f1 f5 g1 g2 g3 g4.\n" in out
    )
    assert "moves that end the game\nmove             taken  ending  sets\nWb1,c2 x Wa1Wb1  2W     set     4W\n" in out
    assert "rings that a placement claims\nrings  placements  for instance\na1 b1           3  Wb1,c2 x Wa1Wb1\n" in out


def test_few_placements_are_listed_one_by_one(run: Run) -> None:
    position = "custom standard a0:ooo 0/0/1 0/0/0 0/0/0 1"
    assert "placements\nmove          taken\nBa1,a2 x Ba1  1B\nBa1,a3\n" in run(position, "--limit", 6)[1]
    assert "placements\nmove " not in run(position, "--limit", 5)[1]
    assert "placements\nmove " in run(position, "--limit", 0)[1]


def test_rows_beyond_the_limit_are_counted(run: Run) -> None:
    assert "x d3Wd5  1W\n… 1 more; --limit 0 lists all\n" in run(AFTER_TWO.text, "--limit", 1)[1]


@pytest.mark.parametrize(
    ("position", "line", "said"),
    [
        ("custom standard a0:WGo 0/0/0 0/4/0 0/0/0 1", "x a1Ga3", "The game is over: player 1 has won with 5G."),
        ("custom standard a0:oo 0/0/0 0/0/0 0/0/0 1", "", "Player 1 passes: he can capture nothing, and neither "),
        (
            "custom standard+written a0:WW 0/0/1 0/0/0 0/0/0 1",
            "",
            "Player 1 passes: he can capture nothing, and no ring ",
        ),
    ],
)
def test_a_board_without_moves_says_why(run: Run, position: str, line: str, said: str) -> None:
    status, out, err = run(position, "--moves", line)
    assert (status, err) == (0, "")
    assert f"\n{said}" in out
    assert "still lacks" in out


def test_a_game_that_was_resigned_could_go_on(run: Run) -> None:
    listed = json.loads(run.func("games", "ending:resign", "--json")[1])  # type: ignore[attr-defined]
    out = run("--game", listed[0]["id"])[1]
    assert "\nThe game ended here: Player 1 resigns. By the rules it could continue.\n" in out
    assert "The game ended here" not in run("--game", listed[0]["id"], "--ply", 0)[1]


def test_programs_get_every_move(run: Run, tmp_path: Path) -> None:
    found = list_moves(Position.start("61"))
    assert json.loads(run("--board", "61", "--json")[1]) == json.loads(json.dumps(found.as_json()))
    rows = list(csv.DictReader(io.StringIO(run("--board", "61", "--csv")[1])))
    assert [row["move"] for row in rows] == [choice.notation for choice in found.choices]
    assert run("--board", "61", "--parquet", tmp_path / "moves.parquet")[0] == 0
    assert pq.read_table(tmp_path / "moves.parquet").num_rows == len(found.choices) == 4320


def test_no_database_is_needed(run: Run, tmp_path: Path) -> None:
    assert run("--db", tmp_path / "none.zertz")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["37"], "a position is written BOARD RULES LAYOUT"),
        (["--board", "36"], "36"),
        (["--board", "48", "--game", "3T7K"], "give one start"),
        (["--ply", "1"], "--ply belongs to --game"),
        (["--moves", "Wd4,d2"], "move 1: Wd4,d2 is not legal here"),
        (["--game", "0000"], "there is no game 0000"),
        (["37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 2/8/10 4/0/0 0/0/0 1"], "the game is over"),
    ],
)
def test_what_can_t_be_asked_is_explained(run: Run, arguments: list[str], message: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_a_ply_beyond_the_end_is_named(run: Run, game: str) -> None:
    assert "ply takes 0 (the start) to " in run("--game", game, "--ply", 99)[2]
