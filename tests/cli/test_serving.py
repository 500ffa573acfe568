"""`zertz dashboard`, up to where Streamlit begins."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zertz_db.cli.main import main

Run = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit status, the arguments that Streamlit was started with (none if it was not), and what was said."""
    for name in ("ZERTZ_DB", "ZERTZ_ALLOW_IMPORT"):
        monkeypatch.setenv(name, "")  # so that what the command sets is taken back

    def call(*arguments: object) -> tuple[int, list[str], str]:
        started: list[str] = []
        monkeypatch.setattr("runpy.run_module", lambda *_, **__: started.extend(sys.argv))
        monkeypatch.setattr(sys, "argv", ["zertz", "dashboard", "--port", "8999", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), started, said.out + said.err

    return call


@pytest.mark.parametrize(("options", "allowed"), [((), "0"), (("--allow-import",), "1")])
def test_it_only_reads_unless_it_may_write(run: Run, sample: Path, options: tuple[str, ...], allowed: str) -> None:
    status, started, said = run("--db", sample, "--no-browser", *options)
    assert (status, os.environ["ZERTZ_ALLOW_IMPORT"]) == (0, allowed)
    assert os.environ["ZERTZ_DB"] == str(sample.resolve())
    assert {"--server.port=8999", "--server.headless=true"} <= {*started}
    assert "http://localhost:8999" in said


def test_without_a_database_it_starts_and_says_so(run: Run, tmp_path: Path) -> None:
    status, started, said = run("--db", tmp_path / "none")
    assert (status, bool(started)) == (0, True)
    assert "There is no database" in said
    assert not (tmp_path / "none").exists()


def test_a_database_that_can_not_be_read_is_named_before_anything_starts(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "CURRENT").write_text("generation-000001-abcdef.duckdb\n", "utf-8")
    status, started, said = run("--db", tmp_path / "broken")
    assert (status, started) == (2, [])
    assert "zertz:" in said
