"""Filters on ratings, and lists of games sorted by them, compared with the view of ratings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.completion import complete_filter
from zertz_db.queries.games.game_list import RATINGS, SUMMARY, count_games, list_games
from zertz_db.store.folder.database import Database

Numbers = tuple[int | None, int | None, int | None, int | None]
"""Rating and deviation of the first player, and of the second."""


@pytest.fixture
def folder(of_club: object) -> object:
    return of_club


def read_ratings(database: Database) -> dict[str, Numbers]:
    """The ratings of all games; None for missing ones."""
    connection = database.connection()
    rows: dict[str, Numbers] = {game: (None,) * 4 for (game,) in connection.execute("SELECT id FROM games").fetchall()}
    for game, *numbers in connection.execute(
        "SELECT game, rating1, deviation1, rating2, deviation2 FROM ratings"
    ).fetchall():
        rows[game] = tuple(numbers)  # type: ignore[assignment] # four numbers
    return rows


def both(test: Callable[[int, int], bool]) -> Callable[[Numbers], bool]:
    return lambda row: row[0] is not None and row[2] is not None and test(row[0], row[2])


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("rating:>1550", both(lambda one, other: one > 1550 and other > 1550)),
        ("rating>1550", both(lambda one, other: one > 1550 and other > 1550)),
        ("rating:1400..1600", both(lambda one, other: 1400 <= one <= 1600 and 1400 <= other <= 1600)),
        ("rating-first:<1500", lambda row: row[0] is not None and row[0] < 1500),
        ("rating-second:>=1500", lambda row: row[2] is not None and row[2] >= 1500),
        ("rating-diff:<=80", both(lambda one, other: abs(one - other) <= 80)),
        ("rating-diff:>200", both(lambda one, other: abs(one - other) > 200)),
        ("rating-deviation:<200", lambda row: row[1] is not None and row[3] is not None and max(row[1], row[3]) < 200),
    ],
)
def test_which_games_a_field_selects(database: Database, text: str, holds: Callable[[Numbers], bool]) -> None:
    expected = {game for game, row in read_ratings(database).items() if holds(row)}
    assert expected
    assert {game for (game,) in list_games(database, text, columns=["id"]).rows} == expected
    assert count_games(database, f"not ({text})") == count_games(database) - len(expected)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("rating:high", "invalid number of points 'high'; write 1800, 1800..3600, <1800 or >=1800"),
        ("rating:1900..1800", "the range of points is empty: 1900 is more than 1800"),
        ("rating-differ:<100", "did you mean rating-diff?"),
        ("ratings:>1900", "did you mean rating?"),
    ],
)
def test_what_no_game_can_have(database: Database, text: str, problem: str) -> None:
    with pytest.raises(QueryError) as caught:
        count_games(database, text)
    assert problem in str(caught.value)


def test_fields_are_completed(database: Database) -> None:
    expected = ["rating:", "rating-first:", "rating-second:", "rating-diff:", "rating-deviation:"]
    assert [one.text for one in complete_filter(database, "rating")] == expected


@pytest.mark.parametrize("sort", ["rating", "-rating"])
def test_games_are_sorted_by_the_lower_rating(database: Database, sort: str) -> None:
    ratings = read_ratings(database)
    found = list_games(database, sort=sort, columns=(*SUMMARY, *RATINGS)).dicts()
    assert {row["id"]: (row["rating1"], row["rating2"]) for row in found} == {
        game: (row[0], row[2]) for game, row in ratings.items()
    }
    lower = [None if None in (row["rating1"], row["rating2"]) else min(row["rating1"], row["rating2"]) for row in found]
    known = [rating for rating in lower if rating is not None]
    assert known == sorted(known, reverse=sort.startswith("-"))
    assert 1 < len(known) < len(lower)
    assert all(rating is None for rating in lower[len(known) :])


@pytest.mark.parametrize("sort", ["rating", "-rating"])
def test_a_list_by_rating_is_read_in_parts(database: Database, sort: str) -> None:
    whole = [game for (game,) in list_games(database, sort=sort, columns=["id"]).rows]
    parts: list[str] = []
    while len(parts) < len(whole):
        parts += [row[0] for row in list_games(database, sort=sort, limit=7, after=parts[-1] if parts else None).rows]
    assert parts == whole


def test_an_unknown_sort_key_is_explained(database: Database) -> None:
    with pytest.raises(QueryError, match=r"games can't be sorted by 'ratng'; valid: .*, rating; did you mean rating\?"):
        list_games(database, sort="ratng")
