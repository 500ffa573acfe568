"""A tournament's file compared with the games that a database has of it."""

from collections.abc import Iterator

import pytest

from tests.queries.made_games import Made, build
from zertz_db.queries.errors import QueryError
from zertz_db.queries.tournaments.file_comparison import compare_with_file
from zertz_db.queries.tournaments.standings import TournamentGame
from zertz_db.queries.tournaments.tournament_games import Tournament
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

WON, LOST, TIED = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)
OPENING = ("Wd4,d1", "Bd3,a1", "x d3Wd5")


def stored(first: str, second: str, end: str, number: str | None, day: int) -> Made:
    return Made(
        moves=OPENING, first=first, second=second, broken_off=end, event="Cup", round=number, date=f"2010.05.{day:02}"
    )


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    made = [
        stored("Ada Lovelace", "Ben", "resigned by 2", "1", 1),
        stored("Ben", "Ada Lovelace", "resigned by 2", "2", 2),
        stored("Ben", "Cy", "tie", None, 3),
        stored("Cy", "Ada Lovelace", "unfinished", "3", 4),
    ]
    with open_database(build(tmp_path_factory.mktemp("made"), made)) as opened:
        yield opened


def played(first: str, second: str, points: tuple[float, float] | None, number: int) -> TournamentGame:
    return TournamentGame((first, second), points, str(number))


AGREES = [
    played("lovelace, ada", "BEN", WON, 1),
    played("Ben", "Ada Lovelace", WON, 2),
    played("Ben", "Cy", TIED, 2),
    played("Cy", "Ada Lovelace", None, 3),
]


@pytest.mark.parametrize(
    ("games", "rows"),
    [
        (AGREES, []),
        (AGREES[::-1], []),
        (AGREES[1:], [("extra", "1", "Ada Lovelace", "Ben", None, "1-0", None)]),
        ([*AGREES, played("Cy", "Ben", LOST, 4)], [("missing", "4", "Cy", "Ben", "0-1", None, None)]),
        ([AGREES[0]._replace(points=LOST), *AGREES[1:]], [("result", "1", "Ada Lovelace", "Ben", "0-1", "1-0", None)]),
        ([*AGREES[:2], played("Cy", "Ben", TIED, 2), AGREES[3]],
         [("first", "2", "Cy", "Ben", "1/2-1/2", "1/2-1/2", None)]),
        ([*AGREES[:3], played("Ada Lovelace", "Cy", WON, 3)], [("result", "3", "Ada Lovelace", "Cy", "1-0", "*", None)]),
        ([*AGREES[:2], played("Ben", "Cyrus", TIED, 2), played("Cyrus", "Ada Lovelace", None, 3)],
         [("player", None, "Cyrus", None, None, None, "did you mean Cy? 2 games in the file only"),
          ("player", None, "Cy", None, None, None, "2 games in the database only")]),
    ],
)  # fmt: skip
def test_each_difference_has_a_row(
    database: Database, games: list[TournamentGame], rows: list[tuple[object, ...]]
) -> None:
    assert compare_with_file(database, "cup", Tournament("Cup", games)).rows == rows


def test_a_player_without_games_counts_and_an_unknown_tournament_is_explained(database: Database) -> None:
    registered = Tournament("Cup", AGREES, {"lovelace, ada": 0.0, "Zoe": 1.0})
    assert [row[2:3] + row[6:] for row in compare_with_file(database, "Cup", registered).rows] == [
        ("Zoe", "0 games in the file only")
    ]
    with pytest.raises(QueryError, match="no tournament is called 'Cap'"):
        compare_with_file(database, "Cap", registered)
