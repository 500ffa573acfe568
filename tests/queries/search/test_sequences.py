"""Sequences against the two searches that they combine, and limits by the next move and by forced wins."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analyses import JudgedClub
from tests.queries.search.searched import build
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.search.matches import Found
from zertz_db.queries.search.patterns import find_pattern, find_reachable
from zertz_db.queries.search.positions import find_position
from zertz_db.queries.search.sequences import find_sequence
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text
from zertz_db.store.open_database import open_database

PATTERNS = ("W B", "o . o", "W * o rings<30", "sacrifice", "G side=1", "marbles>3")


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with open_database(build(tmp_path_factory.mktemp("sequences"), seed=2)) as database:
        yield database


def places(found: Found) -> set[tuple[str, int]]:
    return {(hit["id"], hit["ply"]) for hit in found.hits.dicts()}


def followed(first: set[tuple[str, int]], then: set[tuple[str, int]], within: int) -> dict[tuple[str, int], int]:
    """Return the earliest later match within a number of plies, for each first match that has one."""
    later = {
        (game, ply): [other for one, other in then if one == game and ply < other <= ply + within]
        for game, ply in first
    }
    return {place: min(plies) for place, plies in later.items() if plies}


def test_positions_of_a_sequence_match_whatever_was_captured(database: Database) -> None:
    placed = Position.start("37").play("Wd4,d1")
    captured = placed.play("Bd3,a1").play("x d3Wd5")
    without = Position.parse(captured.text.replace(" 1/0/0 0/0/0 ", " 0/0/0 0/0/0 "))
    assert without != captured
    assert find_sequence(database, placed, without).games == find_sequence(database, placed, captured).games > 0


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(PATTERNS), st.sampled_from(PATTERNS), st.integers(1, 9) | st.just(999))
@pytest.mark.long
def test_a_sequence_is_two_searches_in_one_game(searched: Database, first: str, then: str, within: int) -> None:
    expected = followed(
        *(places(find_pattern(searched, text, every=True, limit=None)) for text in (first, then)), within
    )
    found = find_sequence(searched, first, then, None if within == 999 else within, every=True, limit=None)
    assert {(hit["id"], hit["ply"]): hit["then"] for hit in found.hits.dicts()} == expected
    assert (found.plies, found.games) == (len(expected), len({game for game, _ in expected}))
    assert sum(row["matches"] for row in found.continuations.dicts()) == len(expected)
    once = find_sequence(searched, first, then, within, limit=None)
    assert places(once) == set(dict(sorted(expected, reverse=True)).items())


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["exact", "symmetry", "shape"]))
def test_positions_and_patterns_in_one_sequence(searched: Database, seed: int, mode: str) -> None:
    chance = Random(seed)  # noqa: S311
    game = find_game(searched, chance.choice(list_games(searched, "board:37", columns=["id"]).rows)[0])
    position = game.positions[chance.randrange(min(4, len(game.positions)))]
    first = places(find_position(searched, position, mode, every=True, limit=None))
    then = places(find_pattern(searched, "W B", every=True, limit=None))
    found = find_sequence(searched, position.text, "W B", 6, mode=mode, every=True, limit=None)
    assert places(found) == followed(first, then, 6).keys()
    turned = find_sequence(searched, "W B", position, 6, mode=mode, every=True, limit=None)
    assert places(turned) == followed(then, first, 6).keys()


def test_what_may_come_from_a_position_and_a_filter(searched: Database) -> None:
    start = Position.start("37")
    first = places(find_reachable(searched, start, "date:2010", every=True, limit=None))
    then = places(find_pattern(searched, "sacrifice", "date:2010", every=True, limit=None))
    found = find_sequence(searched, start, "sacrifice", 2, "date:2010", mode="reachable", every=True, limit=None)
    assert places(found) == followed(first, then, 2).keys()


@pytest.mark.parametrize(
    ("first", "within", "message"),
    [("W", 0, "at least one ply later, not 0"), ("W x", 3, "unexpected 'x'"), ("37 nothing", 3, "position")],
)
def test_what_can_t_be_asked(searched: Database, first: str, within: int, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        find_sequence(searched, first, "W", within)


def test_a_sacrifice_leaves_the_opponent_a_capture(searched: Database) -> None:
    found = places(find_pattern(searched, "sacrifice", every=True, limit=None))
    others = places(find_pattern(searched, "sacrifice=0", every=True, limit=None))
    expected = set()
    for (game,) in list_games(searched, columns=["id"]).rows:
        positions = find_game(searched, game).positions
        expected |= {(game, ply) for ply, after in enumerate(positions[1:]) if after.capture_is_due}
        assert {(game, ply) for ply in range(len(positions))} <= found | others
    assert found == expected
    assert not found & others


@pytest.mark.parametrize(("text", "low"), [("forced=5", 5), ("forced:>=3", 3), ("forced>0 side=1", 1)])
def test_positions_with_a_forced_win(judged: Database, judged_club: JudgedClub, text: str, low: int) -> None:
    found = find_pattern(judged, text, every=True, limit=None)
    expected = {(to_text(row["game"]), row["ply"]) for row in judged_club.rows if (row["forced"] or 0) >= low}
    if "side" in text:
        expected = {(game, ply) for game, ply in expected if find_game(judged, game).positions[ply].side == 1}
    assert places(found) == expected
