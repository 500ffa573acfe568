"""Internal errors on the check page: what else there is to say about a record is shown."""

from __future__ import annotations

import pytest

from dashboards import checking
from dashboards.checking import Brought
from tests.ingest.injecting import NAME, game, inject, logged
from zertz_db.check.findings import OUR_FAULT


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    checking._looked_into.clear()
    checking.repairs_of.clear()


def test_records_on_which_zertz_fails_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    inject(monkeypatch, "zertz_db.check.replay:conclude zertz_db.check.batch:conclude", RuntimeError("no idea"))
    text = "\n".join(game(first) for first in ("Ada", NAME, "Cem"))
    found = checking.look_into([Brought("games.txt", text.encode())]).records
    assert [one.checked.verdict for one in found] == ["verified", "unreadable", "verified"]
    assert [finding.code for finding, _ in checking.lines_of(found[1])] == [OUR_FAULT.code]


@pytest.mark.parametrize("where", ["dashboards.checking:repairs", "dashboards.checking:excerpt"])
def test_a_step_that_only_adds_to_the_findings_may_fail(
    where: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    illegal = game(NAME).replace("x d3Wd5", "x d3Wd6")
    (found,) = checking.look_into([Brought("games.txt", illegal.encode())]).records
    inject(monkeypatch, where, RuntimeError("no idea"))
    repairs = checking.repairs_of(found.data, found.number, found.checked, found.text)
    lines = checking.lines_of(found)
    assert found.checked.verdict == "illegal"
    assert repairs == [] or all(line is None for _, line in lines)
    assert logged(caplog)[1] >= 1
