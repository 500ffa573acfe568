"""Searches within results, held against the single searches; texts of searches; parts of long lists."""

from __future__ import annotations

import pytest

from zertz_db.queries.errors import QueryError
from zertz_db.queries.search.matches import Found
from zertz_db.queries.search.refinement import MAX_SEARCHES, Search, find_within, parse_search
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

AFTER_TWO = Position.start("37").play("Wd4,d1").play("Bd3,a1")
SEARCHES = [
    str(Search(AFTER_TWO.text, "symmetry")),
    str(Search(AFTER_TWO.text, "exact", ("pool", "captures", "side"))),
    str(Search(AFTER_TWO.text, "reachable")),
    "pattern W B",
    "pattern G rings<36",
    "pattern rings<30",
]


def games_of(found: Found) -> set[str]:
    return {hit["id"] for hit in found.hits.dicts()}


@pytest.mark.parametrize("last", SEARCHES)
@pytest.mark.parametrize("filters", ["", "board:37"])
def test_the_games_are_those_of_all_searches(database: Database, last: str, filters: str) -> None:
    alone = find_within(database, [last], filters, limit=None)
    for before in SEARCHES:
        found = find_within(database, [before, last], filters, limit=None)
        wanted = games_of(alone) & games_of(find_within(database, [before], filters, limit=None))
        assert games_of(found) == wanted
        assert found.games == len(wanted)
        assert {tuple(row) for row in found.hits.rows} <= {tuple(row) for row in alone.hits.rows}


def test_several_searches_in_any_order(database: Database) -> None:
    found = [games_of(find_within(database, [*before, SEARCHES[5]])) for before in (SEARCHES[:4], SEARCHES[3::-1])]
    assert found[0] == found[1]


@pytest.mark.parametrize("search", ["pattern rings>0", SEARCHES[2]])
@pytest.mark.parametrize("every", [False, True])
def test_parts_make_the_whole_list(database: Database, search: str, every: bool) -> None:
    whole = find_within(database, [search], every=every, limit=None)
    parts = [
        find_within(database, [search], every=every, limit=7, offset=offset)
        for offset in range(0, len(whole.hits.rows) + 7, 7)
    ]
    assert [row for part in parts for row in part.hits.rows] == whole.hits.rows
    assert {part.games for part in parts} == {whole.games}


@pytest.mark.parametrize(
    "search",
    [Search("W o / B", "pattern"), Search(AFTER_TWO.text, "shape", ("side",)), Search(AFTER_TWO.text, "reachable")],
)
def test_a_search_is_written_and_read(search: Search) -> None:
    assert parse_search(str(search)) == search


@pytest.mark.parametrize(
    ("searches", "message"),
    [
        ([], "give 1 to"),
        (["pattern W"] * (MAX_SEARCHES + 1), "give 1 to"),
        (["W o / B"], "a search begins with"),
        (["exact.rings 37"], "can't be required to be equal"),
        (["pattern x"], "unexpected 'x'"),
        (["pattern"], "the pattern is empty"),
        (["exact W B"], "a pattern is not found by 'exact'"),
        ([f"pattern {AFTER_TWO.text}"], "a position is not found by 'pattern'"),
        (["pattern W", "exact 37 nonsense"], "position"),
    ],
)
def test_an_invalid_search_is_refused(database: Database, searches: list[str], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        find_within(database, searches)
