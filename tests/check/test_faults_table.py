"""A table of faults: each is found, named and placed correctly, and the best repair is the intended one."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.check.faults_table import Row, rows
from zertz_db.check.check_record import check
from zertz_db.check.findings import catalogue
from zertz_db.check.repair.repairs import find_repairs
from zertz_db.parser.vocabulary.terms import Severity

ROWS = list(rows())


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_fault(row: Row) -> None:
    checked = check(row.record(), full=False)
    (error,) = [finding for finding in checked.findings if finding.severity == Severity.ERROR]
    assert (error.code, error.ply) == (row.code, row.ply)
    assert (error.span and row.text[error.span.start : error.span.end]) == row.fault
    best = next(iter(find_repairs(checked, 1, row.text)), None)
    assert (str(best).rpartition("; with that ")[0] if best and best.is_proven else "none") == row.repair


def test_every_rule_that_a_record_can_break_is_broken_on_three_boards() -> None:
    boards = defaultdict(set)
    for row in ROWS:
        boards[row.code].add(row.board)
    assert {code: len(boards[code]) for code in catalogue() if code.startswith("E3") and len(boards[code]) < 3} == {}


def test_there_are_enough() -> None:
    assert len(ROWS) >= 150
