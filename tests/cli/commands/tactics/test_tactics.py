"""`zertz tactics` and `zertz show --review`, run as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.analyses import JudgedClub
from tests.cli.conftest import Run
from zertz_db.queries.filters.coverage import NOT_ANALYSED
from zertz_db.queries.tactics.examples import KINDS, find_tactics
from zertz_db.store.open_database import open_database

COVERAGE = " of 80 games have been analysed for forced wins; zertz analyse searches the others."


@pytest.fixture
def db(judged_club: JudgedClub) -> Path:
    return judged_club.folder


@pytest.fixture
def longest(db: Path) -> dict[str, object]:
    """The longest missed win."""
    with open_database(db) as database:
        return find_tactics(database, "missed", limit=1).dicts()[0]


def test_all_lists_have_a_heading(run: Run) -> None:
    status, out, err = run("tactics")
    assert (status, err.count(COVERAGE)) == (0, 1)
    headings = [line for line in out.splitlines() if "--kind" in line]
    assert headings == [f"{kind.meaning}  (--kind {name})" for name, kind in KINDS.items()]
    assert list(json.loads(run("tactics", "--json")[1])) == list(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_in_every_form(run: Run, kind: str, tmp_path: Path) -> None:
    rows = json.loads(run("tactics", "--kind", kind, "--limit", 3, "--json")[1])
    assert len(rows) == 3
    lines = csv.DictReader(io.StringIO(run("tactics", "--kind", kind, "--limit", 3, "--csv")[1]))
    assert [line["id"] for line in lines] == [row["id"] for row in rows]
    assert run("tactics", "--kind", kind, "--parquet", tmp_path / "t.parquet")[0] == 0
    text = run("tactics", "--kind", kind, "--limit", 3)[1]
    assert [line.split()[0] for line in text.splitlines()[2:]] == [row["id"] for row in rows]


def test_a_row_goes_on_to_the_solver(run: Run, longest: dict[str, object]) -> None:
    status, out, _ = run(
        "solve", "--game", longest["id"], "--ply", longest["ply"], "--depth", longest["length"], "--json"
    )
    assert (status, json.loads(out)["forced"]) == (0, longest["length"])


def test_a_review_marks_the_plies(run: Run, longest: dict[str, object]) -> None:
    status, out, err = run("show", longest["id"], "--review", "--lines")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.split()[:1] == [str(longest["ply"])])
    assert f"Let a forced win in {longest['length']} go." in lines[at]
    assert len(lines[at + 1].partition("line: ")[2].split("  ")) == longest["length"]
    assert "no win in 3 or more was found within these limits" in out
    assert "line: " not in run("show", longest["id"], "--review")[1]
    whole = json.loads(run("show", longest["id"], "--review", "--json")[1])
    assert whole["plies"][longest["ply"]]["missed"] is True


def test_a_game_without_an_analysis_names_the_command(run: Run) -> None:
    (game, *_) = json.loads(run("games", "analysed:no date:2012", "--json")[1])
    status, out, err = run("show", game["id"], "--review")
    assert (status, out, err) == (0, "", f"This game has not been analysed: run zertz analyse id:{game['id']}.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "3T7K", "--review", "--ply", "2"], "--review shows all plies: omit --ply and --svg"),
        (["show", "3T7K", "--lines"], "--lines belongs to --review as text"),
        (["tactics", "--limit", 10**23], f"{10**23} forced wins can't be listed"),
        (["games", "--limit", 10**23], f"{10**23} games can't be listed"),
        (["find", "W", "--limit", 10**23], f"{10**23} matches can't be listed"),
    ],
)
def test_what_can_t_be_asked_is_explained(run: Run, arguments: list[str], message: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    "arguments",
    [["games", "missed:>=3"], ["stats", "tactics"], ["stats", "blunders:>0"], ["find", "W", "--filter", "forced:1.."]],
)
def test_the_part_that_was_analysed_is_reported_once(run: Run, arguments: list[str]) -> None:
    status, _, err = run(*arguments)
    assert (status, err.count(COVERAGE)) == (0, 1)


def test_without_analyses_each_command_says_so(sample: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_DB", str(sample))
    for arguments in (["games", "forced:3"], ["tactics"], ["stats", "tactics"], ["stats", "missed-by:ada"]):
        status, out, err = run(*arguments)
        assert (status, err.count(NOT_ANALYSED)) == (0, 1), arguments
        assert "none found" in out or arguments[0] != "tactics"


def test_a_profile_counts_forced_wins(run: Run) -> None:
    assert "\nforced wins, proven blunders and accuracy in analysed games\n" in run("players", "ada")[1]
    (row,) = csv.DictReader(io.StringIO(run("players", "ada", "--csv", "--table", "tactics")[1]))
    assert int(row["kept"]) + int(row["missed"]) == int(row["of"])
