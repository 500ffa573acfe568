"""`zertz dashboard`, up to where Streamlit begins."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zertz_db import dashboards
from zertz_db.cli.main import main
from zertz_db.cli.servers import dashboard

Run = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit status, the arguments that Streamlit was started with (none if it was not), and what was said."""
    for name in ("ZERTZ_DB", "ZERTZ_ALLOW_IMPORT", "ZERTZ_HOSTS"):
        monkeypatch.setenv(name, "")  # so that what the command sets is taken back
    monkeypatch.setattr(dashboard, "_warm_up", lambda: None)  # its thread would go on during later tests

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
    assert started[:3] == ["streamlit", "run", str(dashboards.APPLICATION)]
    assert {"--server.port=8999", "--server.headless=true"} <= {*started}
    assert "http://localhost:8999" in said


@pytest.mark.parametrize(
    ("options", "address", "names"),
    [
        ((), "localhost", "localhost,127.0.0.1,[::1]"),
        (("--name", "Club.example"), "localhost", "localhost,127.0.0.1,[::1],club.example"),
        (("--host", "127.0.0.9"), "127.0.0.9", "localhost,127.0.0.1,[::1],127.0.0.9"),
        (("--host", "0.0.0.0"), "0.0.0.0", "localhost,127.0.0.1,[::1],0.0.0.0"),  # noqa: S104 - nothing listens
    ],
)
def test_it_answers_to_its_own_names(
    run: Run, sample: Path, options: tuple[str, ...], address: str, names: str
) -> None:
    status, started, said = run("--db", sample, *options)
    assert (status, os.environ["ZERTZ_HOSTS"]) == (0, names)
    assert {f"--server.address={address}", "--server.headless=false"} <= {*started}
    assert ("Anyone" in said) == (address == "0.0.0.0")  # noqa: S104


def test_it_does_not_serve_where_there_is_no_address(run: Run, sample: Path) -> None:
    status, started, said = run("--db", sample, "--host", "nowhere.invalid")
    assert (status, started) == (2, [])
    assert "can't serve on nowhere.invalid" in said


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
