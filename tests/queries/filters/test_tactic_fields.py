"""Fields of the filter language about forced wins, against the rows that the solver gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.analyses import ANALYSED, JudgedClub
from tests.queries.club import PLAYERS
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.completion import complete_filter
from zertz_db.queries.filters.coverage import NOT_ANALYSED, describe_coverage
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.games.game_list import count_games, list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text

Rows = list[dict[str, Any]]


def erred(database: Database, game: str, row: dict[str, Any]) -> str:
    """Return the chief name of the player who made a move."""
    found = find_game(database, game)
    name = str(found.row[f"player{found.positions[row['ply']].side}"])
    return PLAYERS.get(name, name)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("forced:3..7", lambda rows: any(3 <= (row["forced"] or 0) <= 7 for row in rows)),
        ("forced:5", lambda rows: any(row["forced"] == 5 for row in rows)),
        ("forced:9", lambda _rows: False),
        ("forced>1", lambda rows: any((row["forced"] or 0) > 1 for row in rows)),
        ("missed:>=3", lambda rows: any(row["missed"] for row in rows)),
        ("missed:5..", lambda rows: any(row["missed"] and row["forced"] >= 5 for row in rows)),
        ("missed:<3", lambda _rows: False),
        ("blunders:>0", lambda rows: any(row["blunder"] for row in rows)),
        ("blunders:0", lambda rows: not any(row["blunder"] for row in rows)),
        ("blunders:2..3", lambda rows: 2 <= sum(bool(row["blunder"]) for row in rows) <= 3),
        ("analysed:yes", lambda _rows: True),
        ("forced:3 blunders:>0", lambda rows: {3} <= {row["forced"] for row in rows} and any(r["blunder"] for r in rows)),
    ],
)  # fmt: skip
def test_which_games_a_field_selects(
    judged: Database, judged_club: JudgedClub, text: str, holds: Callable[[Rows], bool]
) -> None:
    expected = {
        game
        for (game,) in list_games(judged, ANALYSED, columns=["id"]).rows
        if holds([row for row in judged_club.rows if to_text(row["game"]) == game])
    }
    assert {game for (game,) in list_games(judged, text, columns=["id"]).rows} == expected
    assert count_games(judged, f"not ({text})") == count_games(judged) - len(expected)


@pytest.mark.parametrize(("field", "mark"), [("missed-by", "missed"), ("blunder-by", "blunder")])
@pytest.mark.parametrize("name", ["ada", "adah", "ben", "greedybot"])
def test_who_erred(judged: Database, judged_club: JudgedClub, field: str, mark: str, name: str) -> None:
    rows = [(to_text(row["game"]), row) for row in judged_club.rows if row[mark]]
    expected = {game for game, row in rows if erred(judged, game, row) == PLAYERS.get(name, name)}
    assert expected
    assert {game for (game,) in list_games(judged, f"{field}:{name}", columns=["id"]).rows} == expected


def test_a_game_that_can_t_be_searched_is_not_analysed(judged: Database, judged_club: JudgedClub) -> None:
    assert count_games(judged, f"id:{judged_club.skipped} analysed:no") == 1
    assert count_games(judged, f"id:{judged_club.skipped} blunders:0") == 0


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("forced:x", "invalid number of plies 'x'; write 3, 3..6, <3 or >=3"),
        ("forced:4", "no forced win takes 4 plies"),
        ("missed:2..2", "no forced win takes 2 plies"),
        ("missed:yes", "invalid number of plies 'yes'"),
        ("blunders:-1", "invalid number of blunders '-1'; write 1, 1..2"),
        ("forced:7..3", "the range of plies is empty"),
        ("missed-by:a..b", "missed-by takes no range"),
        ('blunder-by:""', "can't be empty"),
        ("analysed:perhaps", "there are yes, no"),
        ("blunder-bye:ada", "did you mean blunder-by?"),
    ],
)
def test_what_no_game_can_have(judged: Database, text: str, problem: str) -> None:
    with pytest.raises(QueryError, match=problem.replace("?", r"\?")):
        count_games(judged, text)


def test_names_are_completed_and_suggested(judged: Database) -> None:
    assert [one.text for one in complete_filter(judged, "missed-by:gre")] == ["greedybot"]
    assert [one.text for one in complete_filter(judged, "missed")] == ["missed:", "missed-by:"]
    assert absence(judged, "blunder-by:greedyboot").startswith("No games match. Did you mean blunder-by:greedybot? ")


def test_a_database_without_analyses_says_so(database: Database, judged: Database) -> None:
    assert describe_coverage(database) == NOT_ANALYSED
    assert count_games(database, "blunders:0 or forced:1.. or missed-by:ada") == 0
    assert absence(database, "not (board:37 or blunders:>0) forced:3") == f"No games match. {NOT_ANALYSED}"
    assert absence(database, "player:nobody12") == "No games match."
    analysed = count_games(judged, ANALYSED) + 1
    whole = f"{analysed} of 80 games have been analysed for forced wins; zertz analyse searches the others."
    for filters in ("", "missed:>=3", "date:2012 or not forced:3", "date:2012 analysed:yes"):
        assert describe_coverage(judged, filters) == whole


def test_the_games_of_a_filter_are_counted(judged: Database) -> None:
    done = f"id:{','.join(row[0] for row in list_games(judged, ANALYSED, limit=3, columns=['id']).rows)}"
    (other,) = list_games(judged, "analysed:no date:2012", limit=1, columns=["id"]).rows[0]
    assert describe_coverage(judged, done) is None
    assert describe_coverage(judged, "player:nobody12") is None
    remedy = "been analysed for forced wins; zertz analyse searches the others."
    assert describe_coverage(judged, f"{done} or id:{other}") == f"3 of 4 matching games have {remedy}"
    assert describe_coverage(judged, f"id:{other}") == f"0 of 1 matching game has {remedy}"
