"""The README's ten questions get the answers that it shows. `ZERTZ_REWRITE=1 pytest tests/project/test_tour.py` writes them anew."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from zertz_db.cli.main import app
from zertz_db.ingest.balance import Balance
from zertz_db.ingest.importing import import_paths

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
_TOUR = re.compile(r"(?<=\n## Ten questions\n).*?(?=\n## )", re.DOTALL)
_BLOCK = re.compile(r"```\n\$ zertz (.+)\n([\s\S]*?)```")


@pytest.fixture(scope="module")
def balance(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Balance]:
    folder = tmp_path_factory.mktemp("tour") / "demo.zertz"
    return folder, import_paths([ROOT / "data"], folder)


@pytest.fixture(scope="module")
def demo(balance: tuple[Path, Balance]) -> Path:
    return balance[0]


def test_the_balance_of_the_demo(balance: tuple[Path, Balance]) -> None:
    found = balance[1]
    line = (
        f"{found.read} records read = {found.stored} stored + {found.duplicate} duplicate + {found.rejected} rejected"
    )
    shown = re.sub(r"[0-9]+ records read = .+", line, README.read_text("utf-8"), count=1)
    if os.environ.get("ZERTZ_REWRITE"):
        README.write_text(shown, "utf-8")
    assert shown == README.read_text("utf-8")


def tour() -> str:
    found = _TOUR.search(README.read_text("utf-8"))
    assert found
    return found[0]


def answer(demo: Path, command: str) -> str:
    ended = CliRunner().invoke(
        app, shlex.split(command), env={"ZERTZ_DB": str(demo), "COLUMNS": "120"}, catch_exceptions=False
    )
    assert ended.exit_code == 0, ended.output
    return "".join(f"{line.rstrip()}\n" for line in ended.stdout.splitlines())


def test_there_are_ten_questions() -> None:
    assert len(_BLOCK.findall(tour())) == tour().count("\n**") == 10


def test_the_answers_are_those_that_are_shown(demo: Path) -> None:
    answered = _BLOCK.sub(lambda block: f"```\n$ zertz {block[1]}\n{answer(demo, block[1])}```", tour())
    if os.environ.get("ZERTZ_REWRITE"):
        README.write_text(_TOUR.sub(lambda _: answered, README.read_text("utf-8")), "utf-8")
    assert answered == tour()
