"""`zertz`, run as a user runs it, with its output in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zertz_db.cli.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def db(sample: Path) -> Path:
    """The database that commands are about; many modules have one of their own."""
    return sample


@pytest.fixture
def run(db: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `zertz` with these arguments on the database: exit status, output, errors."""
    monkeypatch.setenv("ZERTZ_DB", str(db))

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["zertz", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        output = capsys.readouterr()
        return int(ended.value.code or 0), output.out, output.err

    return call
