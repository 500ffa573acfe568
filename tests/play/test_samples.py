"""The samples: their README states the answers of `zertz check` and the commands that wrote the generated ones, correctly."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from zertz_db import samples
from zertz_db.check.findings import catalogue
from zertz_db.cli.main import app
from zertz_db.parser.text.encoding import decode

FOLDER = samples.folder()
README = (FOLDER / "README.md").read_text("utf-8")
VERDICTS = ("verified", "unfinished", "illegal", "unreadable")

EXPECTATION = re.compile(r"(?:\{|C\[)((?:[EWN]\d{3}(?:, )?)+): ")
"""The start of a game that expects findings: its comment names their codes."""

WITH_EXPECTATIONS = ("faults.txt", "server-faults.sgf", "irregular/leniencies.txt", "irregular/as-people-write.txt")

NOT_ABOUT_RECORDS = {"E109", "E101", "E102", "E103", "E104", "E105", "E106", "E107", "E110", "N121", "E240"}
"""Findings on files without a record: damaged, empty, no text, no notation, no game; and on members of archives."""

OUT_OF_REACH = {
    "E260",  # more plies, and more letters, than any record has: tens of repetitive pages
    "E261",
    "E329",  # a capture without a jump: the readers don't let it through
}
"""Findings that no reader's record can have, or no sample should."""


class Row(NamedTuple):
    """A row of a table: the number of records with each verdict, and the codes (None: as the comments state)."""

    file: str
    records: int
    verdicts: tuple[int, ...]
    codes: frozenset[str] | None


def rows() -> list[Row]:
    found = []
    for line in README.splitlines():
        if line.startswith("| `"):
            file, *counts, expected_codes, _ = (cell.strip() for cell in line.strip("|").split("|", 7))
            codes = None if "comments" in expected_codes else frozenset(re.findall(r"[EWN]\d{3}", expected_codes))
            records, *verdicts = map(int, counts)
            found.append(Row(file.strip("`"), records, tuple(verdicts), codes))
    return found


def checked(file: str) -> list[dict[str, Any]]:
    answer = CliRunner().invoke(app, ["check", str(FOLDER / file), "--format", "jsonl"])
    assert answer.exit_code in (0, 1), answer.stderr
    return [json.loads(line) for line in answer.stdout.splitlines()]


def codes(record: dict[str, Any]) -> set[str]:
    return {finding["code"] for finding in record["findings"]}


def test_every_sample_is_listed_once() -> None:
    there = [
        path.relative_to(FOLDER).as_posix()
        for path in FOLDER.rglob("*")
        if path.suffix in (".txt", ".sgf", ".zip", ".jsonl")
    ]
    assert Counter(row.file for row in rows()) == Counter(there)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.file)
def test_check_prints_the_answers_of_the_readme(row: Row) -> None:
    records = checked(row.file)
    found = Counter(record["verdict"] for record in records)
    assert (len(records), *(found[verdict] for verdict in VERDICTS)) == (row.records, *row.verdicts)
    if row.codes is not None:
        assert set().union(*map(codes, records)) == row.codes


@pytest.mark.parametrize("file", WITH_EXPECTATIONS)
def test_every_game_has_the_findings_that_its_comment_names(file: str) -> None:
    text, _ = decode((FOLDER / file).read_bytes())
    expected = [set(found.split(", ")) for found in EXPECTATION.findall(text)]
    assert [codes(record) for record in checked(file)] == expected


def test_the_samples_show_every_finding_about_a_record() -> None:
    files = [row.file for row in rows() if row.codes != frozenset()]
    shown = {code for file in files for record in checked(file) for code in codes(record)}
    assert catalogue().keys() - shown == NOT_ABOUT_RECORDS | OUT_OF_REACH


@pytest.mark.parametrize(
    "command", re.findall(r"^zertz generate .*", README, re.MULTILINE), ids=lambda line: line.split()[-1]
)
def test_the_commands_of_the_readme_write_the_samples(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, *arguments = shlex.split(command)
    file = arguments[-1]
    (tmp_path / file).parent.mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(app, arguments)
    assert answer.exit_code == 0, answer.output
    assert contents(tmp_path / file) == contents(FOLDER / file)


def contents(file: Path) -> object:
    """Return a file's bytes; of a zip its members', because compression differs between machines."""
    if file.suffix != ".zip":
        return file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def test_the_folder_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 1_000_000
