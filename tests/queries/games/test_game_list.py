import pytest

from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import SUMMARY, count_games, game_ids, list_games
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text

EVERYTHING = "resigned clocks large blitz custom contradicted"


@pytest.mark.parametrize(
    ("filters", "events"),
    [
        ("", EVERYTHING),
        ("player:ada", "resigned clocks large"),
        ("player:AD*", "resigned clocks large"),
        ("player:ad", ""),
        ("player:ČENĚK", "large"),
        ("player:a_b", "blitz"),
        ("player:100%", "custom"),
        ("player:%", ""),
        ("player:*", EVERYTHING),
        ("first:Ada", "resigned"),
        ("second:Ada", "clocks large"),
        ("player:Ada vs:ben", "resigned clocks"),
        ("player:ben vs:Ada", "resigned clocks"),
        ("player:Ada second:ben", "resigned"),
        ("since:2011", "large blitz contradicted"),
        ("since:2011.07", "large blitz contradicted"),
        ("until:2010.06.10", "resigned clocks"),
        ("since:2010.06 until:2010.06", "clocks"),
        ("since:2012-12-31 until:2012-12-31", "blitz"),
        ("board:48", "large"),
        ("board:custom", "custom"),
        ("rules:blitz", "blitz"),
        ("result:0-1", "resigned large"),
        ("result:*", "clocks custom contradicted"),
        ("ending:resign", "resigned"),
        ("verdict:unfinished", "clocks custom"),
        ("source:AGAIN.txt", "resigned"),
        ("source:nowhere", ""),
        ('player:"\'; DROP TABLE _game; --"', ""),
    ],
)
def test_filters(database: Database, filters: str, events: str) -> None:
    found = list_games(database, filters, columns=["event"])
    assert sorted(event for (event,) in found.rows) == sorted(events.split())
    assert count_games(database, filters) == len(events.split())


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ("board:36", "board '36'; there are 37, 40"),
        ("rules:classic", "rule set 'classic'; there are standard, blitz"),
        ("result:1-1", "result '1-1'; there are 1-0"),
        ("ending:win", "ending 'win'"),
        ("verdict:illegal", "verdict 'illegal'"),
        ("vs:Ada", "an opponent needs a player"),
        ("since:yesterday", "invalid date 'yesterday'"),
    ],
)
def test_filters_that_no_game_can_pass_are_refused(database: Database, filters: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        list_games(database, filters)


@pytest.mark.parametrize(
    ("sort", "events"),
    [
        ("-date", "contradicted blitz large clocks resigned custom"),
        ("date", "resigned clocks large blitz contradicted custom"),
        ("player2", "custom clocks large"),
        ("-plies", "large contradicted blitz"),
    ],
)
def test_order_and_limit(database: Database, sort: str, events: str) -> None:
    wanted = events.split()
    found = list_games(database, sort=sort, limit=len(wanted), columns=["event", "player2"])
    listed = [event for event, _ in found.rows]
    if sort == "player2":  # equal names: any order
        assert set(listed) == set(wanted)
    else:
        assert listed == wanted


@pytest.mark.parametrize(("sort", "limit"), [("colour", 5), ("movetext; DROP", 5), ("date", -1)])
def test_an_impossible_order_or_limit_is_refused(database: Database, sort: str, limit: int) -> None:
    with pytest.raises(QueryError, match="can't be"):
        list_games(database, sort=sort, limit=limit)


def test_a_list_explains_its_columns(database: Database) -> None:
    found = list_games(database, limit=1)
    assert found.names == list(SUMMARY)
    assert all(column.meaning for column in found.columns)


def test_ids_come_in_the_same_order_as_the_list(database: Database) -> None:
    listed = list_games(database, sort="plies", columns=["id"])
    assert [to_text(number) for number in game_ids(database, sort="plies")] == [text for (text,) in listed.rows]


def test_a_result_as_dicts_frame_and_arrow(database: Database) -> None:
    found = list_games(database, "rules:blitz", columns=["event", "plies", "round"])
    assert found.dicts() == [{"event": "blitz", "plies": found.rows[0][1], "round": None}]
    assert found.df().to_dict("records")[0]["event"] == "blitz"
    assert [str(kind) for kind in found.arrow().schema.types] == ["string", "int64", "string"]
    nothing = list_games(database, "player:nobody")
    assert nothing.df().shape == (0, len(SUMMARY))
    assert nothing.arrow().shape == (0, len(SUMMARY))


@pytest.mark.parametrize("sort", [sign + column for column in SUMMARY for sign in ("", "-")])
def test_a_list_read_in_parts_is_the_whole_list(database: Database, sort: str) -> None:
    whole = list_games(database, sort=sort).rows
    parts = list_games(database, sort=sort, limit=2).rows
    while more := list_games(database, sort=sort, limit=2, after=parts[-1][0]).rows:
        parts += more
    assert parts == whole


def test_a_list_goes_on_behind_a_game_that_it_does_not_have(database: Database) -> None:
    [(blitz,)] = list_games(database, "rules:blitz", columns=["id"]).rows
    found = list_games(database, "board:37 -rules:blitz", sort="date", after=blitz, columns=["event"])
    assert found.rows == [("contradicted",)]


def test_a_list_can_not_go_on_behind_an_unknown_game(database: Database) -> None:
    with pytest.raises(QueryError, match="there is no game"):
        list_games(database, after="0000000000000")
