"""CSV for people: no text is a formula to a spreadsheet, and numbers stay numbers."""

import csv
import io
from decimal import Decimal

import pytest

from zertz_db.queries.csv_text import write_csv


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ('=HYPERLINK("http://example.org")', '\'=HYPERLINK("http://example.org")'),
        ("+1+cmd", "'+1+cmd"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("\uff1d1", "'\uff1d1"),
        ("=\n1", "'=\n1"),
        ("Ada\r=1", "Ada\r=1"),
        ("Ada\n=1", "Ada\n=1"),
        ("Ada", "Ada"),
        ("a=b", "a=b"),
        ("'=1", "'=1"),
        ("", ""),
        ("-", "-"),
        (-5, "-5"),
        (-0.25, "-0.25"),
        (Decimal("-5.5"), "-5.5"),
        ("-5", "'-5"),
        ("+1", "'+1"),
        ("-5-5", "'-5-5"),
        (None, ""),
        (True, "True"),
    ],
)
def test_a_cell(value: object, written: str) -> None:
    file = io.StringIO(newline="")
    write_csv(file, ["=name", "x"], [(value, "x")])
    file.seek(0)
    assert list(csv.reader(file)) == [["'=name", "x"], [written, "x"]]
