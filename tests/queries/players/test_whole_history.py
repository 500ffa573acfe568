"""Whole-history ratings, by an optional package: who was strong when."""

from __future__ import annotations

import datetime as dt
import sys
from math import sqrt

import pytest

from zertz_db.queries.errors import QueryError
from zertz_db.queries.players.whole_history import (
    NoHistoryPackage,
    WholeHistory,
    list_years,
    rate_at,
    rate_whole_history,
)
from zertz_db.store.folder.database import Database
from zertz_db.store.ratings.model import NEWCOMER, DatedGame

ADA, BEN, CLEO = 1, 2, 3


def day(year: int, number: int) -> dt.date:
    return dt.date(year, 1, 1) + dt.timedelta(days=number)


def play(winner: int, year: int, count: int = 20) -> list[DatedGame]:
    """Games of Ada and Ben, a day each."""
    return [DatedGame(number, day(year, number), (ADA, BEN), winner) for number in range(count)]


@pytest.fixture(scope="module")
def career() -> WholeHistory:
    """Ada wins in 2010, and Ben in 2014; Cleo has one tie."""
    pytest.importorskip("whr")
    return WholeHistory([*play(1, 2010), *play(2, 2014), DatedGame(99, day(2014, 30), (CLEO, BEN), 0)])


def test_later_games_change_what_is_known_of_earlier_years(career: WholeHistory) -> None:
    early, late = career.rate(ADA, day(2010, 19)), career.rate(ADA, day(2014, 19))
    assert early.strength > 1550 > 1450 > late.strength
    alone = WholeHistory(play(1, 2010)).rate(ADA, day(2010, 19))
    assert early.strength < alone.strength
    two = WholeHistory([*play(1, 2010), *play(2, 2014)])
    for date in (day(2010, 0), day(2012, 0), day(2014, 19)):
        assert two.rate(ADA, date).strength - 1500 == pytest.approx(1500 - two.rate(BEN, date).strength, abs=0.1)


def test_between_games_the_rating_goes_straight_and_is_less_certain(career: WholeHistory) -> None:
    before, after = career.rate(ADA, day(2010, 19)), career.rate(ADA, day(2014, 0))
    span = (day(2014, 0) - day(2010, 19)).days
    middle = career.rate(ADA, day(2010, 19 + span // 2))
    assert middle.strength == pytest.approx((before.strength + after.strength) / 2, abs=1)
    assert middle.deviation > max(before.deviation, after.deviation)


def test_outside_the_games_the_rating_stays_and_its_deviation_grows(career: WholeHistory) -> None:
    last = career.rate(ADA, day(2014, 19))
    later = career.rate(ADA, day(2014, 119))
    assert later.strength == last.strength
    assert later.deviation == pytest.approx(sqrt(last.deviation**2 + 100 * career.variance))
    assert career.rate(ADA, day(2100, 0)).deviation == NEWCOMER.deviation
    assert career.rate(ADA, day(2000, 0)).strength == career.rate(ADA, day(2010, 0)).strength
    assert career.rate(77, day(2010, 0)) == NEWCOMER


@pytest.fixture
def folder(of_club: object) -> object:
    pytest.importorskip("whr")
    return of_club


def test_lists_and_years_agree(database: Database) -> None:
    found = rate_whole_history(database).dicts()
    assert [row["kind"] for row in found] == ["human", "human", "human", "bot"]
    assert [row["at_least"] for row in found[:3]] == sorted((row["at_least"] for row in found[:3]), reverse=True)
    for row in found:
        years = list_years(database, row["name"]).dicts()
        assert sum(one["games"] for one in years) == row["games"]
        assert (years[-1]["rating"], years[-1]["deviation"]) == (row["rating"], row["deviation"])
        [one] = rate_at(database, row["name"], row["last_date"]).dicts()
        assert (one["name"], one["rating"]) == (row["name"], row["rating"])


def test_a_day_before_all_games_has_no_players(database: Database) -> None:
    assert rate_whole_history(database, at=dt.date(1999, 1, 1)).rows == []
    everybody = {row["name"] for row in rate_whole_history(database, at=dt.date(2030, 1, 1)).dicts()}
    assert everybody == {row["name"] for row in rate_whole_history(database).dicts()}
    with pytest.raises(QueryError, match="are not rated"):
        rate_whole_history(database, kind="guest")
    with pytest.raises(QueryError, match="guest has no rated game"):
        list_years(database, "guest")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "whr", None)
    with pytest.raises(NoHistoryPackage, match=r"pip install '\.\[history\]'"):
        WholeHistory([])
