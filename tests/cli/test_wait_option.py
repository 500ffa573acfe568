"""While something is imported marks are made at once, and what changes tables waits for its turn."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.cli.conftest import Run
from tests.ingest.databases import copied
from zertz_db.cli import options as waiting
from zertz_db.store.folder.lock import importers_lock


@pytest.fixture
def db(sample: Path, tmp_path: Path) -> Path:
    return copied(sample, tmp_path)


@pytest.fixture
def game(run: Run) -> str:
    return str(json.loads(run("games", "--json")[1])[0]["id"])


def test_marks_and_claims_do_not_wait_for_an_import(run: Run, db: Path, game: str) -> None:
    with importers_lock(db):
        assert run("mark", game, "--label", "study")[0] == 0
        assert run("players", "Ada", "--is-not", "Ben")[0] == 0
        assert [one["label"] for one in json.loads(run("marks", "--json")[1])] == ["study"]
        assert run("marks", "--remove", json.loads(run("marks", "--json")[1])[0]["mark"])[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        ["correct", "GAME", "event=x"],
        ["correct", "GAME", "--undo", "event"],
        ["undo", "1"],
        ["recheck"],
        ["players", "--anonymise", "Ada"],
        ["duplicates", "--split", "GAME"],
    ],
)
def test_who_does_not_want_to_wait_is_told_who_holds_the_lock(run: Run, db: Path, game: str, words: list[str]) -> None:
    with importers_lock(db):
        status, _, errors = run(*(game if word == "GAME" else word for word in words), "--wait", 0)
    assert status == 2
    assert "is being changed by process" in errors or "No merged game" in errors
    assert "in zertz itself" not in errors


def test_a_correction_waits_for_an_import_and_says_so(
    run: Run, db: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, waits = Event(), Event()

    def hold() -> None:
        with importers_lock(db):
            held.set()
            waits.wait(60)

    echo = waiting.typer.echo

    def watch(text: str, **options: bool) -> None:
        echo(text, **options)
        waits.set()

    holder = Thread(target=hold)
    holder.start()
    held.wait(60)
    monkeypatch.setattr(waiting.typer, "echo", watch)
    status, _, errors = run("correct", game, "event=Club")
    holder.join()
    assert status == 0
    assert "zertz: waiting up to 600 s for process" in errors
