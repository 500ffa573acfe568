"""Games that end by repetition, and the server's actions after an end: the last action counts."""

import pytest

from tests.parser.boardspace.test_reader import REPLY, TURN, sgf
from zertz_db.check.check_record import check
from zertz_db.parser.boardspace.reader import read
from zertz_db.parser.gipf import reader as gipf

REPEATED = """[SetUp "1"]
[Position "37 standard ..../...../.WGBW./..Boo../.GBWG./...../.... 0/0/0 2/4/5 1/1/2 1"]

1. Wd4 x d3Wd5 2. Wd4 x d5Wd3 3. Gd4 x d3Gd5 4. Gd4 x d5Gd3"""


@pytest.mark.parametrize(
    ("more", "plies"), [("", 8), (" *", 8), (" 1/2-1/2", 8), (" 5. Bd4", 9), (" 5. Bd4 1/2-1/2", 9)]
)
def test_four_turns_that_repeat_the_four_before_end_a_game(more: str, plies: int) -> None:
    (record,) = gipf.read(REPEATED + more)
    checked = check(record)
    assert (checked.verdict, checked.plies, checked.ending, checked.result) == (
        "verified",
        plies,
        "repetition",
        "1/2-1/2",
    )
    assert [finding.code for finding in checked.findings] == []


def test_a_resignation_comes_before_a_repetition() -> None:
    (record,) = gipf.read(REPEATED + " 5. Bd4 Player2 resigns 1-0")
    checked = check(record)
    assert (checked.verdict, checked.ending, checked.result) == ("verified", "resign", "1-0")
    assert [finding.code for finding in checked.findings] == ["N421"]


@pytest.mark.parametrize(
    ("events", "ending", "loser"),
    [
        (["P0 Resign", "P1 WinOnTime"], "time", 1),
        (["P0 Resign", "P0 Done", "P1 WinOnTime"], "time", 1),
        (["P0 Resign", "P0 Done", "P0 Resign"], "resign", 1),
        (["P0 Resign", "P1 Resign"], "resign", 2),
        (["P0 Resign", "P0 Done", "P1 Resign", "P1 Done"], "resign", 2),
        (["P1 WinOnTime", "P0 Resign"], "resign", 1),
        (["P1 WinOnTime", "P0 WinOnTime"], "time", 2),
    ],
)
def test_of_several_ends_the_last_one_counts(events: list[str], ending: str, loser: int) -> None:
    (record,) = read(sgf(*TURN, *REPLY, *events))
    checked = check(record)
    assert (checked.verdict, checked.ending, checked.ending_by) == ("verified", ending, loser)
    assert checked.winner == 3 - loser
    assert [finding.code for finding in checked.findings] == []


@pytest.mark.parametrize("swap", ["P0 Swap", "P1 Swap"])
def test_after_a_swap_the_board_is_no_longer_changed(swap: str) -> None:
    seat = swap[:2]
    (record,) = read(sgf(*TURN, swap, f"{seat} SetBoard Zertz+11"))
    assert record.fault is not None
    assert (record.fault.code, check(record).verdict) == ("E357", "illegal")
    (record,) = read(sgf(*TURN, swap, f"{seat} Edit"))
    assert (record.fault, record.ending, len(record.plies)) == (None, "abandoned", 1)
    assert (check(record).verdict, check(record).ending) == ("unfinished", "abandoned")
