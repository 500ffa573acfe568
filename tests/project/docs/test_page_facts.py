"""What the pages name is there: commands, options, make targets, tests, files, sections of the rules."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.project.docs.pages import DOCS, GUIDES, README, ROOT, name
from zertz_db.check.findings import catalogue
from zertz_db.cli.command_table import COMMANDS, load_command
from zertz_db.parser.dialects import DIALECTS
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.rule_sets import RULE_SETS

_COMMAND = re.compile(r"^(?:\$ |\.venv/bin/)?zertz (.+)$", re.MULTILINE)
DEVELOPMENT, EXTENDING = (DOCS / "contributing" / page for page in ("development.md", "extending.md"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def commands(page: Path) -> list[list[str]]:
    """Return the words of each command line in a page's code blocks, up to a redirection."""
    text = page.read_text("utf-8")
    found = []
    for line in _COMMAND.findall("\n".join(re.findall(r"^```[^\n]*\n([\s\S]*?)^```$", text, re.MULTILINE))):
        words = shlex.split(line, comments=True)
        found.append(words[: next((place for place, word in enumerate(words) if word in ("&", "|", ">", "<")), None)])
    return found


@pytest.mark.parametrize("page", [page for page in GUIDES if commands(page)], ids=name)
def test_commands_and_their_options_exist(page: Path) -> None:
    known = {row.name: load_command(row) for row in COMMANDS}
    for first, *words in commands(page):
        assert first in known, first
        command = known[first]
        if hasattr(command, "commands"):  # a group
            command, words = command.commands[words[0]], words[1 : words.index("--") if "--" in words else None]
        options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        used = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word) and word[1:2] != "e"}
        assert {option for option in used if option.startswith("--")} <= options, (first, words)


def test_the_readme_names_the_gate_s_commands() -> None:
    assert {"make demo", "make test"} <= set(re.findall(r"^make \w+$", README.read_text("utf-8"), re.MULTILINE))


def test_make_targets_exist_and_are_all_explained() -> None:
    targets = set(re.findall(r"^([a-z]+):.*##", MAKEFILE, re.MULTILINE))
    named = {target for page in GUIDES for target in re.findall(r"`make (\w+)", page.read_text("utf-8"))}
    explained = set(re.findall(r"^\| `make (\w+)`", DEVELOPMENT.read_text("utf-8"), re.MULTILINE))
    assert named <= targets == explained


@pytest.mark.parametrize("page", GUIDES, ids=name)
def test_named_tests_exist(page: Path) -> None:
    there = {file.stem for file in (ROOT / "tests").rglob("test_*.py")}
    assert set(re.findall(r"\btest_[a-z_]+", page.read_text("utf-8"))) <= there


@pytest.mark.parametrize("page", GUIDES, ids=name)
def test_named_modules_of_tests_exist(page: Path) -> None:
    for module in re.findall(r"python -m ([\w.]+\w)", page.read_text("utf-8")):
        if module.split(".")[0] in ("tests", "zertz_db"):
            file = ROOT.joinpath(*module.split("."))
            assert file.with_suffix(".py").is_file() or (file / "__main__.py").is_file(), module


def test_rules_that_findings_name_are_sections() -> None:
    text = (DOCS / "rules.md").read_text("utf-8")
    sections = dict(re.findall(r"^##+ (\d+a?)\.? (.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL))
    for rule in {kind.rule for kind in catalogue().values() if kind.rule}:
        section, _, item = rule.partition(".")
        assert section in sections, rule
        assert not item or re.search(rf"^{item}\. ", sections[section], re.MULTILINE), rule


def first_cells(page: str) -> list[str]:
    """Return the first cells of all rows of a page's tables."""
    return re.findall(r"^\| ([^|]+?) \|", (DOCS / page).read_text("utf-8"), re.MULTILINE)


def test_every_dialect_has_a_row() -> None:
    assert {f"`{dialect.name}`" for dialect in DIALECTS} <= set(first_cells("notation.md"))


def test_every_rule_set_and_board_has_a_row() -> None:
    assert {f"`{rules}`" for rules in RULE_SETS} | set(STANDARD_BOARDS) <= set(first_cells("rules.md"))


def test_every_page_of_the_dashboard_has_a_row() -> None:
    titles = re.findall(r'title="([^"]+)", icon', (ROOT / "dashboards" / "app.py").read_text("utf-8"))
    rows = [title for cell in first_cells("dashboard.md") for title in cell.split(", ")]
    assert len(titles) > 10
    assert {title for title in titles if title != "Welcome"} <= set(rows)


def test_the_page_on_extending_names_files_that_exist() -> None:
    if not (ROOT / "zertz_db" / "store" / "schema").is_dir():
        pytest.skip("the page names the files of the layout that comes next")
    named = re.findall(r"`((?:parser|zertz_db|dashboards|data|docs|tests)/[\w./]+)`", EXTENDING.read_text("utf-8"))
    assert [path for path in named if "NAME" not in path and not (ROOT / path).exists()] == []


def test_terms_of_the_glossary_are_listed_once_and_in_order() -> None:
    tables = re.findall(r"^\|---.*\n((?:\|.*\n)+)", (DOCS / "glossary.md").read_text("utf-8"), re.MULTILINE)
    terms = [[row.split("|")[1].strip() for row in table.splitlines()] for table in tables]
    assert [table for table in terms if table != sorted(table)] == []
    assert len({term for table in terms for term in table}) == sum(map(len, terms)) >= 60
