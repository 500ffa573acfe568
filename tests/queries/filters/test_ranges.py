import calendar
import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ranges import days


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2010", "2010-01-01", "2010-12-31"),
        ("2012.02", "2012-02-01", "2012-02-29"),
        ("2011-2", "2011-02-01", "2011-02-28"),
        (" 2010.05.01 ", "2010-05-01", "2010-05-01"),
    ],
)
def test_a_year_a_month_or_a_day(text: str, first: str, last: str) -> None:
    assert [str(day) for day in days(text)] == [first, last]


@given(st.dates())
def test_every_day_is_in_its_month_and_its_year(day: dt.date) -> None:
    year, month = f"{day.year:04}", f"{day.year:04}.{day.month}"
    assert days(day.isoformat()) == (day, day)
    assert days(month) == (day.replace(day=1), day.replace(day=calendar.monthrange(day.year, day.month)[1]))
    assert days(year)[0] <= days(month)[0] <= day <= days(month)[1] <= days(year)[1]


@pytest.mark.parametrize("text", ["", "May", "2010.13", "2010.02.30", "10.05.2010", "0000", "2010.05.01.1"])
def test_anything_else_is_refused_by_name(text: str) -> None:
    with pytest.raises(QueryError, match="date"):
        days(text)
