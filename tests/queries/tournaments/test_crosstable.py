"""Tournaments and their crosstables."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.queries.made_games import Made, build
from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Result
from zertz_db.queries.tournaments.crosstable import find_crosstable, find_rounds
from zertz_db.queries.tournaments.standings import TIE_BREAKS
from zertz_db.queries.tournaments.tournament_games import list_tournaments, read_tournament
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database
from zertz_db.store.ratings.model import rate_performance

OPENING = ("Wd4,d1", "Bd3,a1", "x d3Wd5")


def game(first: str | None, second: str | None, end: str, moves: int = 3, **facts: str | None) -> Made:
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
        (name, str(since), str(until), *counts) for name, since, until, *counts, _ in list_tournaments(database).rows
    ] == [
        ("tournament 2012.03", "2012-03-04", "2012-03-05", 2, 0, 4),
        ("Cup", "2010-05-01", "2010-06-30", 7, 1, 4),
        ("Lone", "2009-01-01", "2009-12-31", 1, 0, 1),
        ("Open", "2008-01-01", "2008-01-03", 3, 0, 4),
        ("tournament ????.??", "None", "None", 1, 0, 2),
    ]


def test_the_crosstable_has_each_pairing_and_orders_by_points(database: Database) -> None:
    table = find_crosstable(database, " cup ")
    assert choose(table, "number", "rank", "player", "points", "games", "unfinished", "1", "2", "3") == [
        (1, 1, "Ada", 3.5, 4, 1, "", "1=*1", "1"),
        (2, 2, "Ben", 0.5, 3, 1, "0=*0", "", ""),
        (3, 3, "Cy", 0.0, 1, 0, "0", "", ""),
    ]
    assert choose(table, *TIE_BREAKS) == [(1.25, 1.5, None, 3), (1.75, 10.5, None, 0), (0.0, 3.5, None, 0)]


def test_tie_breaks_decide_between_equals_then_the_rank_is_shared(database: Database) -> None:
    assert choose(find_crosstable(database, "open"), "rank", "player", "points", *TIE_BREAKS) == [
        (1, "Zoe", 1.0, 1.0, 1.0, None, 1),
        (2, "Ann", 1.0, 0.0, 1.0, None, 1),
        (3, "Bob", 0.0, 0.0, 1.0, None, 0),
        (4, "Eve", 0.0, 0.0, 0.0, None, 0),
    ]
    assert choose(find_crosstable(database, "tournament 2012.03"), "rank", "player", "points") == [
        (1, "Ben", 1.0),
        (2, "Cy", 0.5),
        (2, "Dan", 0.5),
        (4, "Ada", 0.0),
    ]


def test_the_tie_breaks_are_columns_in_the_order_used(database: Database) -> None:
    names = find_crosstable(database, "Cup").names
    assert [name for name in names if name in TIE_BREAKS] == [*TIE_BREAKS]


def choose(table: Result, *names: str) -> list[tuple[object, ...]]:
    """The values of these columns."""
    return [tuple(row[name] for name in names) for row in table.dicts()]


def test_both_can_lose(database: Database) -> None:
    rows = {player: outcomes for player, *outcomes in choose(find_crosstable(database, "Open"), "player", *"1234")}
    assert (rows["Bob"], rows["Eve"]) == (["", "0", "", "0"], ["", "", "0", ""])


def test_filters_choose_the_games(database: Database) -> None:
    assert [row[0] for row in list_tournaments(database, "date:2009").rows] == ["Lone"]
    assert choose(find_crosstable(database, "Cup", "not player:ben"), "player", "points", "games", "1", "2") == [
        ("Ada", 1.0, 1, "", "1"),
        ("Cy", 0.0, 1, "0", ""),
    ]


def test_columns_name_the_opponents(database: Database) -> None:
    columns = find_crosstable(database, "Cup").columns
    assert [column.name for column in columns[-3:]] == ["1", "2", "3"]
    assert [column.meaning.split(":")[0] for column in columns[-3:]] == [
        f"results against {name}" for name in ("Ada", "Ben", "Cy")
    ]


def test_a_tournament_without_two_known_players_is_empty(database: Database) -> None:
    assert find_crosstable(database, "Lone").rows == []


@pytest.mark.parametrize(
    ("name", "filters", "message"),
    [
        ("Cap", "", r"no tournament is called 'Cap'; did you mean 'Cup'"),
        ("Cup", "player:nobody", "no tournaments among these games"),
    ],
)
def test_an_unknown_tournament_is_explained(database: Database, name: str, filters: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        find_crosstable(database, name, filters)


def test_rounds_are_columns(tmp_path: Path) -> None:
    rows = [
        ("Ada", "Ben", "resigned by 2", "10"),
        ("Cy", "Ada", "tie", "2"),
        ("Ben", "Cy", "unfinished", "2"),
        ("Ada", "Cy", "tie", None),
    ]
    made = [
        game(first, second, end, event="Open", round=text, date=f"2010.05.0{day}")
        for day, (first, second, end, text) in enumerate(rows, 1)
    ]
    with open_database(build(tmp_path, made)) as opened:
        table = find_rounds(opened, "open")
        assert table.names[-2:] == ["round 2", "round 10"]
        assert choose(table, "number", "rank", "player", "points", "round 2", "round 10") == [
            (1, 1, "Ada", 2.0, "2=", "3+"),
            (2, 2, "Cy", 1.0, "1= 3*", ""),
            (3, 3, "Ben", 0.0, "2*", "1-"),
        ]


def test_without_rounds_there_are_no_columns_for_them(database: Database) -> None:
    assert find_rounds(database, "Cup").names == ["number", "rank", "player", "points"]


def test_performance_is_by_the_stored_ratings(tmp_path: Path) -> None:
    made = [
        game("Ada", "Ben", "resigned by 2", date="2010.05.01"),
        game("Ada", "Ben", "resigned by 2", event="Open", date="2010.05.02"),
        game("Ada", "Dan", "resigned by 2", event="Open", date="2010.05.03"),
    ]
    with open_database(build(tmp_path, made)) as opened:
        [before] = [one.ratings for one in read_tournament(opened, "Open").games if one.players == ("Ada", "Ben")]
        assert before[0] is not None
        assert before[1] is not None
        performances = dict(choose(find_crosstable(opened, "Open"), "player", "performance"))  # type: ignore[arg-type]
    assert performances["Ada"] == rate_performance(before[1], 1, 1)
    assert performances["Ben"] == rate_performance(before[0], 0, 1)
