"""`zertz correct`, run as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.ingest.databases import copied


@pytest.fixture
def db(sample: Path, tmp_path: Path) -> Path:
    """A small database of the test's own."""
    return copied(sample, tmp_path)


@pytest.fixture
def games(run: Run) -> list[str]:
    """The ids of all games."""
    return [game["id"] for game in json.loads(run("games", "--json")[1])]


def test_a_session_of_corrections(run: Run, games: list[str]) -> None:
    one, other = games[:2]
    before = run("show", one)
    old = re.findall("Event: +(.*)", before[1])[0]
    status, out, err = run(
        "correct", one[:8].lower(), "event=Club night", "Club=Lyon", "--why", "the scoresheet", "--author", "ada"
    )
    assert (status, out) == (0, f"{one} Event: “{old}” → “Club night”\n{one} Club: nothing → “Lyon”\n")
    assert err == f"to revert it: zertz correct {one} --undo Event\n"
    assert run("correct", one, "event=Club night")[1:] == (
        "",
        "nothing to correct: the tags have these values already\n",
    )
    assert run("correct", one, other, "round=7")[1].count("→ “7”") == 2
    shown = run("show", one)[1]
    assert f"Event:         Club night (corrected; the record has “{old}”)\n" in shown
    assert "Club:          Lyon (corrected; the record has none)\n" in shown
    assert '[Corrected "Club (had none), Event' in run("export", f"id:{one}")[1]
    assert [game["id"] for game in json.loads(run("games", 'event:"club night"', "--json")[1])] == [one]
    assert run("correct", one, "--undo", "event", "--undo", "club", "--author", "ben")[1] == (
        f"{one} Event: reverted “Club night”\n{one} Club: reverted “Lyon”\n"
    )
    assert run("correct", one, other, "--undo", "round")[0] == 0
    assert run("show", one) == before
    listed = json.loads(run("correct", one, "--history", "--json")[1])
    assert [(row["tag"], row["new"], row["why"], row["author"], row["taken_back_by"]) for row in listed][1:] == [
        ("Club", "Lyon", "the scoresheet", "ada", "ben"),
        ("Event", "Club night", "the scoresheet", "ada", "ben"),
    ]
    assert len(list(csv.DictReader(io.StringIO(run("correct", "--history", "--csv")[1])))) == 4
    assert re.search(
        rf"{one}  Club +Lyon +the scoresheet  ada +\d{{4}}-\d\d-\d\d \d\d:\d\d  ben", run("correct", "--history")[1]
    )


def test_before_anything_is_corrected(run: Run) -> None:
    assert run("correct", "--history") == (0, "", "no corrections yet: zertz correct GAME TAG=VALUE\n")
    assert run("correct", "--history", "--json")[1] == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name a game: zertz correct GAME TAG=VALUE"),
        (["event=x"], "name a game"),
        (["GAME"], "give a tag a value"),
        (["GAME", "event=x", "--undo", "event"], "one at a time"),
        (["GAME", "--undo", "event"], "Event of GAME has no correction; corrected tags: none."),
        (["GAME", "result=1-0"], "Result can't be corrected here"),
        (["GAME", "date=soon"], "write it as YYYY.MM.DD"),
        (["GAME", "=x"], "'' can't be a tag's name"),
        (["0000", "event=x"], "there is no game 0000"),
    ],
)
def test_what_can_not_be_done_is_said_in_a_sentence(
    run: Run, games: list[str], arguments: list[str], says: str
) -> None:
    status, out, err = run("correct", *(games[0] if one == "GAME" else one for one in arguments))
    assert (status, out) == (2, "")
    assert says.replace("of GAME", f"of {games[0]}") in err
