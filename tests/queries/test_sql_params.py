import datetime as dt
import subprocess
import sys
from pathlib import Path

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.queries.sql_params import Value, execute

CONNECTION = duckdb.connect()


@given(st.lists(st.text() | st.integers(-(2**63), 2**63 - 1) | st.dates(), min_size=1))
def test_values_arrive_as_they_are(values: list[Value]) -> None:
    row = execute(CONNECTION, f"SELECT {', '.join('?' * len(values))}", values).fetchall()[0]
    assert list(row) == values
    assert [type(value) for value in row] == [type(value) for value in values]


def test_a_string_stays_a_string() -> None:
    assert execute(CONNECTION, "SELECT ?, ?", ["'); DROP TABLE x; --", "\0'\\"]).fetchall() == [
        ("'); DROP TABLE x; --", "\0'\\")
    ]
    assert execute(CONNECTION, "SELECT 1 WHERE DATE '2010-01-01' < ?", [dt.date(2010, 1, 2)]).fetchall() == [(1,)]


def test_listing_games_imports_neither_pandas_nor_pyarrow_nor_the_console_of_rich(sample: Path) -> None:
    code = """if True:
        import sys
        sys.argv = ["zertz", "games", "--player", "ada", "--db", sys.argv[1]]
        from zertz_db.cli.main import main
        try:
            main()
        finally:
            print(sorted({"pandas", "numpy", "pyarrow", "rich.console", "sqlmodel", "sqlalchemy", "lark"} & set(sys.modules)))
    """
    shown = subprocess.run([sys.executable, "-c", code, sample], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines()[-1] == "[]"
