"""Internal errors on the command line: the record is named, the traceback goes to the error log and nowhere else."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.ingest.injecting import NAME, game, inject
from tests.ingest.working import log_an_error
from zertz_db import logs
from zertz_db.ingest import worker_processes
from zertz_db.ingest.sources.place import Place
from zertz_db.parser import faults


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """No handler of another test, which may have seen its share of errors."""
    logger = logging.getLogger(faults.LOGGER)
    before, logger.handlers = logger.handlers, []
    yield
    logger.handlers = before


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(logs.LOG_VARIABLE, str(tmp_path / "state" / "errors.log"))
    return tmp_path / "state" / "errors.log"


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    path.write_text("\n".join(game(first) for first in ("Ada", NAME, "Cem")))
    return path


COMMANDS = (
    (["check"], 1, "zertz_db.parser.gipf.reader:record_of", "2 verified + 0 unfinished + 0 illegal + 1 unreadable"),
    (["convert"], 1, "zertz_db.parser.gipf.writer:write", "2 records written"),
    (
        ["convert", "--to", "jsonl"],
        1,
        "zertz_db.check.check_record:conclude zertz_db.check.check_many:conclude",
        "3 records written",
    ),
    (
        ["import", "--db", "NEW"],
        1,
        "zertz_db.ingest.records.batch:build_game_row",
        "2 stored + 0 duplicate + 1 rejected",
    ),
)


@pytest.mark.parametrize(("command", "status", "where", "tally"), COMMANDS)
def test_people_read_one_line_and_the_log_has_the_traceback(
    command: list[str],
    status: int,
    where: str,
    tally: str,
    run: Run,
    log: Path,
    records: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inject(monkeypatch, where, KeyError("no idea"))
    arguments = [str(tmp_path / "new") if word == "NEW" else word for word in command]
    code, out, err = run(*arguments, str(records))
    assert code == status
    assert tally in out + err
    assert "Traceback" not in out + err
    assert (
        sum("internal error in zertz (KeyError: 'no idea')" in line and str(log) in line for line in err.split("\n"))
        == 1
    )
    assert log.read_text().count("Traceback (most recent call last)") == 1
    assert str(records) in log.read_text()


def test_a_log_that_cannot_be_written_costs_nothing_else(
    run: Run, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(logs.LOG_VARIABLE, str(tmp_path / "file" / "errors.log"))
    inject(monkeypatch, "zertz_db.parser.gipf.reader:record_of", RuntimeError("no idea"))
    code, out, err = run("check", str(records))
    assert (code, "2 verified" in out, "Traceback" in out + err) == (1, True, False)
    assert "no error log: " in err


def test_a_common_error_does_not_fill_the_disk(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs.follow_parent()
    for number in range(2 * logs.MAX_ENTRIES_PER_KIND):
        log_an_error([Place(str(number))])
    assert log.read_text().count("Traceback") == logs.MAX_ENTRIES_PER_KIND
    assert len(capsys.readouterr().err.splitlines()) == logs.MAX_ENTRIES_PER_KIND


def test_workers_write_to_the_same_log(log: Path) -> None:
    with worker_processes.open_pool(1) as pool:
        assert pool.submit(log_an_error, [Place("a.txt")]).result() == ["a.txt"]
    assert "a.txt: internal error in zertz (ZeroDivisionError" in log.read_text()


def test_a_repaired_copy_is_made_of_the_other_records(
    run: Run, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    illegal = [game(first).replace("x d3Wd5", "x d3Wd6") for first in ("Ada", NAME, "Cem")]
    (tmp_path / "games.txt").write_text("\n".join(illegal))
    inject(monkeypatch, "zertz_db.ingest.fix_files:find_repairs", RuntimeError("no idea"))
    code, _, err = run("check", "--fix", str(tmp_path / "games.txt"))
    assert code == 1
    assert "2 repaired records" in err
    assert "Traceback" in log.read_text()


def test_doctor_and_recheck_leave_a_record_on_which_zertz_fails(
    run: Run, log: Path, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = ["--db", str(tmp_path / "new")]
    assert run("import", str(records), *database)[0] == 0
    with monkeypatch.context() as patch:
        inject(patch, "zertz_db.parser.gipf.reader:record_of", RuntimeError("no idea"))
        for command, says in (("doctor", "0 records would now be stored differently"), ("recheck", "no changes: ")):
            code, out, err = run(command, *database)
            assert (code, says in out, "zertz failed on 1 record" in out) == (1, True, True)
            assert "games.txt:12: internal error in zertz" in out
            assert "Traceback" not in out + err
    assert log.read_text().count("Traceback") == 2
    assert run("doctor", *database)[0] == 0
