"""The order of rounds, and the numbers of rounds for formats with one game of a player in each."""

import pytest

from zertz_db.queries.tournaments.round_names import number_rounds, order_rounds
from zertz_db.queries.tournaments.standings import TournamentGame


@pytest.mark.parametrize(
    ("rounds", "ordered"),
    [
        (["10", "9", "1"], ["1", "9", "10"]),
        (["2.1", "2", "1.2", "1.10"], ["1.2", "1.10", "2", "2.1"]),
        (["final", "semifinal", "3"], ["3", "final", "semifinal"]),
        (["?", "-", "²", "1"], ["-", "?", "1", "²"]),
        (["Round 2", "round 10", "ROUND 1"], ["ROUND 1", "Round 2", "round 10"]),
    ],
)
def test_rounds_are_ordered(rounds: list[str], ordered: list[str]) -> None:
    assert order_rounds(rounds) == ordered


@pytest.mark.parametrize(
    ("games", "numbers"),
    [
        ([], []),
        ([("Ada", "Ben", "2"), ("Cy", "Dan", "1")], [2, 1]),
        ([("Ada", "Ben", "2"), ("Ada", "Cy", "2")], [1, 2]),
        ([("Ada", "Ben", "1"), ("Cy", "Dan", None), ("Ada", "Cy", "2")], [1, 1, 2]),
        ([("Ada", "Ben", "1.1"), ("Ben", "Cy", "1.2")], [1, 2]),
        ([("Ada", "Ben", "0"), ("Ben", "Cy", "1")], [1, 2]),
        ([("Ada", "Ben", "99999")], [1]),
        ([("Ada", "Ben", None), ("Ada", "Ben", None), ("Ben", "Cy", None), ("Ada", "Dan", None)], [1, 2, 3, 3]),
    ],
)
def test_rounds_get_numbers(games: list[tuple[str, str, str | None]], numbers: list[int]) -> None:
    assert number_rounds([TournamentGame((first, second), None, text) for first, second, text in games]) == numbers
