"""The compiled way to look through positions: it finds what the others find."""

import os
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.queries.search.searched import LARGE, build
from tests.queries.search.slow_search import Seen, seen
from tests.queries.search.test_pattern import drawn
from zertz_db.queries.search import patterns
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.patterns import find_pattern
from zertz_db.queries.search.scans import compiled_scan, grid_kernel, sources
from zertz_db.queries.search.scans.compiled_scan import build_plan, choose_compiled, is_suited, select_matches
from zertz_db.queries.search.scans.embeddings import list_layings
from zertz_db.queries.search.scans.grid_scan import GridScan
from zertz_db.queries.search.scans.scan import plan_scan
from zertz_db.queries.search.scans.sources import FACT_NAMES, FACT_TYPES, FEW, Batch, Source
from zertz_db.rules import compiled
from zertz_db.rules.board import STANDARD_BOARDS, Board, standard_board
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database
from zertz_db.store.schema.position_columns import RING_SETS

ANY = range(2**32)
PATTERNS = ("W o / < o B", "d4:W d5:*", "W / < G / < B", "[WG] . / !B o o", "# # # / # # # / # # #")
"""Of fewer cells than the kernel looks for at once, and of more."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with open_database(build(tmp_path_factory.mktemp("compiled"), seed=5)) as database:
        yield database


@pytest.fixture(scope="module")
def positions(database: Database) -> dict[str, list[Seen]]:
    by_board: dict[str, list[Seen]] = {}
    for one in seen(database.connection()):
        by_board.setdefault(one.board, []).append(one)
    return by_board


def sets_on(database: Database, board: str) -> list[Any]:
    query = f"SELECT {', '.join(RING_SETS)} FROM _position WHERE board = '{board}'"
    return [np.array(column, np.int64) for column in zip(*database.connection().execute(query).fetchall(), strict=True)]


def plan(pattern: Pattern, board: Board) -> GridScan:
    return GridScan(list_layings(pattern, board), board)


@pytest.mark.parametrize("board", ["37", "40", "48", "61"])
@settings(max_examples=5, deadline=None)
@given(seed=st.sampled_from(ANY), size=st.integers(1, 9))
def test_interpreted_it_finds_the_same_positions(
    database: Database, positions: dict[str, list[Seen]], board: str, seed: int, size: int
) -> None:
    chance = Random(seed)  # noqa: S311
    pattern = Pattern(drawn(chance, chance.choice(positions[board]), size))
    if all(laying.on_rings for laying in list_layings(pattern, standard_board(board))):
        scan = plan(pattern, standard_board(board))
        some = [held[:300] for held in sets_on(database, board)]
        rows = select_matches(grid_kernel.find_matches, build_plan(scan), some)
        assert rows.tolist() == np.flatnonzero(scan.find(some) >= 0).tolist()


@pytest.mark.parametrize("text", PATTERNS)
@pytest.mark.parametrize("board", ["37", "48", "61"])
def test_compiled_it_finds_the_same_positions(database: Database, board: str, text: str) -> None:
    pytest.importorskip("numba")
    scan = plan(parse_pattern(text), standard_board(board))
    sets = sets_on(database, board)
    select = choose_compiled(scan)
    assert select
    # The last block has few positions, or none.
    for count in (0, 1, grid_kernel.BLOCK, grid_kernel.BLOCK + 1, len(sets[0])):
        some = [held[:count] for held in sets]
        assert select(some).tolist() == np.flatnonzero(scan.find(some) >= 0).tolist()


def test_a_large_database_gives_the_same_answer(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in PATTERNS:
        usual = find_pattern(database, text)
        with monkeypatch.context() as changed:
            for module in (patterns, sources):
                changed.setattr(module, "MANY", 0)
            assert find_pattern(database, text) == usual


@pytest.mark.parametrize(("processors", "positions"), [(2, 1), (3, 100), (3, 10_000_000)])
def test_ranges_are_all_rows_whatever_their_numbers_are(
    database: Database, monkeypatch: pytest.MonkeyPatch, processors: int, positions: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    ranges = sources._open_ranges(database.connection(), database, positions)
    assert len(ranges) == processors
    read = [row for own, rows in ranges for row in own.execute(f"SELECT rowid FROM _position WHERE {rows}").fetchall()]
    assert sorted(read) == database.connection().execute("SELECT rowid FROM _position ORDER BY rowid").fetchall()


def test_one_processor_and_another_database_have_no_ranges(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    with duckdb.connect() as other:
        assert sources._open_ranges(other, database, 100) == []
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert sources._open_ranges(database.connection(), database, 100) == []


def test_a_search_that_is_broken_off_reads_no_further() -> None:
    board, pattern = standard_board("37"), parse_pattern("W o")
    nothing = pa.RecordBatch.from_arrays([pa.array([], kind) for kind in FACT_TYPES], FACT_NAMES)
    batch = Batch(nothing, [np.zeros(0, np.int64)] * 3, is_selected=True)
    deadline = time.monotonic() + 60
    was_read_to_the_end = False

    def read() -> Iterator[Batch]:
        nonlocal was_read_to_the_end
        while time.monotonic() < deadline:
            yield batch
        was_read_to_the_end = True

    def come() -> Iterator[Source]:
        yield Source(board, plan_scan(pattern, board), FEW, read)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(patterns._scan_all(pattern, come(), {}, 0))
    assert not was_read_to_the_end


def test_without_a_compiler_there_is_no_compiled_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise compiled.CompilerMissing("no compiler")

    monkeypatch.setattr(compiled_scan.compiled, "batch_function", fail)
    assert choose_compiled(plan(parse_pattern("W o"), standard_board("37"))) is None


def test_boards_of_more_than_63_bits_have_no_compiled_way() -> None:
    wide = Position.parse(LARGE).board
    assert choose_compiled(plan(parse_pattern("W o"), wide)) is None


@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_standard_boards_are_suited(board: str) -> None:
    assert is_suited(plan(parse_pattern("W o"), standard_board(board)).grid)
