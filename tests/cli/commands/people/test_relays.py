"""`zertz relays`, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.queries.sample import played, record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.rules.position import Position


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ben plays the moves of Ada against Cy half an hour later."""
    moves = " ".join(played(Position.start("37"), 3, 16))
    written = [
        record(event, *names, "2010.01.01", f"{moves} *", UTCTime=time)
        for event, names, time in (("one", ("Ada", "Ben"), "20:00"), ("two", ("Ben", "Cy"), "20:30"))
    ]
    folder = tmp_path_factory.mktemp("relays")
    (folder / "games.txt").write_text("".join(written), "utf-8")
    import_paths([folder / "games.txt"], folder / "db")
    return folder / "db"


def test_pairs_and_chance_are_printed(run: Run) -> None:
    (row,) = json.loads(run("relays", "--json")[1])
    assert (row["relation"], row["players"], row["other_players"], row["shared"]) == (
        "relayed", "Ada – Ben", "Ben – Cy", 16,
    )  # fmt: skip
    assert "30 minutes apart" in row["evidence"]
    assert run("relays")[1].splitlines()[1].startswith("relayed")
    chance = {row["relation"]: row["pairs"] for row in json.loads(run("relays", "--chance", "--json")[1])}
    assert chance == {"relayed": 1, "swapped": 0, "elsewhere": 0, "repeated": 0}


@pytest.mark.parametrize("options", [["--hours", "0.2"], ["--shortest", "17"], ["player:dora"]])
def test_none_are_a_sentence(run: Run, options: list[str]) -> None:
    status, out, err = run("relays", *options)
    assert (status, out) == (0, "")
    assert err
