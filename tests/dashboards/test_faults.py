"""Internal errors on the check page: what else there is to say about a record is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.injecting import NAME, game, inject, logged
from zertz_db.check.findings import OUR_FAULT
from zertz_db.dashboards.state import check_uploads
from zertz_db.dashboards.state.uploads import read_records
from zertz_db.ingest.records.read_records import SourceRecord


def read(folder: Path, text: str) -> tuple[SourceRecord, ...]:
    """Return what the process that reads for a page makes of a text."""
    (folder / "games.txt").write_text(text, "utf-8")
    return read_records([str(folder / "games.txt")], 10).records


def test_records_on_which_zertz_fails_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inject(
        monkeypatch, "zertz_db.check.check_record:conclude zertz_db.check.check_many:conclude", RuntimeError("no idea")
    )
    text = "\n".join(game(first) for first in ("Ada", NAME, "Cem"))
    found = read(tmp_path, text)
    assert [one.checked.verdict for one in found] == ["verified", "unreadable", "verified"]
    assert [finding.code for finding, _ in check_uploads.list_findings(found[1])] == [OUR_FAULT.code]


@pytest.mark.parametrize(
    "where",
    ["zertz_db.dashboards.state.check_uploads:find_repairs", "zertz_db.dashboards.state.check_uploads:build_excerpt"],
)
def test_a_step_that_only_adds_to_the_findings_may_fail(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    illegal = game(NAME).replace("x d3Wd5", "x d3Wd6")
    (found,) = read(tmp_path, illegal)
    inject(monkeypatch, where, RuntimeError("no idea"))
    repairs = check_uploads._find_repairs(found.checked, 3, found.text)
    lines = check_uploads.list_findings(found)
    assert found.checked.verdict == "illegal"
    assert repairs == [] or all(line is None for _, line in lines)
    assert logged(caplog)[1] >= 1
