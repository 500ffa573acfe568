"""Tournaments and their crosstables."""

from collections.abc import Iterator

import pytest

from tests.queries.made_games import Made, build
from zertz_db.queries.errors import QueryError
from zertz_db.queries.tournaments import find_crosstable, list_tournaments
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

OPENING = ("Wd4,d1", "Bd3,a1", "x d3Wd5")


def game(first: str | None, second: str | None, end: str, moves: int = 3, **facts: str) -> Made:
    return Made(first=first, second=second, broken_off=end, moves=OPENING[:moves], **facts)  # type: ignore[arg-type]


CUP = [
    game("Ada", "Ben", "resigned by 2", event="Cup", date="2010.05.01"),
    game("BEN", "Ada", "tie", event="Cup", date="2010.05.02"),
    game("Ben", "Ada", "unfinished", event="Cup", date="2010.05.03"),
    game("Cy", "Ada", "resigned by 1", event="Cup", date="2010.06.??"),
    game("Ben", "Ada", "resigned by 1", event="Cup", date="2010.05.04"),
    game("Cy", None, "resigned by 2", event="Cup", date="2010.05.05"),
    game("guest", "guest", "resigned by 2", event="Cup", date="2010.05.06"),
]
OTHERS = [
    game("Ada", "Ben", "resigned by 1", flags="tournament rated", date="2012.03.04"),
    game("Cy", "Dan", "tie", flags="tournament", date="2012.03.05"),
    game("Cy", "Dan", "tie", flags="tournament", date="????.??.??"),
    game("Cy", "Dan", "tie", flags="tournaments", date="2013.01.01"),
    game("Cy", "Dan", "tie", date="2013.01.02"),
    game("Ada", None, "tie", event="Lone", date="2009.??.??"),
    game("Zoe", "Ann", "resigned by 2", event="Open", date="2008.01.01"),
    game("Ann", "Bob", "resigned by 2", event="Open", date="2008.01.02"),
    game("Bob", "Eve", "both lost", event="Open", date="2008.01.03"),
]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with open_database(build(tmp_path_factory.mktemp("made"), CUP + OTHERS)) as opened:
        yield opened


def test_games_belong_to_their_event_or_to_the_month_of_their_tournament(database: Database) -> None:
    assert [
        (name, str(since), str(until), *counts) for name, since, until, *counts in list_tournaments(database).rows
    ] == [
        ("tournament 2012.03", "2012-03-04", "2012-03-05", 2, 0, 4),
        ("Cup", "2010-05-01", "2010-06-30", 7, 1, 4),
        ("Lone", "2009-01-01", "2009-12-31", 1, 0, 1),
        ("Open", "2008-01-01", "2008-01-03", 3, 0, 4),
        ("tournament ????.??", "None", "None", 1, 0, 2),
    ]


def test_the_crosstable_has_each_pairing_and_orders_by_points(database: Database) -> None:
    assert find_crosstable(database, " cup ").rows == [
        (1, "Ada", 3.5, 4, 1, "", "1=*1", "1"),
        (2, "Ben", 0.5, 3, 1, "0=*0", "", ""),
        (3, "Cy", 0.0, 1, 0, "0", "", ""),
    ]


def test_of_equals_who_needed_fewer_games_comes_first_then_the_name(database: Database) -> None:
    rows = find_crosstable(database, "open").rows
    assert [(player, points, games) for _, player, points, games, *_ in rows] == [
        ("Zoe", 1.0, 1),
        ("Ann", 1.0, 2),
        ("Eve", 0.0, 1),
        ("Bob", 0.0, 2),
    ]
    assert [player for _, player, *_ in find_crosstable(database, "tournament 2012.03").rows] == [
        "Ben",
        "Cy",
        "Dan",
        "Ada",
    ]


def test_both_can_lose(database: Database) -> None:
    rows = {player: outcomes for _, player, _, _, _, *outcomes in find_crosstable(database, "Open").rows}
    assert (rows["Bob"], rows["Eve"]) == (["", "0", "0", ""], ["", "", "", "0"])


def test_filters_choose_the_games(database: Database) -> None:
    assert [row[0] for row in list_tournaments(database, "date:2009").rows] == ["Lone"]
    assert find_crosstable(database, "Cup", "not player:ben").rows == [
        (1, "Ada", 1.0, 1, 0, "", "1"),
        (2, "Cy", 0.0, 1, 0, "0", ""),
    ]


def test_columns_name_the_opponents(database: Database) -> None:
    columns = find_crosstable(database, "Cup").columns
    assert [column.name for column in columns[5:]] == ["1", "2", "3"]
    assert [column.meaning.split(":")[0] for column in columns[5:]] == [
        f"results against {name}" for name in ("Ada", "Ben", "Cy")
    ]


def test_a_tournament_without_two_known_players_is_empty(database: Database) -> None:
    assert find_crosstable(database, "Lone").rows == []


@pytest.mark.parametrize(
    ("name", "filters", "message"),
    [
        ("Cap", "", r"no tournament is called 'Cap'; there are 5, for example 'Cup'"),
        ("Cup", "player:nobody", "no tournaments among these games"),
    ],
)
def test_an_unknown_tournament_is_explained(database: Database, name: str, filters: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        find_crosstable(database, name, filters)
