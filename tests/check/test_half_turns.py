"""Games that end inside a turn: the rules decide which part counts (rules, sections 3.3 and 5)."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from zertz_db.check.check_many import check_all
from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.parser.boardspace import reader as boardspace
from zertz_db.parser.boardspace.writer import write
from zertz_db.parser.record import PLACEMENT, Record
from zertz_db.play.generate import generate_games


def games_with_a_marble_alone() -> Iterator[tuple[Record, int]]:
    """Yield generated games, and plies of theirs that are whole turns without a ring."""
    for record in generate_games(100, board="37", seed=2):
        for number, ply in enumerate(record.plies[:-1]):
            if ply.kind == PLACEMENT and not ply.removed:
                yield record, number


GAMES = list(games_with_a_marble_alone())


def left_off(record: Record, plies: int, *end: str) -> CheckedRecord:
    """Return the verdict on a game cut after a number of plies, the last one without its Done, and the text after it."""
    text = write(replace(check(record).completed(), plies=record.plies[:plies], result="*", ending=None))
    text = text[: text.rindex("\n; P")] + "".join(
        f"\n; {seat}[{words}]" for seat, words in (one.split() for one in end)
    )
    (checked,) = check_all(list(boardspace.read(text + "\n;\nP0[time 0:00:00 ]\nP1[time 0:00:00 ]\n)")))
    assert checked.verdict == check(checked.record).verdict
    return checked


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_a_marble_alone_is_a_whole_turn_where_no_ring_is_free(game: int) -> None:
    record, number = GAMES[game]
    mover = number % 2
    for end, winner in (
        ((f"P{mover} Resign",), 2 - mover),
        ((f"P{mover} Resign", f"P{mover} Done"), 2 - mover),
        ((f"P{mover} WinOnTime",), mover + 1),
        ((f"P{1 - mover} WinOnTime",), 2 - mover),
    ):
        checked = left_off(record, number + 1, *end)
        assert (checked.verdict, checked.plies, checked.winner) == ("verified", number + 1, winner)
        assert [finding.code for finding in checked.findings] == []


def test_there_are_such_games() -> None:
    assert len(GAMES) >= 2


@pytest.mark.parametrize("plies", [1, 2])
def test_a_marble_whose_ring_was_due_does_not_count(plies: int) -> None:
    record = next(iter(generate_games(1, board="37", seed=2)))
    mover = (plies - 1) % 2
    last = record.plies[plies - 1]
    assert last.kind == PLACEMENT and last.removed
    alone = replace(record, plies=(*record.plies[: plies - 1], last._replace(removed=None)))
    checked = left_off(replace(record, plies=alone.plies), plies, f"P{mover} Resign")
    assert (checked.verdict, checked.plies, checked.winner) == ("verified", plies - 1, 2 - mover)
    assert [finding.code for finding in checked.findings] == ["W702"]
    assert checked.record.half_turn is not None
    assert checked.record.half_turn.text == f"{last.colour}{last.ring}"
