"""Unused custom boards are dropped, with everything computed for them: users may send any number of boards."""

from __future__ import annotations

import gc
import weakref

import pytest

from zertz_db.check.check_many import check_all
from zertz_db.check.repair.repairs import apply_repair
from zertz_db.ingest.records.batch import BATCH_TABLES, build_batch
from zertz_db.ingest.records.read_records import read_and_check
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.parser.dialects import WRITERS, read
from zertz_db.play.generate import _build_unclaimed_ply, generate_games
from zertz_db.rules.board import Board, Column, custom_board
from zertz_db.store.schema.table_columns import arrow_schemas

COLUMNS = tuple(Column(letter, number % 2, 6) for number, letter in enumerate("abcdef"))
RINGS = frozenset(f"{letter}{number}" for letter in "abcdef" for number in range(1, 7))


def boards() -> int:
    """Return the number of custom boards; the generator may cache those of its own games."""
    _build_unclaimed_ply.cache_clear()
    gc.collect()
    return sum(isinstance(it, Board) and it.is_custom for it in gc.get_objects())


def test_a_board_is_the_same_as_long_as_it_is_used() -> None:
    board = custom_board(COLUMNS, RINGS)
    assert custom_board(COLUMNS, RINGS) is board
    assert custom_board(COLUMNS, RINGS - {"f6"}) is not board
    forgotten = weakref.ref(board)
    del board
    gc.collect()
    assert forgotten() is None


def written(count: int, *, fast: bool) -> str:
    """Return games on a board of their own, the last of them with a fault."""
    board = custom_board(COLUMNS, RINGS - {f"a{count}"})
    games = [WRITERS["gipf"](record) for record in generate_games(count, board, fast=fast)]
    return "\n".join(map(str, games)) + "\n" + str(games[0]).replace("\n1. ", "\n1. Wa1,a1 ", 1)


@pytest.mark.parametrize("fast", [False, True], ids=["interpreted", "compiled"])
def test_checks_repairs_and_batches_leave_no_board_in_memory(fast: bool) -> None:
    before = boards()
    for count in (1, 2, 3) if not fast else (4, 5, 6):
        text = written(count, fast=fast)
        verdicts = check_all(list(read(text)))
        assert [checked.verdict for checked in verdicts][:count] == ["verified"] * count
        apply_repair(verdicts[-1], text)
        batch = build_batch(arrow_schemas(*BATCH_TABLES), read_and_check([Content(Place("games.txt"), text.encode())]))
        assert batch.games.num_rows == count
        del verdicts, batch
    assert boards() == before
