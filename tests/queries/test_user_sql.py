import threading
from pathlib import Path
from typing import Any

import pytest

from zertz_db.queries.errors import QueryError
from zertz_db.queries.user_sql import run_sql
from zertz_db.store.folder.database import Database


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("select count(*) from games", [(6,)]),
        ("WITH few AS (SELECT event FROM games WHERE board = '48') FROM few;", [("large",)]),
        ("select count(distinct game) from plies join games on game = id", [(6,)]),
        ("-- a question\nvalues (1)", [(1,)]),
    ],
)
def test_questions_are_answered(database: Database, text: str, rows: list[tuple[object]]) -> None:
    assert run_sql(database, text).rows == rows


def test_the_views_can_be_described(database: Database) -> None:
    assert "movetext" in [row[0] for row in run_sql(database, "describe games").rows]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "these are 0"),
        ("select 1; select 2", "these are 2"),
        ("select 1; drop table _game", "these are 2"),
        ("drop table _game", "only SELECT"),
        ("insert into _game by name select * from _game", "only SELECT"),
        ("update _game set board = '37'", "only SELECT"),
        ("create table memory.mine (a int)", "only SELECT"),
        ("attach 'other.duckdb'", "only SELECT"),
        ("set enable_external_access = true", "only SELECT"),
        ("install httpfs", "only SELECT"),
        ("copy games to 'games.csv'", "only SELECT"),
        ("explain analyze select 1", "only SELECT"),
        ("pragma enable_profiling", "only SELECT"),
        ("selec 1", "syntax error"),
        ("select boar from games", "The views and their columns:(.|\n)*  games: id, board"),
        ("select * from game", "There are: .*games.*plies"),
        ("select 1 / 'x'", "x"),
    ],
)
def test_anything_else_is_refused_in_words(database: Database, text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        run_sql(database, text)


@pytest.mark.parametrize(
    "question",
    ["read_csv('{file}')", "read_text('{file}')", "'{file}'", "glob('{file}')", "read_parquet('http://localhost/x')"],
)
def test_files_and_the_network_are_out_of_reach(database: Database, tmp_path: Path, question: str) -> None:
    file = tmp_path / "secret.csv"
    file.write_text("a\n1\n")
    with pytest.raises(QueryError):
        run_sql(database, f"select * from {question.format(file=file)}")


def test_variables_of_the_program_are_out_of_reach(database: Database) -> None:
    import pandas as pd

    secret = pd.DataFrame({"a": [1]})
    with pytest.raises(QueryError, match="secret"):
        run_sql(database, "select * from secret")
    assert len(secret) == 1


@pytest.mark.parametrize(
    ("text", "limits", "message"),
    [
        ("select count(*) from range(1000000000000) a, range(1000000) b where a.range % 7 = b.range % 3",
         {"seconds": 0.2}, "stopped after 0.2 s; select less"),
        ("select list(range) from range(100000000)", {"memory": "100MB"}, "more memory than 100MB; select less"),
        ("select * from range(300000)", {"memory": "20MB"}, "more memory than 20MB"),
        ("select repeat('a', 1000000) from range(1000)", {"memory": "20MB"}, "more memory than 20MB"),
        *((f"select 1 -- {size}", {"memory": size}, "is not a size of memory; write 500MB")
          for size in ("", "1", "GB", "-1GB", "1GB;", "0MB", "1e3GB", "80%", "9" * 99 + "GB")),
    ],
)  # fmt: skip
def test_a_query_has_limits(database: Database, text: str, limits: dict[str, Any], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        run_sql(database, text, **limits)


def test_within_the_limits_a_query_is_answered(database: Database) -> None:
    assert len(run_sql(database, "select * from range(300000)", seconds=0, memory="0.5 gb").rows) == 300_000


def test_no_timer_outlasts_its_query(database: Database) -> None:
    before = timers()  # other tests may have left threads that are about to end
    run_sql(database, "select 1", seconds=1000)
    assert timers() <= before


def timers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)}
