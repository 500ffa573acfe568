"""Every change of a folder is possible in a lake, and then both are equal, row for row."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from shutil import copytree
from typing import NamedTuple

import duckdb
import pyarrow.parquet as pq
import pytest

from tests.cluster.lakes import FEW, Lakes, contents, whole
from tests.edit.test_merge_lengths import CUT, TURNED, WHOLE
from tests.ingest.databases import written
from tests.store.folder.test_migrations import pack_records
from tests.store.of_version_6 import give_old_positions
from tests.store.of_version_7 import give_old_plies
from zertz_db import import_paths, open_database
from zertz_db.edit import marks, merge_games
from zertz_db.edit.claim_names import set_alias
from zertz_db.edit.correct_tags import correct_games
from zertz_db.edit.marks import add_mark, remove_mark
from zertz_db.edit.merge_games import merge_game, split_game
from zertz_db.ingest.records import batch
from zertz_db.maintain.analysis.analyse import analyse_games
from zertz_db.maintain.analysis.game_search import Limits
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.recheck import recheck_database
from zertz_db.maintain.undo_import import NothingToUndo, undo
from zertz_db.queries.duplicates import merged
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.marks import list_marks
from zertz_db.queries.players.player_list import list_aliases
from zertz_db.queries.user_sql import run_sql
from zertz_db.store.annotations import people_file
from zertz_db.store.backend import change_database, migrate
from zertz_db.store.errors import SchemaMismatch
from zertz_db.store.folder.build import Build
from zertz_db.store.ids import to_text
from zertz_db.store.loading import opening_nodes
from zertz_db.store.schema import meta

NOON = dt.datetime.fromisoformat("2026-05-01T12:00:00")


class Both(NamedTuple):
    """A folder and a lake with the same contents."""

    folder: Path
    lake: Path

    def are_alike(self) -> bool:
        """Return whether they are still equal, annotations included."""
        recheck_database(self.folder)  # which materialises the annotations
        return whole(self.lake) == whole(self.folder)


class Known(NamedTuple):
    """The contents of both: players with names of their own, the most frequent first, and two games that could be merged."""

    names: list[str]
    games: tuple[str, str]


@pytest.fixture
def both(in_parts: Path, lakes: Lakes, tmp_path: Path, request: pytest.FixtureRequest) -> Both:
    copytree(in_parts.parent, tmp_path, dirs_exist_ok=True)
    return Both(tmp_path / "games.zertz", lakes.copy("in_parts", request.node.name))


@pytest.fixture(scope="module")
def known(in_parts: Path) -> Known:
    names = """
        SELECT p.name FROM _player p JOIN _game ON p.name IN (player1, player2)
        WHERE kind <> 'guest' GROUP BY p.name ORDER BY count(*) DESC, p.name
    """
    with open_database(in_parts) as opened:
        connection = opened.connection()
        games = connection.execute("SELECT id, board, rule_set, plies FROM _game ORDER BY id").fetchall()
        one, other = next(pair for pair in combinations(games, 2) if pair[0][1:] == pair[1][1:])
        return Known([name for (name,) in connection.execute(names).fetchall()], (to_text(one[0]), to_text(other[0])))


@pytest.fixture(autouse=True)
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (marks, merge_games):
        monkeypatch.setattr(module, "utc_now", lambda: NOON)
    monkeypatch.setattr("zertz_db.edit.correct_tags._now", lambda: NOON)


def texts(folder: Path) -> Iterator[str]:
    """Yield every Parquet file below a folder, all of its values as one text, bytes unpacked."""
    for path in folder.rglob("*.parquet"):
        for column in pq.read_table(path).columns:
            values = (value.as_py() for value in column)
            yield repr(values).casefold()


@pytest.mark.long
def test_an_undone_import_can_be_repeated(both: Both) -> None:
    for database in both:
        undo(database, 2)
    assert both.are_alike()
    with pytest.raises(NothingToUndo, match="undone before"):
        undo(both.lake, 2)
    for database in both:
        import_paths(FEW, database)
    assert both.are_alike()


@pytest.mark.long
def test_an_import_after_an_undone_one_is_added_to_the_sums(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    undo(both.lake, 2)
    built: list[str] = []
    build = opening_nodes._build

    def noted(connection: duckdb.DuckDBPyConnection, positions: int) -> None:
        built.append(connection.execute("SELECT current_database()").fetchall()[0][0])
        build(connection, positions)

    monkeypatch.setattr(opening_nodes, "_build", noted)
    monkeypatch.setattr(opening_nodes, "_MAX_ADDITION", 1)
    # A record that represents its game from now on would change the sums.
    monkeypatch.setattr(batch, "compute_weight", lambda _: 0)
    monkeypatch.setattr(
        batch, "find_clean_records", lambda contents: [None] * len(contents)
    )  # these have their own weight
    import_paths(FEW, both.lake)
    assert built  # what follows is added to the sums, from the files: a rebuild would take longer the more there is
    assert "lake" not in built


@pytest.mark.long
def test_forced_wins_are_searched(both: Both) -> None:
    for database in both:
        assert analyse_games(database, "", Limits(3, 500), jobs=1).published
    assert both.are_alike()
    for database in both:
        undo(database, 1)
    assert both.are_alike()
    again = [analyse_games(database, "", Limits(3, 500), jobs=1).games for database in both]
    assert again[0] == again[1]  # games that another record represents now were read again
    assert analyse_games(both.lake, "", Limits(3, 500), jobs=1).games == 0


def test_a_lake_of_an_older_schema_is_migrated(both: Both) -> None:
    def make_old(build: Build) -> None:
        build.connection.execute(
            "DROP VIEW analyses; DROP VIEW tactics; DROP VIEW puzzles; DROP TABLE _analysis; DROP TABLE _tactic; DROP TABLE _puzzle"
        )
        pack_records(build.connection)
        give_old_positions(build.connection)
        give_old_plies(build.connection)
        meta.write(build.connection, {"schema_version": 3})

    change_database(both.lake, make_old)
    with pytest.raises(SchemaMismatch, match="zertz migrate"):
        open_database(both.lake)
    import_paths(FEW, both.lake)
    assert not migrate(both.lake)
    import_paths(FEW, both.folder)
    change_database(both.lake, lambda build: meta.write(build.connection, {"seen": "yes"}))
    assert analyse_games(both.lake, "", Limits(1, 500), jobs=1).published
    assert analyse_games(both.folder, "", Limits(1, 500), jobs=1).published
    with open_database(both.lake) as lake, open_database(both.folder) as folder:
        for view in ("tactics", "plies", "positions"):
            query = f"FROM {view} ORDER BY game, ply"
            assert lake.connection().execute(query).fetchall() == folder.connection().execute(query).fetchall()
        summed = dict(
            lake.connection().execute("SELECT name, value FROM meta WHERE starts_with(name, 'summed')").fetchall()
        )
        assert summed["summed_below"] == summed["summed_positions"]  # so that the next import adds to the nodes


def test_a_lake_of_schema_7_is_migrated(both: Both) -> None:
    def make_old(build: Build) -> None:
        give_old_plies(build.connection)
        meta.write(build.connection, {"schema_version": 7})

    def read_summed() -> dict[str, str]:
        with open_database(both.lake) as lake:
            return {name: value for name, value in lake.facts().items() if name.startswith("summed")}

    before = read_summed()
    change_database(both.lake, make_old)
    assert migrate(both.lake)
    assert contents(both.lake) == contents(both.folder)
    assert read_summed() == before  # the positions are unchanged, so the next import adds to the nodes


@pytest.mark.long
def test_the_first_of_two_imports_is_undone(both: Both) -> None:
    for database in both:
        undo(database, 1)
    assert both.are_alike()


@pytest.mark.long
def test_faults_are_repaired(both: Both) -> None:
    def spoil(build: Build) -> None:
        build.connection.execute("UPDATE _game SET plies = plies + 1, winner = 0 WHERE id % 3 = 0")

    for database in both:
        change_database(database, spoil)
        assert recheck_database(database)
    assert both.are_alike()
    assert recheck_database(both.lake) == []


@pytest.mark.long
def test_annotations(both: Both, known: Known) -> None:
    one, other, *_ = known.names
    game, of = known.games
    for database in both:
        set_alias(database, one, other, "accepted", "alike")
        add_mark(database, "ada", label="study", text="why?", game=game)
        long = add_mark(database, "ada", label="long", words="plies:>20")
        remove_mark(database, long.id, "ada")
        merge_game(database, game, of, "ada", "the same evening")
    assert both.are_alike()
    with open_database(both.folder) as folder, open_database(both.lake) as lake:
        for question in (list_marks, merged, list_aliases):
            assert question(folder).rows == question(lake).rows != []
    for database in both:
        split_game(database, game, "ada")
        correct_games(database, [game], {"Event": "Club night"}, "ada", "a slip")
    assert both.are_alike()
    assert examine(both.lake).is_fine


@pytest.mark.long
def test_a_record_that_ends_early_is_merged_into_the_whole_game(lakes: Lakes, tmp_path: Path) -> None:
    folder, lake = tmp_path / "games.zertz", lakes.new("ends_early")
    for database in (folder, lake):
        import_paths([written(tmp_path / "a.txt", [CUT, TURNED])], database)
        import_paths([written(tmp_path / "b.txt", [WHOLE])], database)
    before = contents(lake)
    with open_database(lake) as opened:
        games = {row["event"]: row["id"] for row in list_games(opened).dicts()}
    for cut in ("cut", "turned"):
        for database in (folder, lake):
            merge_game(database, games[cut], games["whole"], "ada")
        assert contents(lake)["game"] == contents(folder)["game"]
    assert examine(lake).is_fine
    with open_database(lake) as opened:
        assert [row["plies"] for row in list_games(opened).dicts()] == [4]
    for cut in ("cut", "turned"):
        split_game(lake, games[cut], "ada")
    assert contents(lake) == before
    assert examine(lake).is_fine


def test_sorted_clocks_are_right_after_a_purge(lakes: Lakes, tmp_path: Path) -> None:
    """DuckLake's statistics of clocks are wrong after the file of a game without any."""
    lake = lakes.new("clocks")
    clocks = ([1_500, None, 4_000], None, [71_500, None, 90_000])
    lines = [
        json.dumps({
            "tags": {"Player1": "Ada", "Player2": f"Rival {number}", "Board": "37", "Result": "0-1"},
            "moves": ["Wd4,d1", "Bd3,a1", "x d3Wd5"],
            "resigned": 1,
            **({"clocks": own} if own else {}),
        })
        for number, own in enumerate(clocks)
    ]  # fmt: skip
    import_paths([written(tmp_path / "first.jsonl", lines[:2])], lake)
    anonymise_player(lake, "Rival 1")
    import_paths([written(tmp_path / "second.jsonl", lines[2:])], lake)
    with open_database(lake) as opened:
        found = opened.connection().execute("SELECT game, ply, clock FROM _ply ORDER BY game, ply").fetchall()
        asked = run_sql(opened, "SELECT game, ply, clock FROM plies ORDER BY game, ply").rows
    for rows in (found, asked):
        assert {clock for _, _, clock in rows} == {None, 1_500, 4_000, 71_500, 90_000}


@pytest.mark.long
def test_a_redacted_name_is_nowhere_and_does_not_return(
    both: Both, known: Known, lakes: Lakes, request: pytest.FixtureRequest
) -> None:
    name = next(
        name for name in known.names if len(name) > 3
    )  # short ones are parts of words, such as in comments on columns
    catalog = request.node.name
    assert name in lakes.catalog(catalog)
    for database in both:
        anonymise_player(database, name)
    assert name.casefold() not in lakes.catalog(catalog).casefold()
    assert all(name.casefold() not in text for text in texts(lakes.folder / catalog))
    assert examine(both.lake).is_fine
    assert both.are_alike()
    change_database(
        both.lake, lambda build: (build.annotations_dir / people_file.FILE).unlink()
    )  # it restores the file
    for database in both:
        undo(database, 1)
        import_paths(FEW, database)
    assert name.casefold() not in lakes.catalog(catalog).casefold()
    assert both.are_alike()
