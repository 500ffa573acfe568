import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.completion import complete_filter
from zertz_db.queries.filters.errors import FilterError
from zertz_db.queries.filters.fields import FIELDS
from zertz_db.queries.games.game_list import count_games, list_games
from zertz_db.store.folder.database import Database

EVERYTHING = "resigned clocks large blitz custom contradicted"


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("", EVERYTHING),
        ("  \n ", EVERYTHING),
        ("player:ada", "resigned clocks large"),
        ("PLAYER:Ada", "resigned clocks large"),
        ("player:ad", ""),
        ("player : ada", None),
        ("player: ada", "resigned clocks large"),
        ("player=ada", "resigned clocks large"),
        ("player:ada board:37", "resigned clocks"),
        ("player:ada and board:37", "resigned clocks"),
        ("player:eve or board:48", "large contradicted"),
        ("player:ada board:37 or player:eve", "resigned clocks contradicted"),
        ("player:ada (board:48 or date:2010.05)", "resigned large"),
        ("not player:ada", "blitz custom contradicted"),
        ("-player:ada", "blitz custom contradicted"),
        ("not (player:ada or board:37)", "custom"),
        ("not not player:ada", "resigned clocks large"),
        ("player:ada not board:37", "large"),
        ("board:48,custom", "large custom"),
        ("board:48, custom", "large custom"),
        ("player:ada vs:ben", "resigned clocks"),
        ("first:ada vs:ben", "resigned"),
        ("player:ada not vs:ben", "large"),
        ("player:ada (vs:ben date:2010.05 or vs:č*)", "resigned large"),
        ("(player:ada board:37) vs:ben", "resigned clocks"),
        ("won:ben vs:ada", "resigned"),
        ("plies<5", "resigned clocks"),
        ("plies:4", "resigned"),
        ("plies:..4", "resigned clocks"),
        ("plies:3..6 board:custom", "custom"),
        ("date:2011..", "large blitz contradicted"),
        ("date:>2011", "blitz contradicted"),
        ("date:*", None),
        ("result:none", "clocks custom contradicted"),
        ('result:0–1 moves:"bD3,A1"', "resigned"),
        ("resigned", "resigned"),
        ("Ben 2010", "resigned clocks"),
        ('"Ada"', "resigned clocks large"),
        ("“Ada”", "resigned clocks large"),
        ("order", ""),
        ("text:or", ""),
        ("player:or", ""),
        ('moves:"bD3,A1 X d3wd5" result:0-1', "resigned"),
        ('player:"\'; DROP TABLE _game; --"', ""),
    ],
)
def test_which_games_a_text_means(database: Database, text: str, events: str | None) -> None:
    if events is None:
        with pytest.raises(QueryError):
            count_games(database, text)
        return
    found = list_games(database, text, columns=["event"])
    assert sorted(event for (event,) in found.rows) == sorted(events.split())
    assert count_games(database, text) == len(events.split())


def test_findings_of_games(database: Database) -> None:
    found = "SELECT code FROM findings JOIN sightings USING (record) JOIN games ON games.id = game WHERE event = 'contradicted'"
    ((code,),) = database.connection().execute(found).fetchall()
    for text in (f"code:{code.lower()}", f"code:{code[:2]}*", f"code:E101,{code}"):
        assert list_games(database, text, columns=["event"]).rows == [("contradicted",)]
    assert code in [one.text for one in complete_filter(database, f"code:{code[:2]}")]


def test_words_hold_beside_the_other_filters(database: Database) -> None:
    assert list_games(database, "player:ada (vs:č* or plies:<4)", columns=["event"]).rows == [
        ("large",),
        ("clocks",),
    ]


@pytest.mark.parametrize(
    ("text", "problem", "pointed"),
    [
        ("plaier:ada", "unknown field 'plaier'; did you mean player?", "plaier:"),
        ("quux:1", "unknown field 'quux'; valid: player, vs, first", "quux:"),
        ("http://x", "unknown field 'http'", "http:"),
        ("player:ada board:36", "no game has the board '36'; there are 37, 40", "36"),
        ("board:37,36", "no game has the board '36'", "36"),
        ("ending:resing", "did you mean resign?", "resing"),
        ("result:1_0", "did you mean 1-0?", "1_0"),
        ("rules:classic", "no game has the rule set 'classic'; there are standard, blitz", "classic"),
        ("sets:4W+5Q", "no game has the winning set '5Q'", "4W+5Q"),
        ("kind:robot", "valid: human, bot, guest, or two for both players, as in human-bot", "robot"),
        ("kind:human-bot-bot", "invalid kind", "human-bot-bot"),
        ("code:W", "write a code such as W702", "W"),
        ("id:U", "an id has no U", "U"),
        ("date:soon", "invalid date 'soon'", "soon"),
        ("date:2012..2010", "the range of dates is empty: 2012 comes after 2010", "2012..2010"),
        ("plies:40..20", "the range of plies is empty: 40 is more than 20", "40..20"),
        ("plies:<x", "invalid number of plies 'x'", "<x"),
        ("board:>37", "board takes no range", ">37"),
        ("player:a..b", "player takes no range", "a..b"),
        ('player:""', "a player's name can't be empty", '""'),
        ('""', "a text can't be empty", '""'),
        ("vs:ben", "an opponent needs a player", "ben"),
        ("not player:ada vs:ben", "an opponent needs a player", "ben"),
        ("(player:a or player:b) vs:ben", "an opponent needs a player", "ben"),
        ("board:", "board: needs a value", "board:"),
        ("board: player:ada or", "or needs a term after it", "or"),
        ("(board:)", "board: needs a value", "board:"),
        ("plies:<", "< needs a value after it", "<"),
        ("board:37,", ", needs another value after it", ","),
        ("ada or", "or needs a term after it", "or"),
        ("ada AND)", "AND needs a term after it", "AND"),
        ("not", "not needs a term after it", "not"),
        ("or ada", "or needs a term before it", "or"),
        ("(and ada)", "and needs a term before it", "and"),
        ("(ada (ben)", "this parenthesis is not closed", "("),
        ("ada) ben", "this parenthesis is not opened", ")"),
        ("ada ()", "these parentheses are empty", "()"),
        ("player:(ada or ben)", "separate values with commas: player:ONE,OTHER", "("),
        ('player:"ada', "this quotation mark is not closed", '"ada'),
        ("“ada", "this quotation mark is not closed", "“ada"),
        ('"a" , "b"', "a comma separates values of a field", ","),
        ("ada | ben", "unexpected text", "|"),
        ("date:..", "date: needs a value", "date:"),
    ],
)
def test_errors_say_what_is_wrong_and_point_at_it(text: str, problem: str, pointed: str) -> None:
    with pytest.raises(FilterError) as raised:
        condition(text)
    error = raised.value
    assert problem in error.problem
    assert text[slice(*error.place)] == pointed
    line, carets = error.excerpt.splitlines()
    assert line[carets.index("^") : carets.rindex("^") + 1] == pointed
    assert str(error) == f"{error.problem}\n{error.excerpt}"


def test_an_error_far_on_in_a_long_text_shows_what_is_around_it() -> None:
    text = "ada\n" * 100 + "board:36 " + "ben " * 100
    with pytest.raises(FilterError) as raised:
        condition(text)
    line, carets = raised.value.excerpt.splitlines()
    assert line[carets.index("^") :].startswith("36 ben")
    assert len(line) < 120


@pytest.mark.parametrize("text", ["not " * 60 + "ada", "(" * 5000 + "ada" + ")" * 4000, "x " * 6000])
def test_a_filter_out_of_all_proportion_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match=r"nests more than|not closed|at most"):
        condition(text)


@given(
    st.text()
    | st.lists(st.sampled_from([*'()",:-*<>=. ', "..", "or ", "not ", "player:", "date:", "37", "ada"])).map("".join)
)
def test_any_text_is_a_condition_or_an_explained_error(text: str) -> None:
    try:
        where, values = condition(text)
    except QueryError as error:
        assert str(error)
    else:
        assert where.count("?") == len(values)


@pytest.mark.parametrize("name", FIELDS)
def test_the_example_of_every_field_is_a_filter(database: Database, name: str) -> None:
    assert name in re.findall(r"[\w-]+(?=:)", FIELDS[name].example)
    count_games(database, FIELDS[name].example)


def test_the_page_explains_every_field() -> None:
    page = Path(__file__).parents[3].joinpath("docs", "filters.md").read_text("utf-8")
    table = page.partition("|---|---|---|")[2].partition("\n\n")[0]
    explained = [name for row in table.splitlines()[1:] for name in re.findall(r"`([\w-]+)`", row.split("|")[1])]
    assert sorted(explained) == sorted(FIELDS)


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("pl", ["player:", "plies:"]),
        ("board:48 (WON", ["won:"]),
        ("no", ["not"]),
        ("board:4", ["40", "43", "44", "48"]),
        ("board:37,c", ["custom"]),
        ("ending:RE", ["resign", "repetition"]),
        ("player:a", ["Ada", "a_b", "axb"]),
        ('player:"a', ["Ada", "a_b", "axb"]),
        ("player:ada,be", ["Ben"]),
        ("vs:%", ["100%"]),
        ("event:cl", ["clocks"]),
        ('"pl', []),
        ("date:20", []),
        ("quux:1", []),
        ('player:"ada"', []),
    ],
)
def test_what_could_be_written_next(database: Database, text: str, suggested: list[str]) -> None:
    found = complete_filter(database, text)
    assert [one.text for one in found] == suggested


def test_suggestions_are_for_what_stands_before_the_cursor(database: Database) -> None:
    text = "pla board:48"
    (one,) = complete_filter(database, text, 3)
    assert text[: one.start] + one.text + text[one.end :] == "player: board:48"
    assert len(complete_filter(database, "")) == 10


@pytest.mark.parametrize(("limit", "offset"), [(2, 0), (2, 2), (4, 5), (None, 4), (0, 0), (3, 9)])
def test_a_list_comes_in_pages(database: Database, limit: int | None, offset: int) -> None:
    whole = list_games(database, sort="plies").rows
    end = None if limit is None else offset + limit
    assert list_games(database, sort="plies", limit=limit, offset=offset).rows == whole[offset:end]
    with pytest.raises(QueryError, match="can't be listed"):
        list_games(database, limit=limit, offset=-1)
