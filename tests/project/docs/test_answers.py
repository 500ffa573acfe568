"""The commands in README and docs/ give the answers that are shown there.

`ZERTZ_REWRITE=1 pytest tests/project/docs/test_answers.py` writes today's answers into the pages.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.project.docs.pages import GUIDES, README, ROOT, name
from zertz_db.cli import main as cli
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.tally import Tally
from zertz_db.samples import folder as samples

_ANSWERED = re.compile(r"```\n\$ zertz (.+)\n([\s\S]*?)```")
_RECORD = re.compile(r"```\n(\[Player1 [\s\S]*?)```")
_TALLY = re.compile(r"^[0-9]+ records read = .+$", re.MULTILINE)
QUESTIONS = {"README.md": 6, "docs/questions.md": 4}


@pytest.fixture(scope="module")
def tally(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Tally]:
    """A folder with the README's record and a database of the samples, and the tally of its import."""
    place = tmp_path_factory.mktemp("tour")
    record = _RECORD.search(README.read_text("utf-8"))
    assert record
    (place / "game.txt").write_text(record[1], "utf-8")
    return place, import_paths([samples()], place / "demo.zertz")


def compare(page: Path, shown: str) -> None:
    """Fail if a page says something else than this; write it into the page instead if that is asked for."""
    if os.environ.get("ZERTZ_REWRITE"):
        page.write_text(shown, "utf-8")
    assert page.read_text("utf-8") == shown


def test_the_tally_of_the_samples(tally: tuple[Path, Tally]) -> None:
    found = tally[1]
    line = (
        f"{found.read} records read = {found.stored} stored + {found.duplicate} duplicate + {found.rejected} rejected"
    )
    text = README.read_text("utf-8")
    assert len(_TALLY.findall(text)) == 1
    compare(README, _TALLY.sub(line, text))


@pytest.mark.parametrize("page", [page for page in GUIDES if _ANSWERED.search(page.read_text("utf-8"))], ids=name)
def test_the_answers_are_those_that_are_shown(
    page: Path, tally: tuple[Path, Tally], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tally[0])
    monkeypatch.setenv("ZERTZ_DB", "demo.zertz")
    monkeypatch.setenv("COLUMNS", "120")

    def answer(command: str) -> str:
        monkeypatch.setattr("sys.argv", ["zertz", *shlex.split(command)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capfd.readouterr()
        return "".join(f"{line.rstrip()}\n" for line in (said.err if ended.value.code == 2 else said.out).splitlines())

    text = page.read_text("utf-8")
    compare(page, _ANSWERED.sub(lambda block: f"```\n$ zertz {block[1]}\n{answer(block[1])}```", text))


@pytest.mark.parametrize(("page", "count"), QUESTIONS.items())
def test_every_question_has_an_answer(page: str, count: int) -> None:
    _, *questions = re.split(r"^\*\*[0-9]+\. (?=[^*]+\?\*\*)", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE)
    assert [len(_ANSWERED.findall(question)) for question in questions] == [1] * count
