"""Players derive from names of games: upper and lower case aside, and by aliases."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.rows import rows
from zertz_db.store.annotations import materialise, people_file
from zertz_db.store.annotations.people_file import NameAlias
from zertz_db.store.annotations.player_rows import kind_of, standing_for
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.schema import ddl


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        ddl.create(connection)
        yield connection


def claim(name: str, player: str, verdict: str = "accepted") -> NameAlias:
    return NameAlias(name, player, verdict, f"{name} wears the hat of {player}", dt.date(2026, 5, 1))


def add_games(connection: duckdb.DuckDBPyConnection, folder: Path, *names: tuple[str | None, str | None]) -> None:
    begin = connection.execute("SELECT count(*) FROM _game").fetchall()[0][0]
    ids = list(range(begin, begin + len(names)))
    load(connection, "game", rows("game", id=ids, player1=[a for a, _ in names], player2=[b for _, b in names]))
    materialise.materialise_annotations(connection, folder)


def known(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, str | None]]:
    """Return the player shown for each name, and the evidence."""
    query = "SELECT a.name, p.name, a.evidence FROM _alias a JOIN _player p ON p.id = a.player ORDER BY ALL"
    return {name: (shown, evidence) for name, shown, evidence in connection.execute(query).fetchall()}


def test_names_that_differ_in_case_are_one_player_shown_as_most_games_have_it(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    add_games(connection, tmp_path, ("Ada", "bo"), ("ADA", "bo"), ("Ada", None))
    assert known(connection) == {
        "ADA": ("Ada", "the same letters as Ada"),
        "Ada": ("Ada", None),
        "bo": ("bo", None),
    }


def test_later_names_join_the_existing_player_once(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    add_games(connection, tmp_path, ("Ada", "bo"))
    players = connection.execute("SELECT id FROM _player ORDER BY id").fetchall()
    add_games(connection, tmp_path, ("ada", "bo"), ("ada", "bo"))
    add_games(connection, tmp_path, ("ada", "bo"))
    assert {name: shown for name, (shown, _) in known(connection).items()} == {"Ada": "ada", "ada": "ada", "bo": "bo"}
    assert connection.execute("SELECT id FROM _player ORDER BY id").fetchall() == players


def test_aliased_names_are_one_player(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    people_file.append_aliases(tmp_path, [claim("Adah", "ada"), claim("Cy", "ada", "rejected")])
    add_games(connection, tmp_path, ("Ada", "ADAH"), ("adah", "Cy"), ("adah", "Cy"))
    hat = "Adah wears the hat of ada"
    assert known(connection) == {
        "ADAH": ("Ada", hat),
        "Ada": ("Ada", None),
        "Cy": ("Cy", None),
        "adah": ("Ada", hat),
    }
    people_file.append_aliases(tmp_path, [claim("ada", "ADAH", "undone")])
    materialise.materialise_annotations(connection, tmp_path)
    assert known(connection)["ADAH"] == ("adah", "the same letters as adah")


def test_a_name_that_no_game_has_can_represent_a_player(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    people_file.append_aliases(tmp_path, [claim("ada1", "Ada Lovelace"), claim("ada2", "Ada Lovelace")])
    add_games(connection, tmp_path, ("ada1", "bo"), ("ada2", "bo"), ("ada2", "bo"))
    assert {name: shown for name, (shown, _) in known(connection).items()} == {
        "ada1": "ada2",
        "ada2": "ada2",
        "bo": "bo",
    }


@pytest.mark.parametrize(
    ("claims", "heads"),
    [
        ([("a", "b")], {"a": "b"}),
        ([("A", "b"), ("B", "c")], {"a": "c", "b": "c"}),
        ([("b", "c"), ("a", "b")], {"a": "c", "b": "c"}),
        ([("a", "b"), ("b", "a")], {"a": "b"}),
        ([("a", "b"), ("a", "c")], {"a": "c", "b": "c"}),
        ([("a", "a")], {}),
        ([("guest", "a"), ("a", "guest7")], {}),
    ],
)
def test_representing_names(claims: list[tuple[str, str]], heads: dict[str, str]) -> None:
    assert standing_for(claim(*one) for one in claims) == heads


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg"))))
def test_names_are_one_player_if_aliases_connect_them(claims: list[tuple[str, str]]) -> None:
    heads = standing_for(claim(*one) for one in claims)
    groups = [{name} for name in "abcdefg"]
    for pair in claims:
        joined = [group for group in groups if group & {*pair}]
        groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    assert all(len({heads.get(name, name) for name in group}) == 1 for group in groups)
    assert len({heads.get(name, name) for name in "abcdefg"}) == len(groups)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ada", "human"),
        ("greedybot", "bot"),
        ("guest", "guest"),
        ("guest12", "guest"),
        ("anonymous", "guest"),
        ("gast77", "guest"),
        ("gaston", "human"),
        ("bote", "human"),
    ],
)
def test_kinds_follow_from_names(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_names_that_look_alike_are_one_player_shown_tidily(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    add_games(connection, tmp_path, ("Rene\u0301 ", "bo"), ("René", "bo"), ("Rene\u0301 ", "bo"))
    assert known(connection) == {
        "Rene\u0301 ": ("René", "the same letters as René"),
        "René": ("René", None),
        "bo": ("bo", None),
    }
    forms = connection.execute("SELECT DISTINCT folded FROM _alias ORDER BY 1").fetchall()
    assert forms == [("bo",), ("rené",)]


def test_aliases_include_every_spelling(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    people_file.append_aliases(tmp_path, [claim("Rene\u0301", "Ada ")])
    add_games(connection, tmp_path, ("René", "ada"))
    assert {shown for shown, _ in known(connection).values()} == {"ada"}
