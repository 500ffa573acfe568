"""Whatever can be changed in a folder can be changed in a lake, and then both hold the same, row for row."""

from __future__ import annotations

import datetime as dt
import zlib
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from shutil import copytree

import duckdb
import pyarrow.parquet as pq
import pytest

from tests.cluster.lakes import FEW, Lakes, contents, words
from zertz_db import import_paths, open_database
from zertz_db.ingest import marking, uniting
from zertz_db.ingest.anonymising import anonymise
from zertz_db.ingest.claiming import claim
from zertz_db.ingest.correcting import correct
from zertz_db.ingest.doctor import examine
from zertz_db.ingest.marking import mark, take_back
from zertz_db.ingest.rechecking import recheck
from zertz_db.ingest.undoing import NothingToUndo, undo
from zertz_db.ingest.uniting import part, unite
from zertz_db.queries.duplicates import merged
from zertz_db.queries.marks import marks
from zertz_db.queries.players import claims
from zertz_db.store import nodes
from zertz_db.store.building import Build
from zertz_db.store.changing import changed
from zertz_db.store.ids import to_text

NOON = dt.datetime.fromisoformat("2026-05-01T12:00:00")


@pytest.fixture
def both(in_parts: Path, lakes: Lakes, tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Path, Path]:
    """A folder and a lake that hold the same."""
    folder = tmp_path / "games.zertz"
    copytree(in_parts.parent, tmp_path, dirs_exist_ok=True)
    return folder, lakes.copy("in_parts", "".join(filter(str.isalnum, request.node.name.lower())))


@pytest.fixture(autouse=True)
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (marking, uniting):
        monkeypatch.setattr(module, "_now", lambda: NOON)
    monkeypatch.setattr("zertz_db.ingest.correcting._now", lambda: NOON)


def names(database: Path) -> list[str]:
    """The players whose names are their own, the most frequent first."""
    query = """
        SELECT p.name FROM _player p JOIN _game ON p.name IN (player1, player2)
        WHERE kind <> 'guest' GROUP BY p.name ORDER BY count(*) DESC, p.name
    """
    with open_database(database) as opened:
        return [name for (name,) in opened.connection().execute(query).fetchall()]


def texts(folder: Path) -> Iterator[str]:
    """Every Parquet file below a folder, all of its values as one text, bytes unpacked."""
    for path in folder.rglob("*.parquet"):
        for column in pq.read_table(path).columns:
            values = (value.as_py() for value in column)
            yield repr([zlib.decompress(one) if isinstance(one, bytes) else one for one in values]).casefold()


def alike(database: Path) -> tuple[str, str]:
    """Two games that could be one."""
    query = "SELECT id, board, rule_set, plies FROM _game ORDER BY id"
    with open_database(database) as opened:
        games = opened.connection().execute(query).fetchall()
    one, other = next(pair for pair in combinations(games, 2) if pair[0][1:] == pair[1][1:])
    return to_text(one[0]), to_text(other[0])


def undo_an_import(database: Path) -> None:
    undo(database, 1)


def import_again_what_was_undone(database: Path) -> None:
    undo(database, 2)
    import_paths(FEW, database)


def recheck_what_is_wrong(database: Path) -> None:
    def spoil(build: Build) -> None:
        build.connection.execute("UPDATE _game SET plies = plies + 1, winner = 0 WHERE id % 3 = 0")

    changed(database, spoil)
    assert recheck(database)


def recheck_what_is_right(database: Path) -> None:
    assert recheck(database) == []


def say_that_names_are_one_players(database: Path) -> None:
    one, other, *_ = names(database)
    claim(database, one, other, "accepted", "alike")


def mark_a_game(database: Path) -> None:
    game, _ = alike(database)
    gone = mark(database, "ada", label="gone", game=game)
    mark(database, "ada", label="study", text="why?", game=game)
    mark(database, "ada", label="long", words="plies:>20")
    take_back(database, gone.id, "ada")


def unite_two_games(database: Path) -> None:
    unite(database, *alike(database), "ada", "the same evening")


def part_them_again(database: Path) -> None:
    game, of = alike(database)
    unite(database, game, of, "ada")
    part(database, game, "ada")


def correct_a_game(database: Path) -> None:
    correct(database, [alike(database)[0]], {"Event": "Club night"}, "ada", "a slip")


def withdraw_a_name(database: Path) -> None:
    anonymise(database, names(database)[0])


def import_again_with_a_name_that_is_withdrawn(database: Path) -> None:
    withdraw_a_name(database)
    undo(database, 1)
    import_paths(FEW, database)


CHANGES = (
    undo_an_import,
    import_again_what_was_undone,
    recheck_what_is_wrong,
    recheck_what_is_right,
    say_that_names_are_one_players,
    mark_a_game,
    unite_two_games,
    part_them_again,
    correct_a_game,
    withdraw_a_name,
    import_again_with_a_name_that_is_withdrawn,
)


@pytest.mark.parametrize("change", CHANGES, ids=[change.__name__ for change in CHANGES])
def test_a_change_is_the_same_as_in_a_folder(change: Callable[[Path], None], both: tuple[Path, Path]) -> None:
    folder, lake = both
    for database in both:
        change(database)
    recheck(folder)  # which folds in what has been said
    assert contents(lake) == contents(folder)
    assert words(lake) == words(folder)


def test_what_people_say_is_asked_of_a_lake_too(both: tuple[Path, Path]) -> None:
    for database in both:
        for change in (mark_a_game, unite_two_games, say_that_names_are_one_players):
            change(database)
    with open_database(both[0]) as folder, open_database(both[1]) as lake:
        for question in (marks, merged, claims):
            assert question(folder).rows == question(lake).rows != []
    assert examine(both[1]).is_fine


def test_a_name_that_is_withdrawn_is_in_no_file_and_no_catalog(lakes: Lakes, in_parts: Path) -> None:
    there = lakes.copy("in_parts", "withdrawn")
    name = names(in_parts)[0]
    assert name in lakes.catalog("withdrawn")
    import_paths(FEW[:1], there)
    anonymise(there, name)
    assert name.casefold() not in lakes.catalog("withdrawn").casefold()
    assert all(name.casefold() not in text for text in texts(lakes.folder / "withdrawn"))
    assert examine(there).is_fine


@pytest.mark.usefixtures("in_parts")
def test_what_follows_an_undo_is_added_to_the_sums(lakes: Lakes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not summed up anew, which would take the longer the more there is."""
    there = lakes.copy("in_parts", "added")
    undo(there, 2)
    built: list[str] = []
    build = nodes._build

    def noted(connection: duckdb.DuckDBPyConnection, positions: int) -> None:
        built.append(connection.execute("SELECT current_database()").fetchall()[0][0])
        build(connection, positions)

    monkeypatch.setattr(nodes, "_build", noted)
    monkeypatch.setattr(nodes, "_LARGEST_ADDITION", 1)
    import_paths(FEW, there)
    assert built  # of what the files hold
    assert "lake" not in built
    assert examine(there).is_fine


def test_what_was_undone_cannot_be_undone_again(both: tuple[Path, Path]) -> None:
    undo(both[1], 1)
    with pytest.raises(NothingToUndo, match="undone before"):
        undo(both[1], 1)
