"""The ways to answer a search for a pattern: each gives the same answer, whatever is kept in memory and however many positions match."""

from collections.abc import Iterator

import numpy as np
import pytest

from tests.queries.search.searched import build
from zertz_db.queries.memory import cached_games, cached_positions
from zertz_db.queries.memory.generation_cache import GenerationCache
from zertz_db.queries.search import few_matches, patterns
from zertz_db.queries.search.move_numbers import UNCLEAR, StoredMoves, find_move_numbers
from zertz_db.queries.search.patterns import find_pattern
from zertz_db.queries.search.refinement import find_within
from zertz_db.rules.board import standard_board
from zertz_db.rules.position_keys import NO_MOVE_CODE
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database
from zertz_db.store.schema.position_columns import RING_SETS

NEVER, AT_ONCE = 1_000_000, 0
PATTERNS = ("W o", "o o o", "B * / o", "d4:W turned", ". .")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with open_database(build(tmp_path_factory.mktemp("speed"), seed=3)) as database:
        yield database


def renew(monkeypatch: pytest.MonkeyPatch, games: int, positions: int) -> None:
    """Empty the caches, which are filled after this number of questions."""
    for module, direct in ((cached_games, games), (cached_positions, positions)):
        monkeypatch.setattr(module, "_cached", GenerationCache(module._read))
        monkeypatch.setattr(module, "_DIRECT", direct)


@pytest.mark.parametrize(("text", "every"), [*((text, False) for text in PATTERNS), ("W o", True)])
def test_all_ways_give_the_same_answer(
    database: Database, monkeypatch: pytest.MonkeyPatch, text: str, every: bool
) -> None:
    found = []
    monkeypatch.setattr(few_matches, "_FEW", NEVER)
    # Of one position in one, all moves are numbered; of very few, all notations are read.
    for games, positions, share in (
        (NEVER, NEVER, NEVER), (NEVER, NEVER, 1), (AT_ONCE, NEVER, 1), (NEVER, AT_ONCE, 1), (AT_ONCE, AT_ONCE, NEVER),
    ):  # fmt: skip
        renew(monkeypatch, games, positions)
        monkeypatch.setattr(patterns, "_MANY", share)
        found.append(find_pattern(database, text, every=every))
    assert found[0].games
    assert all(other == found[0] for other in found)


def test_a_page_of_few_matches_is_that_of_many(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = []
    for games in (NEVER, AT_ONCE):
        renew(monkeypatch, games, NEVER)
        pages.append(find_within(database, ["pattern W * / o #"], limit=3, offset=2))
    assert len(pages[0].hits.rows) == 3
    assert pages[0] == pages[1]


@pytest.mark.parametrize("board", ["37", "48", "61"])
def test_stored_moves_are_written_as_in_their_games(database: Database, board: str) -> None:
    query = f"""
        SELECT next_move, symmetry, {", ".join(RING_SETS)}, notation
        FROM _position JOIN _ply USING (game, ply) WHERE board = '{board}'
    """
    *columns, notations = zip(*database.connection().execute(query).fetchall(), strict=True)
    codes, symmetries, *sets = (np.array(column, np.int64) for column in columns)
    moves = find_move_numbers(standard_board(board))
    numbers = moves.find(StoredMoves(codes, symmetries, sets))
    images = standard_board(board).symmetries[1:]
    for number, notation, *held in zip(numbers.tolist(), notations, *(held.tolist() for held in sets), strict=True):
        is_symmetric = any(all(turn(image, one) == one for one in held) for image in images)
        assert (number == UNCLEAR) == is_symmetric
        assert is_symmetric or f"{notation} x ".startswith(f"{moves.write(number)} x ")


def turn(image: tuple[int, ...], rings: int) -> int:
    return sum(1 << turned for ring, turned in enumerate(image) if rings >> ring & 1)


def test_the_end_of_a_game_has_no_move() -> None:
    moves = find_move_numbers(standard_board("37"))
    zero = np.zeros(1, np.int64)
    [numbers] = moves.find_all([StoredMoves(np.array([NO_MOVE_CODE]), zero, [zero] * len(RING_SETS))])
    assert numbers.to_pylist() == [None]


def test_the_positions_of_a_large_database_are_not_kept(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, is_kept in ((0, False), (NEVER, True)):
        renew(monkeypatch, NEVER, AT_ONCE)
        monkeypatch.setattr(cached_positions, "_MAX_POSITIONS", limit)
        assert (cached_positions.cache_positions(database) is not None) == is_kept
