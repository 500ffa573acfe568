"""Positions found again, held against a search that is obvious and slow."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.queries.search.searched import build
from tests.queries.search.slow_search import Seen, layings, reachable, seen, written
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.search.matches import Found
from zertz_db.queries.search.patterns import find_reachable
from zertz_db.queries.search.positions import MODES, find_position
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database


@dataclass(frozen=True, repr=False)
class Searched:
    """A database, and all its positions as the slow search sees them."""

    database: Database
    seen: list[Seen]

    def position(self, of: Seen) -> Position:
        return find_game(self.database, of.game).positions[of.ply]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searched]:
    with open_database(build(tmp_path_factory.mktemp("searched"))) as database:
        yield Searched(database, list(seen(database.connection())))


def listed(found: Found) -> set[tuple[str, int]]:
    return {(hit["id"], hit["ply"]) for hit in found.hits.dicts()}


def first_of_each_game(matches: list[Seen]) -> dict[str, Seen]:
    first: dict[str, Seen] = {}
    for match in matches:
        if match.game not in first or match.ply < first[match.game].ply:
            first[match.game] = match
    return first


def held_alike(one: Seen, other: Seen, pool: bool, captures: bool, side: bool) -> bool:
    return (
        (not pool or one.pool == other.pool)
        and (not captures or one.captures == other.captures)
        and (not side or one.side == other.side)
    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_same_positions_are_found_as_by_the_slow_search(searched: Searched, data: st.DataObject) -> None:
    asked = searched.seen[data.draw(st.integers(0, len(searched.seen) - 1))]
    mode = data.draw(st.sampled_from(MODES))
    pool, captures, side = (data.draw(st.booleans()) for _ in range(3))
    matches = [
        one for one in searched.seen if held_alike(asked, one, pool, captures, side) and layings(one, asked, mode)
    ]
    options = {"pool": pool, "captures": captures, "side": side}
    found = find_position(searched.database, searched.position(asked), mode, every=True, limit=None, **options)
    assert listed(found) == {one.id for one in matches}
    assert (found.plies, found.games) == (len(matches), len({one.game for one in matches}))
    once = find_position(searched.database, searched.position(asked), mode, limit=None, **options)
    first = first_of_each_game(matches)
    assert listed(once) == {one.id for one in first.values()}
    assert (once.plies, once.games) == (found.plies, found.games)
    check_continuations(once, asked, list(first.values()), mode)
    check_years(once, list(first.values()))


def check_continuations(found: Found, asked: Seen, matches: list[Seen], mode: str) -> None:
    """Moves count together if some way to lay the positions onto the asked one makes them the same."""
    played: dict[frozenset[str | None], Counter[str]] = defaultdict(Counter)
    for match in matches:
        same = frozenset(
            None if match.move is None else written(match.move, laid, match.names, asked.names)
            for laid in layings(match, asked, mode)
        )
        if mode == "exact" and match.move is not None:  # the position's own symmetries make moves equal there too
            same = frozenset(
                written(match.move, laid, match.names, asked.names) for laid in layings(match, asked, "symmetry")
            )
        played[same].update(
            {"matches": 1, "wins": match.score == 1, "ties": match.score == 0, "losses": match.score == -1}
        )
    rows = found.continuations.dicts()
    for row in rows:
        (same,) = [moves for moves in played if row["move"] in moves]
        assert {name: row[name] for name in ("matches", "wins", "ties", "losses")} == dict(played.pop(same))
    assert not played


def check_years(found: Found, matches: list[Seen]) -> None:
    assert {row["year"]: row["matches"] for row in found.years.dicts()} == Counter(match.year for match in matches)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_hits_say_how_they_are_laid_onto_what_was_asked(searched: Searched, data: st.DataObject) -> None:
    asked = searched.seen[data.draw(st.integers(0, len(searched.seen) - 1))]
    by_id = {one.id: one for one in searched.seen}
    found = find_position(searched.database, searched.position(asked), "shape", every=True, limit=None)
    for hit in found.hits.dicts():
        match = by_id[hit["id"], hit["ply"]]
        moved = tuple(map(int, hit["moved"].split(",")))
        cells = {told(place, hit["turn"], hit["mirrored"], moved, match): held for place, held in match.held.items()}
        assert cells == {told(place, 0, False, (0, 0), asked): held for place, held in asked.held.items()}


def told(place: tuple[int, int], degrees: int, mirrored: bool, moved: tuple[int, ...], of: Seen) -> tuple[int, int]:
    """Where a place comes to lie, in columns from a and steps up a column."""
    column, height = place[0] - ord("a"), place[1]
    first = of.names[min(of.names, key=lambda ring: (ring[0], int(ring[1:])))]
    q, r = column, (height - column - (first[0] - ord("a") + first[1]) % 2) // 2
    if mirrored:
        q, r = r, q
    for _ in range(degrees // 60):
        q, r = -r, q + r
    return q + moved[0], r + moved[1]


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_what_could_have_come_from_a_position(searched: Searched, data: st.DataObject) -> None:
    asked = searched.seen[data.draw(st.integers(0, len(searched.seen) - 1))]
    matches = [one for one in searched.seen if reachable(asked, one)]
    found = find_reachable(searched.database, searched.position(asked), every=True, limit=None)
    assert listed(found) == {one.id for one in matches}
    later = {one.id for one in searched.seen if one.game == asked.game and one.ply >= asked.ply}
    assert later <= listed(found)


def test_a_search_within_a_filter(searched: Searched) -> None:
    start = Position.start("37")
    whole = find_position(searched.database, start)
    assert whole.games == 3
    assert find_position(searched.database, start, filters="board:48").games == 0
    years = [row["year"] for row in find_position(searched.database, start, filters="date:2010").years.dicts()]
    assert years == [2010]


def test_a_limit_cuts_the_list_and_not_the_sums(searched: Searched) -> None:
    start = Position.start("37")
    found = find_position(searched.database, start, limit=1)
    assert (len(found.hits.rows), found.games) == (1, 3)
    assert sum(row["matches"] for row in found.continuations.dicts()) == 3
    assert all(column.meaning for table in (found.hits, found.continuations, found.years) for column in table.columns)


@pytest.mark.parametrize(
    ("position", "mode", "limit", "message"),
    [
        ("37 standard oooo", "exact", 1, "a position is written BOARD RULES"),
        (Position.start("37"), "similar", 1, "'similar'; valid: exact, symmetry, shape"),
        (Position.start("37"), "exact", -1, "-1 matches can't be listed"),
    ],
)
def test_what_can_not_be_asked(
    searched: Searched, position: Position | str, mode: str, limit: int, message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        find_position(searched.database, position, mode, limit=limit)


def test_nothing_is_found_of_a_position_that_nobody_reached(searched: Searched) -> None:
    found = find_position(searched.database, Position.start("43"), "shape")
    assert (found.games, found.plies, found.hits.rows, found.continuations.rows, found.years.rows) == (0, 0, [], [], [])


@pytest.mark.parametrize("direct", [1000, 0], ids=["in SQL", "from kept games"])
def test_a_key_alone_does_not_make_a_match(searched: Searched, monkeypatch: pytest.MonkeyPatch, direct: int) -> None:
    """Two positions get one key: only matches with equal rings and marbles count."""
    from zertz_db.queries.memory import cached_games
    from zertz_db.queries.memory.generation_cache import GenerationCache
    from zertz_db.queries.search import positions
    from zertz_db.rules.canonical import canonicalise

    monkeypatch.setattr(cached_games, "_DIRECT", direct)
    monkeypatch.setattr(cached_games, "_cached", GenerationCache(cached_games._read))
    asked = Position.start("37")
    other = next(searched.position(one) for one in searched.seen if one.board == "37" and one.ply == 1)
    with open_database(searched.database.folder) as database:
        assert find_position(database, other).games > 0
        assert (cached_games.cache_games(database) is None) == (direct > 0)
        monkeypatch.setattr(
            positions, "canonicalise", lambda position: canonicalise(other if position == asked else position)
        )
        assert find_position(database, asked).games == 0
