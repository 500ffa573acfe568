"""Attempts at puzzles in a text file: appended, read, and redacted; a damaged line is skipped, named and kept."""

from __future__ import annotations

import datetime as dt
import logging
from pathlib import Path

import pytest

from zertz_db.store.annotations import attempts, overlay
from zertz_db.store.annotations.attempts import Attempt

NOW = dt.datetime(2026, 5, 1, 12, 30)  # noqa: DTZ001 - UTC, as stored
ATTEMPTS = [Attempt("8BSNSWDMHBF1T", True, "ada", NOW), Attempt("80RVP47SV4Y8X", False, "bo", NOW)]


def test_attempts_are_read_in_order(tmp_path: Path) -> None:
    assert attempts.read(tmp_path) == []
    attempts.add(tmp_path, ATTEMPTS[:1])
    attempts.add(tmp_path, ATTEMPTS[1:])
    assert attempts.read(tmp_path) == ATTEMPTS


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nonsense", "Expecting value"),
        ('{"puzzle": "8BSNSWDMHBF1T"}', "author"),
        ('{"puzzle": "x", "solved": true, "author": "ada", "made_at": "2026-05-01T12:30:00"}', "invalid id"),
        (
            '{"puzzle": "8BSNSWDMHBF1T", "solved": 1, "author": "ada", "made_at": "2026-05-01T12:30:00"}',
            "true or false",
        ),
        ('{"puzzle": "8BSNSWDMHBF1T", "solved": true, "author": "ada", "made_at": "noon"}', "noon"),
    ],
)
def test_a_damaged_line_is_skipped_named_and_kept(
    tmp_path: Path, line: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    attempts.add(tmp_path, ATTEMPTS[:1])
    with (tmp_path / attempts.FILE).open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    attempts.add(tmp_path, ATTEMPTS[1:])
    caplog.set_level(logging.WARNING)
    assert attempts.read(tmp_path) == ATTEMPTS
    [fault] = overlay.faults(tmp_path)
    assert "attempts.jsonl:2 is not a puzzle attempt" in fault
    assert why in fault
    attempts.rewrite(tmp_path, lambda text: text.replace("ada", "anon"))
    assert [one.author for one in attempts.read(tmp_path)] == ["anon", "bo"]
    assert len((tmp_path / attempts.FILE).read_text("utf-8").splitlines()) == 3
