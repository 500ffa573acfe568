"""What the documentation offers for workflows is a command that there is, with options that it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.project.docs.pages import DOCS, ROOT
from zertz_db.cli.main import app

PAGE = DOCS / "checking.md"
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
LEGAL = '[Board "37"]\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n'


def offered() -> list[list[str]]:
    """The commands as words, with `games` for what they check."""
    page = PAGE.read_text("utf-8")
    workflow = re.findall(r"- run: zertz (.*)", page)
    (entry,) = re.findall(r"^  entry: zertz (.*)$", HOOKS, re.MULTILINE)
    (arguments,) = re.findall(r"args: \[(.*)\]", page)
    return [words.split() for words in (*workflow, f"{entry} {arguments.replace(',', ' ').replace(chr(34), '')} games")]


@pytest.mark.parametrize("words", offered(), ids=" ".join)
def test_the_command_runs(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.txt").write_text(LEGAL)
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, words).exit_code == 0
    (tmp_path / "games" / "b.txt").write_text(LEGAL.replace("d5", "d6"))
    assert CliRunner().invoke(app, words).exit_code == 1


def test_the_hook_is_named_in_the_page() -> None:
    (name,) = re.findall(r"^- id: (\S+)$", HOOKS, re.MULTILINE)
    assert f"- id: {name}" in PAGE.read_text("utf-8")
