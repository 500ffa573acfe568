"""A clean record is compared with what the grammar reads: any other row is noticed."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

pytest.importorskip("numba")

import numpy as np

from tests.ingest.plain_games.mutants import NAMES, seeds
from zertz_db.ingest.plain_games.clean_records import CleanRecord, Tags, build_clean_records
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.records.row_comparison import has_equal_rows
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.parser.record import Remark, Span
from zertz_db.rules.kernel import SETS, SIDE
from zertz_db.rules.replay import KEY, LEGAL_MOVES, NEXT_MOVE


@cache
def one() -> tuple[CleanRecord, SourceRecord]:
    """Return a record, read in both ways."""
    contents = [Content(Place("archive.zip", NAMES[0], number=number), text) for number, text in enumerate(seeds())]
    clean = next(record for record in build_clean_records(contents) if record)
    (read,) = read_and_check([clean.content])
    assert isinstance(read, SourceRecord)
    return clean, read


def with_board(**changed: Any) -> CleanRecord:
    clean, _ = one()
    return clean._replace(board=clean.board._replace(**changed))


def with_states(column: int) -> CleanRecord:
    replays = one()[0].board.games.replays
    states = replays.states.copy()
    states[:, column] ^= 1
    return with_board(games=one()[0].board.games._replace(replays=replays._replace(states=states)))


def with_rows(column: int) -> CleanRecord:
    replays = one()[0].board.games.replays
    rows = replays.rows.copy()
    rows[3, column] ^= 1
    return with_board(games=one()[0].board.games._replace(replays=replays._replace(rows=rows)))


def test_equal_rows_are_equal() -> None:
    assert has_equal_rows(*one())


@pytest.mark.parametrize(
    "changed",
    [
        {"line": 9},
        {"line_to": 9},
        {"tags": Tags(("GM",), ["22"])},
        {"remarks": (Remark("N540", Span(0, 1, 1, 1), "never so"),)},
        {"flags": "tournament"},
        {"player1": "Nobody"},
        {"player2": None},
        {"date": "2001.01.01"},
        {"time": None},
        {"ending": "resign"},
        {"result": "1/2-1/2"},
        {"weight": -1},
        {"key": "another game"},
    ],
)
def test_other_values_are_noticed(changed: dict[str, Any]) -> None:
    clean, read = one()
    assert not has_equal_rows(clean._replace(**changed), read)


@pytest.mark.parametrize("column", [KEY, SIDE, NEXT_MOVE, LEGAL_MOVES])
def test_other_positions_are_noticed(column: int) -> None:
    assert not has_equal_rows(with_rows(column), one()[1])


def test_other_states_winners_clocks_and_moves_are_noticed() -> None:
    clean, read = one()
    games, written = clean.board.games, clean.board.written
    others = [
        with_states(SETS),
        with_board(winners=3 - clean.board.winners),
        with_board(games=games._replace(clocks=np.where(games.clocks < 0, 1, -1))),
        with_board(written=written._replace(moves=np.where(written.moves == ord("W"), ord("B"), written.moves))),
    ]
    assert [has_equal_rows(other, read) for other in others] == [False] * 4
