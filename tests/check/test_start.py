"""Changes to the start position before play."""

import pytest

from zertz_db.check.replay.start import _apply, start_of
from zertz_db.parser.record import Edit, Record, Span
from zertz_db.rules.position import Position

START = Position.start("37")
PLACED = Edit("place", "d4", "W")


@pytest.mark.parametrize(
    ("edits", "d4", "counts"),
    [
        ([], "o", "6/8/10 0/0/0 0/0/0"),
        ([Edit("remove ring", "d4")], ".", "6/8/10 0/0/0 0/0/0"),
        ([Edit("remove ring", "d4"), Edit("add ring", "d4")], "o", "6/8/10 0/0/0 0/0/0"),
        ([PLACED], "W", "5/8/10 0/0/0 0/0/0"),
        ([PLACED, Edit("lift", "d4")], "o", "6/8/10 0/0/0 0/0/0"),
        ([PLACED, Edit("lift", "d4", player=2)], "o", "5/8/10 0/0/0 1/0/0"),
        ([Edit("give", colour="G", player=2)], "o", "6/7/10 0/0/0 0/1/0"),
        ([Edit("give", colour="G", player=1), Edit("return", colour="G", player=1)], "o", "6/8/10 0/0/0 0/0/0"),
        ([Edit("give", colour="B", player=1), Edit("place", "d4", "B", 1)], "B", "6/8/9 0/0/0 0/0/0"),
    ],
)
def test_a_start_is_changed(edits: list[Edit], d4: str, counts: str) -> None:
    state = [*START.state]
    assert [_apply(state, START.board, edit) for edit in edits] == [None] * len(edits)
    rows = f"oooo/ooooo/oooooo/ooo{d4}ooo/oooooo/ooooo/oooo"
    assert Position(START.board, START.rules, tuple(state)).text == f"37 standard {rows} {counts} 1"


@pytest.mark.parametrize(
    ("edits", "problem"),
    [
        ([PLACED, Edit("remove ring", "d4")], "ring d4 holds a marble"),
        ([PLACED, PLACED], "no W marble can be put on d4"),
        ([Edit("remove ring", "d4"), PLACED], "no W marble can be put on d4"),
        ([Edit("place", "d4", "W", 1)], "no W marble can be put on d4"),
        ([Edit("lift", "d4")], "there is no marble on d4"),
        ([Edit("give", colour="W", player=1)] * 7, "there is no W marble left to give"),
        ([Edit("return", colour="W", player=1)], "there is no W marble left to return"),
        ([Edit("add ring", "k9")], "board 37 has no ring k9"),
    ],
)
def test_a_change_that_is_impossible_is_explained(edits: list[Edit], problem: str) -> None:
    state = [*START.state]
    *others, last = [_apply(state, START.board, edit) for edit in edits]
    assert others == [None] * len(others)
    assert last == problem


@pytest.mark.parametrize(
    ("edits", "d4", "findings"),
    [
        ([PLACED], "W", []),
        ([PLACED, Edit("lift", "d4")], "o", []),
        ([Edit("lift", "d4"), PLACED], None, ["E332: the start position can't be set up: there is no marble on d4"]),
        ([PLACED, PLACED], None, ["E332: the start position can't be set up: no W marble can be put on d4"]),
    ],
)
def test_a_record_starts_from_its_edited_position(edits: list[Edit], d4: str | None, findings: list[str]) -> None:
    start = start_of(Record(dialect="boardspace", span=Span(0, 0, 1, 1), edits=tuple(edits)), "37")
    assert (start.position.on("d4") if start.position else None) == d4
    assert [f"{finding.code}: {finding.message}" for finding in start.findings] == findings
