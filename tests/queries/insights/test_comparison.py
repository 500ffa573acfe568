"""Two filters compared: shares against counts in plain Python, and the test against exact binomial sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb
from pathlib import Path

import pytest

from tests.queries.made_games import Made, build, games
from zertz_db.queries.errors import QueryError
from zertz_db.queries.insights.comparison import Line, compare_filters
from zertz_db.queries.insights.significance import LEVEL, correct_for_many, find_probability
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

GAMES = [
    *games(),
    *(
        Made(
            moves=(("Wd4,d1", "Wd4,a1", "Bd4,d1")[2 if number % 5 == 0 else number % 2],),
            first=f"F{number}",
            date=f"20{20 + number % 2}.01.{number // 2 + 1:02}",
            broken_off="resigned by 2" if number % 2 or number % 10 == 0 else "resigned by 1",
        )
        for number in range(50)
    ),
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder: Path = build(tmp_path_factory.mktemp("comparison"), GAMES)
    with open_database(folder) as opened:
        yield opened


def exact(hits: int, trials: int, other_hits: int, other_trials: int) -> float:
    """The probability of so large a difference of two binomial samples with the pooled share, added up."""
    pooled = (hits + other_hits) / (trials + other_trials)
    observed = abs(hits / trials - other_hits / other_trials)
    one = [comb(trials, n) * pooled**n * (1 - pooled) ** (trials - n) for n in range(trials + 1)]
    other = [comb(other_trials, n) * pooled**n * (1 - pooled) ** (other_trials - n) for n in range(other_trials + 1)]
    return sum(
        a * b
        for n, a in enumerate(one)
        for m, b in enumerate(other)
        if abs(n / trials - m / other_trials) >= observed - 1e-12
    )


@pytest.mark.parametrize(
    "counts", [(60, 100, 40, 100), (30, 100, 35, 120), (80, 150, 60, 150), (12, 60, 25, 70), (50, 100, 50, 100)]
)
def test_the_test_of_two_proportions_is_near_the_exact_sum(counts: tuple[int, int, int, int]) -> None:
    found = find_probability(*counts)
    assert found == pytest.approx(exact(*counts), abs=0.05)
    assert found == find_probability(*counts[2:], *counts[:2])


@pytest.mark.parametrize("counts", [(3, 9, 40, 100), (1, 20, 2, 20), (20, 20, 20, 20), (0, 0, 1, 50)])
def test_too_few_games_are_not_tested(counts: tuple[int, int, int, int]) -> None:
    assert find_probability(*counts) is None


def test_holm_is_between_no_correction_and_bonferroni() -> None:
    values = [0.2, 0.001, None, 0.02, 0.04]
    corrected = correct_for_many(values)
    assert corrected == [pytest.approx(0.2), pytest.approx(0.004), None, pytest.approx(0.06), pytest.approx(0.08)]
    for before, after in zip(values, corrected, strict=True):
        assert before is None or before <= after <= 4 * before + 1e-12


def test_endings_and_wins_are_those_of_the_games(database: Database) -> None:
    parts = {
        which: [game for game in GAMES if game.date.startswith(str(year))] for which, year in (("a", 2020), ("b", 2021))
    }
    found = compare_filters(database, "endings", "date:2020", "date:2021")
    assert (found.games, found.common) == ((25, 25), 0)
    for row in found.table.dicts():
        for which, part in parts.items():
            counted = Counter(game.ending for game in part if game.ending)
            assert (row[f"games_{which}"], row[f"of_{which}"]) == (counted[row["ending"]], counted.total())
    [won] = compare_filters(database, "first-mover", "date:2020", "date:2021").table.dicts()
    wins = {which: sum(game.winner == 1 for game in part) for which, part in parts.items()}
    assert {which: won[f"games_{which}"] for which in parts} == wins == {"a": 5, "b": 25}
    assert won["difference"] == pytest.approx(5 / 25 - 1)
    assert won["significant"] is (won["probability"] < LEVEL) is True


def test_first_moves_up_to_symmetry(database: Database) -> None:
    rows = compare_filters(database, "continuations", "date:2020", "date:2021", Line("", "37")).table.dicts()
    assert [(row["games_a"], row["of_a"], row["games_b"], row["of_b"]) for row in rows] == [
        (20, 25, 20, 25),
        (5, 25, 5, 25),
    ]
    assert [row["significant"] for row in rows] == [False, False]
    assert compare_filters(database, "continuations", "date:2020", "date:2021", Line("Wd4,d1", "37")).table.rows == []


def test_games_in_both_filters_are_counted(database: Database) -> None:
    found = compare_filters(database, "sets", "", "board:48")
    assert found.common == found.games[1] == sum(game.board == "48" for game in GAMES)


@pytest.mark.parametrize(
    ("subject", "filters", "line", "message"),
    [
        ("wins", "", Line(), "unknown subject 'wins'; valid: first-mover, sets, endings, continuations"),
        ("sets", "bord:48", Line(), "unknown field 'bord'"),
        ("continuations", "", Line("Wz9,d1"), "z9|Wz9"),
    ],
)
def test_what_can_t_be_compared_is_explained(
    database: Database, subject: str, filters: str, line: Line, message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        compare_filters(database, subject, filters, "board:37", line)
