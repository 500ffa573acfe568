"""Faults of files of annotations in the log."""

import logging
from pathlib import Path

import pytest

from zertz_db.store.annotations import faults


def test_each_fault_is_logged_once_and_the_number_of_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(faults, "_reported", set())
    found = [f"marks.jsonl:{line} is not a mark" for line in range(1, 1_006)]
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            faults.report(Path("marks.jsonl"), found)
    assert caplog.messages == [*found[:3], "marks.jsonl: 1,002 more entries are skipped."]
