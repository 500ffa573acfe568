"""Editions of an event, and that `event:` finds what `tournaments` lists."""

from collections import Counter
from pathlib import Path

import pytest

from tests.queries.made_games import Made, build
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.completion import complete_filter
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.games.game_list import count_games, list_games
from zertz_db.queries.tournaments.crosstable import find_crosstable
from zertz_db.queries.tournaments.tournament_games import list_tournaments, read_tournament
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

MOVES = ("Wd4,d1", "Bd3,a1", "x d3Wd5")


@pytest.mark.parametrize(
    ("dates", "listed"),
    [
        pytest.param(["2010.05.01", "2010.05.02"], {"Cup": 2}, marks=pytest.mark.long),
        (["2010.05.01", "2011.05.01"], {"Cup 2010": 1, "Cup 2011": 1}),
        pytest.param(["2010.01.05", "2010.12.01"], {"Cup": 2}, marks=pytest.mark.long),
        (["2010.12.28", "2011.01.03"], {"Cup": 2}),
        pytest.param(["2010.12.28", "2011.01.03", "2011.12.29"], {"Cup": 3}, marks=pytest.mark.long),
        (["2010.11.02", "2011.01.01"], {"Cup": 2}),
        (["2010.11.01", "2011.01.01"], {"Cup 2010": 1, "Cup 2011": 1}),
        pytest.param(
            ["2010.12.28", "2011.01.03", "2012.06.01"], {"Cup 2010": 2, "Cup 2012": 1}, marks=pytest.mark.long
        ),
        (["2010.12.??", "2011.01.??"], {"Cup": 2}),
        pytest.param(["2010.??.??", "2011.??.??"], {"Cup 2010": 1, "Cup 2011": 1}, marks=pytest.mark.long),
        (["2010.12.20", "2011.??.??"], {"Cup 2010": 1, "Cup 2011": 1}),
        pytest.param(["2010.12.20", "2011.??.??", "2011.01.02"], {"Cup": 3}, marks=pytest.mark.long),
        (["2010.05.01", "????.??.??"], {"Cup": 2}),
        (["2010.05.01", "2011.05.01", "????.??.??"], {"Cup 2010": 1, "Cup 2011": 1, "Cup ????": 1}),
        pytest.param(["????.??.??"], {"Cup": 1}, marks=pytest.mark.long),
    ],
)
def test_editions(tmp_path: Path, dates: list[str], listed: dict[str, int]) -> None:
    made = [
        Made(moves=MOVES, broken_off="tie", event="Cup", date=date, first=f"Ada {number}")
        for number, date in enumerate(dates)
    ]
    made.append(Made(moves=MOVES, broken_off="tie", event="Other", date="2010.07.01"))
    with open_database(build(tmp_path, made)) as database:
        rows = {row["tournament"]: row["games"] for row in list_tournaments(database).dicts()}
        assert rows == {**listed, "Other": 1}
        for name, count in rows.items():
            assert count_games(database, f'event:"{name.upper()}"') == count
            assert len(find_crosstable(database, name).rows) == count + 1
            assert [row[0] for row in list_tournaments(database, f'event:"{name}"').rows] == [name]
        require_exact_filters(database)
        assert count_games(database, "event:cup") == len(dates)
        if len(listed) > 1:
            with pytest.raises(QueryError, match=r"no tournament is called 'Cup'; did you mean 'Cup "):
                find_crosstable(database, "Cup")


def test_every_tournament_that_is_listed_can_be_asked_for(tmp_path: Path) -> None:
    made = [
        Made(moves=MOVES, broken_off="tie", flags="tournament", date="2004.05.03"),
        Made(moves=MOVES, broken_off="tie", flags="tournament rated", date="2004.05.04"),
        Made(moves=MOVES, broken_off="tie", flags="tournament", date="????.??.??"),
        Made(moves=MOVES, broken_off="tie", flags="tournament", event="Cup", date="2004.05.05"),
        Made(moves=MOVES, broken_off="tie", flags="rated", date="2004.05.06"),
        Made(moves=MOVES, broken_off="tie", event="100% *_Open*", date="2004.05.07"),
    ]
    with open_database(build(tmp_path, made)) as database:
        require_exact_filters(database)
        listed = {row["tournament"]: row["games"] for row in list_tournaments(database).dicts()}
        assert listed == {"tournament 2004.05": 2, "tournament ????.??": 1, "Cup": 1, "100% *_Open*": 1}
        assert {name: count_games(database, f'event:"{name}"') for name in listed} == listed
        assert count_games(database, 'event:"tournament*"') == 3
        assert Counter(event for (event,) in list_games(database, "event:*", columns=["event"]).rows)[None] == 3


def test_the_filter_of_a_tournament_selects_its_games_whatever_its_name(tmp_path: Path) -> None:
    named = [
        "Cup",
        "CUP 2012",
        "Cup*",
        "Cups",
        "The (big) Open",
        'The "big" one',
        "50/50, maybe",
        "a..b",
        "yes",
        "Cup 2010",
        "“x” or y",
    ]
    made = [
        Made(moves=MOVES, broken_off="tie", event=name, date=f"{year}.05.0{number % 9 + 1}", first=f"P {number}")
        for number, name in enumerate(named)
        for year in ((2010, 2012) if name.startswith("Cup") else (2010,))
    ]
    with open_database(build(tmp_path, made)) as database:
        assert len(require_exact_filters(database)) > len(named)
        assert count_games(database, "edition:Cup") == 0
        assert count_games(database, 'edition:"cup 2012"') == 2
        assert 'edition:"Cups 2010"' in absence(database, 'edition:"Cupps 2010"')
        assert [one.text for one in complete_filter(database, "edition:50")] == ['"50/50, maybe"']


def require_exact_filters(database: Database) -> list[str]:
    """That each listed tournament has as many games by its own filter, alone in the list; return the filters."""
    rows = list_tournaments(database).dicts()
    for row in rows:
        assert count_games(database, row["filter"]) == row["games"], row
        assert list_tournaments(database, row["filter"]).dicts() == [row]
        assert read_tournament(database, row["tournament"]).name == row["tournament"]
    return [row["filter"] for row in rows]
