"""`zertz insights` and `zertz players --prepare`, run as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.queries.made_games import build, games
from zertz_db.queries.insights.metrics import METRICS
from zertz_db.queries.insights.presets import OF_ALL, OF_ONE


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("made"), [*games()])


def test_questions_are_listed_with_their_commands(run: Run) -> None:
    status, out, _ = run("insights", "--csv")
    assert status == 0
    rows = [*csv.DictReader(io.StringIO(out))]
    assert [row["question"] for row in rows] == [one.question for one in (*OF_ALL, *OF_ONE)]
    assert rows[0]["command"] == "zertz insights points --by side"


def test_two_filters_are_compared(run: Run) -> None:
    status, out, err = run("compare", "endings", "board:37", "board:48")
    assert status == 0
    title, one, other, names, *rows = out.splitlines()
    assert (title, one.split(",")[0], other.split(",")[0]) == ("how games end", "a: board:37", "b: board:48")
    assert names.split()[:5] == ["ending", "games_a", "of_a", "share_a", "interval_a"]
    assert rows
    assert ("significant" in err) == any(row.rstrip().endswith("*") for row in rows)
    found = json.loads(run("compare", "endings", "board:37", "board:48", "--json")[1])
    assert [row["games_a"] for row in found] == [int(row.split()[1]) for row in rows]
    assert "pass both filters" in run("compare", "sets", "", "board:37")[2]
    assert "unknown subject 'set'; valid: first-mover" in run("compare", "set", "", "board:37")[2]


def test_a_metric_by_a_dimension(run: Run) -> None:
    status, out, err = run("insights", "points", "--by", "board", "not", "board:48")
    assert status == 0
    title, names, *rows = out.splitlines()
    assert title == "points share of the first mover by board"
    assert names.split() == ["board", "games", "count", "share", "interval", "field", "note"]
    assert [row.split()[0] for row in rows] == ["37", "61"]
    assert "percentile" not in err
    assert "field" in err
    found = json.loads(run("insights", "captures", "--by", "side", "--of", "ada", "--json")[1])
    assert [row["side"] for row in found] == ["first", "second"]
    assert {"mean", "field", "percentile", "players", "note"} <= found[0].keys()


def test_what_was_not_analysed_is_reported(run: Run) -> None:
    status, _, err = run("insights", "missed", "--by", "phase")
    assert status == 0
    assert "No game has been analysed: run zertz analyse." in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nonsense",), f"valid: {', '.join(METRICS)}"),
        (("points", "--by", "phase"), "points is a metric of whole games"),
        (("points", "--by", "colour"), "unknown dimension 'colour'"),
        (("points", "--of", "nobody"), "no player is called 'nobody'"),
        (("points", "player:nobody"), "no game"),
    ],
)
def test_mistakes_are_explained(run: Run, words: tuple[str, ...], message: str) -> None:
    _, out, err = run("insights", *words)
    assert message in f"{out}{err}".casefold() or message in f"{out}{err}"


def test_a_preparation_in_text_and_for_programs(run: Run) -> None:
    status, out, _ = run("players", "ada", "--prepare")
    assert status == 0
    assert out.startswith("Ada: preparation\n")
    assert "how games were lost" in out
    found = json.loads(run("players", "ada", "--prepare", "--json")[1])
    assert found.keys() == {"player", "replies", "losses", "leaving", "departures", "missed"}
    rows = [*csv.DictReader(io.StringIO(run("players", "ada", "--prepare", "--csv", "--table", "losses")[1]))]
    assert [row["ending"] for row in rows] == [row["ending"] for row in found["losses"]]
    assert "--prepare needs a name before it: zertz players NAME --prepare" in run("players", "--prepare")[2]
