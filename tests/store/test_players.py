"""Names of games become players, upper and lower case aside."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from tests.store.rows import rows
from zertz_db.store import schema
from zertz_db.store.loading import load
from zertz_db.store.players import kind_of, refresh_players


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        schema.create(connection)
        yield connection


def add_games(connection: duckdb.DuckDBPyConnection, *names: tuple[str | None, str | None]) -> None:
    begin = connection.execute("SELECT count(*) FROM _game").fetchall()[0][0]
    ids = list(range(begin, begin + len(names)))
    load(connection, "game", rows("game", id=ids, player1=[a for a, _ in names], player2=[b for _, b in names]))
    refresh_players(connection)


def known(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, str | None]]:
    """For each name the player it is shown as, and the evidence."""
    query = "SELECT a.name, p.name, a.evidence FROM _alias a JOIN _player p ON p.id = a.player ORDER BY ALL"
    return {name: (shown, evidence) for name, shown, evidence in connection.execute(query).fetchall()}


def test_names_that_differ_in_case_are_one_player_shown_as_most_games_have_it(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    add_games(connection, ("Ada", "bo"), ("ADA", "bo"), ("Ada", None))
    assert known(connection) == {
        "ADA": ("Ada", "the same letters as Ada"),
        "Ada": ("Ada", None),
        "bo": ("bo", None),
    }


def test_later_names_join_the_player_there_is_and_nothing_comes_twice(connection: duckdb.DuckDBPyConnection) -> None:
    add_games(connection, ("Ada", "bo"))
    add_games(connection, ("ada", "Cy"), ("ada", "Cy"))
    add_games(connection, ("ada", "Cy"))
    assert {name: shown for name, (shown, _) in known(connection).items()} == {
        "Ada": "Ada",
        "ada": "Ada",
        "Cy": "Cy",
        "bo": "bo",
    }
    assert connection.execute("SELECT count(*) FROM _player").fetchall() == [(3,)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ada", "human"),
        ("greedybot", "bot"),
        ("guest", "guest"),
        ("guest12", "guest"),
        ("anonymous", "guest"),
        ("bote", "human"),
    ],
)
def test_kinds_follow_from_names(name: str, kind: str) -> None:
    assert kind_of(name) == kind
