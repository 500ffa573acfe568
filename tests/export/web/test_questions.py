"""A site's answers under node: the database's, and for the first page the same before and after all games are replayed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.export.web.test_site import BOARD
from tests.site_questions import answer, make_questions, reduce_answer
from zertz_db.export.web.site import write_site
from zertz_db.store.folder.database import Database

NODE = shutil.which("node")
DRIVER = Path(__file__).with_name("questions_driver.mjs")
FIRST_PAGES = [
    {"ask": name, "about": {"board": board, "rules": rules, "filter": {}}}
    for name in ("openings", "reached")
    for board in ("37", "48", "61")
    for rules in ("standard", "blitz")
]

pytestmark = pytest.mark.skipif(NODE is None, reason="node is missing")


@pytest.fixture
def site(database: Database, tmp_path: Path) -> Path:
    write_site(database, tmp_path, BOARD)
    return tmp_path


def ask(site: Path, questions: Iterable[dict[str, Any]], *options: str) -> list[Any]:
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    command = [str(NODE), str(DRIVER), str(site), *options]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_answers_are_the_databases(database: Database, site: Path) -> None:
    questions = list(make_questions(database, 16, seed=7))
    for question, found in zip(questions, ask(site, questions), strict=True):
        assert reduce_answer(question, found) == answer(database, question), question


def test_the_first_page_is_answered_before_the_games_are_replayed(site: Path) -> None:
    early, late = ask(site, FIRST_PAGES), ask(site, FIRST_PAGES, "compute")
    for question, one, other in zip(FIRST_PAGES, early, late, strict=True):
        for row in other.get("continuations", ()):
            row["meanPlies"] = pytest.approx(row["meanPlies"], abs=0.051)
        assert one == other, question


def test_the_most_frequent_continuations_come_first(site: Path) -> None:
    numbers = (1, 8, 10_000)
    questions = [{"ask": "pattern", "about": {"text": "W B", "every": True, "most": most}} for most in (None, *numbers)]
    del questions[0]["about"]["most"]
    whole, *parts = ask(site, questions)
    for most, part in zip(numbers, parts, strict=True):
        assert part["moves"] == whole["moves"] == len(whole["continuations"])
        assert part["continuations"] == whole["continuations"][:most]
