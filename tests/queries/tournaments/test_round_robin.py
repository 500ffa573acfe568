"""Round robins by Berger tables, against those that FIDE publishes (handbook, C.05 annex 1)."""

from collections import Counter
from itertools import combinations

import pytest

from zertz_db.queries.errors import QueryError
from zertz_db.queries.tournaments.round_robin import list_pairings, pair_players

TABLES = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4, 4-8 5-3 6-2 7-1",
}


@pytest.mark.parametrize("players", TABLES)
def test_the_tables_of_fide(players: int) -> None:
    found = pair_players([str(number) for number in range(1, players + 1)])
    rounds = [[f"{one.first}-{one.second}" for one in found if one.round == number] for number in range(1, players)]
    assert ", ".join(map(" ".join, rounds)) == TABLES[players]


@pytest.mark.parametrize("players", [2, 3, 5, 10, 17, 40])
@pytest.mark.parametrize("double", [False, True])
def test_everyone_meets_everyone_once_in_a_round_at_most(players: int, double: bool) -> None:
    names = [f"P{number}" for number in range(players)]
    found = pair_players(names, double=double)
    games = [one for one in found if one.second is not None]
    times = 2 if double else 1
    met = Counter(frozenset((one.first, one.second)) for one in games)
    assert met == dict.fromkeys(map(frozenset, combinations(names, 2)), times)
    for number in {one.round for one in found}:
        busy = [name for one in found if one.round == number for name in (one.first, one.second) if name]
        assert sorted(busy) == sorted(names)
    assert max(one.round for one in found) == times * (players - 1 + players % 2)
    first = Counter(one.first for one in games)
    assert max(first.values()) - min(first[name] for name in names) <= (0 if double or players % 2 else 1)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["Ada"], "has 2 to 200 players, not 1"),
        ([str(number) for number in range(201)], "not 201"),
        (["Ada", "Ben", "ADA "], "'ADA' is there twice"),
        (["Ada", " "], "name is empty"),
        (["Ada", "Bye"], "'bye' stands for a round without a game"),
    ],
)
def test_what_can_t_be_paired_is_explained(names: list[str], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        list_pairings(names)


def test_a_round_without_a_game_is_a_bye() -> None:
    assert list_pairings(["Ada", "Ben", "Cy"]).rows[:2] == [(1, "Ben", "Cy"), (1, "Ada", "bye")]
