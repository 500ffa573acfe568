"""Searches on real games, if present: two hundred searches give the same answers as the slow search."""

from collections import defaultdict
from collections.abc import Iterator
from random import Random

import pytest

from tests.archive.test_archive import ARCHIVE
from tests.queries.search.slow_search import Seen, layings, pattern_matches, seen, turn
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.search.matches import Found
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.patterns import find_pattern
from zertz_db.queries.search.positions import MODES, find_position
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

FILES = sorted(ARCHIVE.rglob("*.zip"))[::180]
QUESTIONS = 100
SLOWLY = 300
"""Number of positions in which the slow search looks for a pattern; the others are left to the product."""

pytestmark = [
    pytest.mark.archive,
    pytest.mark.long,
    pytest.mark.skipif(not FILES, reason="the archive of real games is not here (ZERTZ_ARCHIVE)"),
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("real") / "real.zertz"
    import_paths(FILES, folder)
    with open_database(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def positions(database: Database) -> list[Seen]:
    return list(seen(database.connection()))


def holdings(position: Seen) -> str:
    return "".join(sorted(position.held.values()))


def listed(found: Found) -> set[tuple[str, int]]:
    return {(hit["id"], hit["ply"]) for hit in found.hits.dicts()}


def test_positions_are_found_as_by_the_slow_search(database: Database, positions: list[Seen]) -> None:
    chance = Random(4)  # noqa: S311
    early = [one for one in positions if one.ply < 5]
    same: dict[object, list[Seen]] = defaultdict(list)
    for one in positions:
        same[one.board, frozenset(one.names.items()), frozenset(one.held.items())].append(one)
    alike: dict[str, list[list[Seen]]] = defaultdict(list)
    for group in same.values():
        alike[holdings(group[0])].append(group)
    several = 0
    for number in range(QUESTIONS):
        asked = chance.choice(early if number % 2 else positions)
        position = find_game(database, asked.game).positions[asked.ply]
        for mode in MODES:
            groups = (group for group in alike[holdings(asked)] if layings(group[0], asked, mode))
            matches = {one.id for group in groups for one in group}
            assert listed(find_position(database, position, mode, every=True, limit=None)) == matches
            several += len(matches) > 1
    assert several > QUESTIONS / 10


def test_patterns_are_found_as_by_the_slow_search(database: Database, positions: list[Seen]) -> None:
    chance = Random(5)  # noqa: S311
    some = chance.sample(positions, SLOWLY)
    ids = {one.id for one in some}
    for _ in range(QUESTIONS):
        cells = drawn(chance, chance.choice(some))
        states = {(q, q + 2 * r): set(contents) for (q, r), contents in cells.items()}
        pattern = Pattern({cell: f"[{contents}]" for cell, contents in cells.items()})
        found = listed(find_pattern(database, pattern, every=True, limit=None))
        assert found & ids == {one.id for one in some if pattern_matches(states, one)}


def drawn(chance: Random, position: Seen) -> dict[tuple[int, int], str]:
    """Return up to seven cells of a position, turned, each with its contents and sometimes an alternative."""
    places = [chance.choice(sorted(position.everywhere))]
    while len(places) < chance.randint(2, 7):
        x, y = chance.choice(places)
        dx, dy = chance.choice([(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)])
        if (x + dx, y + dy) not in places:
            places.append((x + dx, y + dy))
    sixths, cells = chance.randrange(6), {}
    for x, y in places:
        dx, dy = x - places[0][0], y - places[0][1]
        for _ in range(sixths):
            dx, dy = turn(dx, dy)
        more = chance.choice(["", "", chance.choice(".oWGB")])
        cells[dx, (dy - dx) // 2] = "".join(sorted({position.state((x, y)), *more}))
    return cells
