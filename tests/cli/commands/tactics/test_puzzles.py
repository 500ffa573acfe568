"""`zertz puzzles`, run as a user runs it: lists, exports, and a sheet to print."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.puzzle_games import PUZZLES
from zertz_db import check_text
from zertz_db.queries.puzzles.one_puzzle import Puzzle, find_puzzles
from zertz_db.store.open_database import open_database


@pytest.fixture
def db(puzzle_games: Path) -> Path:
    return puzzle_games


@pytest.fixture
def puzzles(db: Path) -> list[Puzzle]:
    with open_database(db) as database:
        return [*find_puzzles(database)]


def test_lists(run: Run, puzzles: list[Puzzle]) -> None:
    status, out, err = run("puzzles", "--limit", 3)
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[1:]] == [puzzle.id for puzzle in puzzles[:3]]
    rows = json.loads(run("puzzles", "--limit", 0, "--json")[1])
    assert [row["id"] for row in rows] == [puzzle.id for puzzle in puzzles]
    lines = csv.DictReader(io.StringIO(run("puzzles", "--limit", 0, "--csv")[1]))
    assert [line["id"] for line in lines] == [row["id"] for row in rows]


def test_conditions(run: Run, puzzles: list[Puzzle]) -> None:
    asked = ("--grade", "A", "--length", 5, "--theme", "white", "--theme", "sacrifice-2", "--json")
    rows = json.loads(run("puzzles", "board:37", *asked)[1])
    expected = [
        one for one in puzzles if one.grade != "B" and one.length == 5 and {"white", "sacrifice-2"} <= {*one.themes}
    ]
    assert [row["id"] for row in rows] == [one.id for one in expected] != []
    missed = json.loads(run("puzzles", "--missed-by", "RANDOM-9", "--json")[1])
    assert [row["id"] for row in missed] == [one.id for one in puzzles if one.player == "random-9" and one.missed] != []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--theme", "fork"], "no theme is called 'fork'"),
        (["--length", "4"], "an odd number of plies"),
        (["--export", "puzzles.pdf"], "the name ends in .txt, .jsonl, .csv"),
        (["board:48", "--sheet", "no.html"], "no puzzles match"),
        (["board:48", "--export", "no.csv"], "no puzzles match"),
    ],
)
def test_mistakes_are_sentences(run: Run, arguments: list[str], message: str, tmp_path: Path) -> None:
    status, _, err = run("puzzles", *arguments)
    assert status != 0
    assert message in err
    assert not (tmp_path / "no.html").exists()


def test_exports_have_all_puzzles(run: Run, puzzles: list[Puzzle], tmp_path: Path) -> None:
    for name in ("p.txt", "p.jsonl", "p.csv"):
        assert run("puzzles", "--export", tmp_path / name)[0] == 0
    objects = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text("utf-8").splitlines()]
    assert objects == [one.as_json(with_solution=True) for one in puzzles]
    with (tmp_path / "p.csv").open(encoding="utf-8", newline="") as file:
        assert [row["line"] for row in csv.DictReader(file)] == [" ".join(one.line) for one in puzzles]
    checked = [*check_text((tmp_path / "p.txt").read_text("utf-8"))]
    assert [(one.verdict, one.moves) for one in checked] == [("verified", [*puzzle.line]) for puzzle in puzzles]
    assert len(puzzles) == PUZZLES


def test_a_sheet_to_print(run: Run, tmp_path: Path) -> None:
    """The page, once; its drawings are those of the boards."""
    assert run("puzzles", "--sheet", tmp_path / "sheet.html", "--limit", 2)[0] == 0
    page = (tmp_path / "sheet.html").read_text("utf-8")
    text = re.sub(r"<style>.*?</style>", "STYLE", re.sub(r"<svg .*?</svg>", "BOARD", page), flags=re.DOTALL)
    assert text == SHEET
    assert "@page" in page
    assert page.count("<title>37 rings, player") == 2


SHEET = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ZÈRTZ puzzles</title>
STYLE
</head>
<body>
<h1>ZÈRTZ puzzles</h1>
<p>2 puzzles. In each, the player to move wins by force: against every defence, within the given number of plies. A chain of jumps is one ply, and both players' plies count. The solutions are on the last page.</p>
<div class="puzzles">
<div class="puzzle">BOARD<p><b>1.</b> Player 2 to move, wins within 5 plies. Grade A+, difficulty 1881.</p></div>
<div class="puzzle">BOARD<p><b>2.</b> Player 2 to move, wins within 5 plies. Grade A, difficulty 1910.</p></div>
</div>
<div class="solutions">
<h1>Solutions</h1>
<ol>
<li>Bd4,c2; x d5Bd3; x e2Wc3Wa1; Gb2,d2; x a1Gc3: 3each. <span class="source">random-1 to move against random-7, 2020.08.27, game 5SMEG8152BZR5, ply 31; played was Be1,c2, which let the win go.</span></li>
<li>Bd3,b3; x d3Gd5; Bd3,d6; x d2Bd4; x d5Wd3: 4W. <span class="source">random-9 to move against random-3, 2022.12.27, game 3NTGRMXHMTBRP, ply 23; played was Bd7,g3, which let the win go.</span></li>
</ol>
</div>
</body>
</html>
"""  # noqa: E501
