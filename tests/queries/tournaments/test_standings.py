"""Standings: points, tie-breaks, shared ranks and performance, against a table computed by hand and a slow oracle."""

import random
from fractions import Fraction
from itertools import groupby, pairwise

import pytest

from zertz_db.queries.tournaments.standings import TIE_BREAKS, TournamentGame, rank_players

WON, TIED, LOST, BOTH_LOST, OPEN = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0), (0.0, 0.0), None
NAMES = ("Ada", "Ben", "Cy", "Dan", "Eve")


def games(*rows: tuple[str, str, tuple[float, float] | None]) -> list[TournamentGame]:
    return [TournamentGame((first, second), points) for first, second, points in rows]


ROUND_ROBIN = games(
    ("Ada", "Ben", WON),
    ("Cy", "Dan", TIED),
    ("Ada", "Cy", TIED),
    ("Ben", "Dan", WON),
    ("Dan", "Ada", WON),
    ("Ben", "Cy", TIED),
)


def test_a_round_robin_as_computed_by_hand() -> None:
    """All have 1.5 points and have met each other once: Sonneborn-Berger is 1.5 · 1.5, Buchholz 3 · 1.5. Only wins decide."""
    assert [
        (one.rank, one.player, one.points, one.sonneborn_berger, one.buchholz, one.direct, one.wins)
        for one in rank_players(ROUND_ROBIN)
    ] == [
        (1, "Ada", 1.5, 2.25, 4.5, 1.5, 1),
        (1, "Ben", 1.5, 2.25, 4.5, 1.5, 1),
        (1, "Dan", 1.5, 2.25, 4.5, 1.5, 1),
        (4, "Cy", 1.5, 2.25, 4.5, 1.5, 0),
    ]


def test_a_swiss_as_computed_by_hand() -> None:
    """Points: Ada 2, Ben 1, Cy 1, Dan 1, Eve 1. Ben won against Eve (1), Cy against Dan (1), Dan against Eve (1), Eve against Cy (1)."""
    found = rank_players(
        games(
            ("Ada", "Ben", WON),
            ("Cy", "Dan", WON),
            ("Ada", "Cy", WON),
            ("Dan", "Eve", WON),
            ("Ben", "Eve", WON),
            ("Eve", "Cy", WON),
        )
    )
    assert [
        (one.rank, one.player, one.points, one.sonneborn_berger, one.buchholz, one.direct, one.wins) for one in found
    ] == [
        (1, "Ada", 2.0, 2.0, 2.0, None, 2),
        (2, "Cy", 1.0, 1.0, 4.0, None, 1),
        (3, "Ben", 1.0, 1.0, 3.0, 1.0, 1),
        (4, "Eve", 1.0, 1.0, 3.0, 0.0, 1),
        (5, "Dan", 1.0, 1.0, 2.0, None, 1),
    ]


@pytest.mark.parametrize(
    ("rows", "ranks"),
    [
        ([], []),
        ([("Ada", "Ben", TIED)], [("Ada", 1), ("Ben", 1)]),
        ([("Ada", "Ben", OPEN)], [("Ada", 1), ("Ben", 1)]),
        ([("Ada", "Ben", BOTH_LOST)], [("Ada", 1), ("Ben", 1)]),
        ([("Ben", "Ada", WON)], [("Ben", 1), ("Ada", 2)]),
        # Equal so far, and not all have met: the direct encounter counts for nobody.
        ([("Ada", "Cy", WON), ("Ben", "Dan", WON)], [("Ada", 1), ("Ben", 1), ("Cy", 3), ("Dan", 3)]),
    ],
)
def test_ranks_are_shared_by_equals(
    rows: list[tuple[str, str, tuple[float, float] | None]], ranks: list[tuple[str, int]]
) -> None:
    assert [(one.player, one.rank) for one in rank_players(games(*rows))] == ranks


def test_a_game_without_a_result_counts_apart() -> None:
    ada, ben = rank_players(games(("Ada", "Ben", WON), ("Ben", "Ada", OPEN)))
    assert [(one.games, one.unfinished, one.buchholz) for one in (ada, ben)] == [(1, 1, 0.0), (1, 1, 1.0)]


@pytest.mark.parametrize(
    ("ratings", "performances"),
    [
        ([(None, None)] * 2, (None, None)),
        ([(1500, 1500)] * 2, (1780, 1220)),  # 2 of 2 with a tie added: 2.5 of 3, odds of 5 to 1
        ([(1400, 1500), (1600, None)], (1691, 1220)),  # Ada: 1 of 1 with a tie added, odds of 3 to 1
    ],
)
def test_performance_is_of_games_against_known_ratings(
    ratings: list[tuple[int | None, int | None]], performances: tuple[int | None, int | None]
) -> None:
    ada, ben = rank_players([TournamentGame(("Ada", "Ben"), WON, ratings=known) for known in ratings])
    assert (ada.performance, ben.performance) == performances


def test_the_oracle_agrees() -> None:
    for seed in range(200):
        played = make_tournament(random.Random(seed))  # noqa: S311 - no secret
        expected = ask_oracle(played)
        found = rank_players(played)
        assert [one.player for one in found] == sorted(expected, key=lambda name: (expected[name][0], name)), seed
        for one in found:
            direct = None if one.direct is None else Fraction(one.direct)
            values = (Fraction(one.sonneborn_berger), Fraction(one.buchholz), direct, Fraction(one.wins))
            assert (one.rank, Fraction(one.points), *values) == expected[one.player], seed


def make_tournament(chance: random.Random) -> list[TournamentGame]:
    names = NAMES[: chance.randint(2, 5)]
    outcomes = [WON, LOST, TIED] if chance.random() < 0.7 else [WON, LOST, TIED, BOTH_LOST, OPEN]
    if chance.random() < 0.5:
        pairs = [(one, other) for one in names for other in names if one < other]
    else:
        pairs = [tuple(chance.sample(names, 2)) for _ in range(chance.randint(1, 8))]  # type: ignore[misc]
    return [TournamentGame(pair, chance.choice(outcomes)) for pair in pairs]


def ask_oracle(
    played: list[TournamentGame],
) -> dict[str, tuple[int, Fraction, Fraction, Fraction, Fraction | None, Fraction]]:
    """Rank, points and tie-breaks of each player, by going through all games for each value."""
    names = {name for game in played for name in game.players}
    finished = [(*game.players, *map(Fraction, game.points)) for game in played if game.points is not None]
    sides = [*finished, *((two, one, theirs, ours) for one, two, ours, theirs in finished)]

    def points(name: str) -> Fraction:
        return sum((own for one, _, own, _ in sides if one == name), Fraction())

    def before_direct(name: str) -> tuple[Fraction, Fraction, Fraction]:
        berger = sum((own * points(other) for one, other, own, _ in sides if one == name), Fraction())
        return points(name), berger, sum((points(other) for one, other, _, _ in sides if one == name), Fraction())

    def direct(name: str) -> Fraction | None:
        group = {other for other in names if before_direct(other) == before_direct(name)}
        met = {(one, other) for one, other, _, _ in sides}
        if len(group) < 2 or any((one, other) not in met for one in group for other in group if one != other):
            return None
        return sum((own for one, other, own, _ in sides if one == name and other in group), Fraction())

    def wins(name: str) -> Fraction:
        return Fraction(sum(1 for one, _, own, _ in sides if one == name and own == 1))

    keys = {name: (*before_direct(name), direct(name) or Fraction(), wins(name)) for name in names}
    return {
        name: (1 + sum(keys[other] > keys[name] for other in names), *before_direct(name), direct(name), wins(name))
        for name in names
    }


def test_the_oracle_sees_every_tie_break_decide() -> None:
    """The random tournaments are no test of a tie-break that never decides among them."""
    deciding = set()
    for seed in range(200):
        found = rank_players(make_tournament(random.Random(seed)))  # noqa: S311 - no secret
        for _, equals in groupby(found, key=lambda one: one.points):
            group = [*equals]
            for one, other in pairwise(group):
                differing = [name for name in TIE_BREAKS if (getattr(one, name) or 0) != (getattr(other, name) or 0)]
                deciding.update(differing[:1])
    assert deciding == {*TIE_BREAKS}
