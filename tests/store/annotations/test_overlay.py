"""Annotations count at once, and are materialised in the next generation."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from tests.store.rows import rows
from zertz_db.queries.user_sql import run_sql
from zertz_db.rules.canonical import canonicalise
from zertz_db.rules.position import Position
from zertz_db.store.annotations import corrections, marks, overlay, people_file
from zertz_db.store.annotations.marks import Mark
from zertz_db.store.annotations.people_file import NameAlias
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import meta

NOW = dt.datetime(2026, 5, 1, 12, 30)  # noqa: DTZ001 (the database stores UTC without a zone)
CLAIM = NameAlias("bo's", "Ada", "accepted", "it's known", NOW.date())
START = Position.start("37")
MARK = Mark("study", "it's good", "Ada", NOW, to_text(2), 0, START.text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with next_generation(tmp_path) as build:
        load(build.connection, "game", rows("game", id=[1, 2], player1=["Ada", "bo's"], player2=["Cy", "Cy"]))
    return tmp_path


def derived(database: Database) -> list[object]:
    """Return everything that derives from the files, as queries and the user's own SQL show it."""
    queries = ("FROM players ORDER BY name", "FROM aliases ORDER BY name", "FROM marks ORDER BY label")
    found = [database.connection().execute(query).fetchall() for query in queries]
    assert [run_sql(database, query).rows for query in queries] == found
    return list(found)


def annotate_all(folder: Path) -> None:
    people_file.append_aliases(folder, [CLAIM])
    marks.add(folder, MARK)
    marks.add(folder, MARK._replace(game=to_text(3)))  # of a missing game
    marks.add(folder, Mark("mine", "", "Ada", NOW, filter="player:ada"))


def test_open_readers_see_annotations_at_once(folder: Path) -> None:
    with open_database(folder) as database:
        names = database.connection().execute("SELECT name FROM players ORDER BY name").fetchall()
        assert names == [("Ada",), ("Cy",), ("bo's",)]
        annotate_all(folder)
        players, aliases, marked = derived(database)
        assert [name for _, name, _ in players] == ["Ada", "Cy"]  # type: ignore[attr-defined]
        assert [row[3] for row in aliases] == [None, None, "it's known"]  # type: ignore[attr-defined]
        assert marked == [(to_text(2), canonicalise(START).key, "study", "it's good", "Ada", NOW)]


def test_materialised_annotations_are_equal(folder: Path) -> None:
    with open_database(folder) as database:
        annotate_all(folder)
        before = derived(database)
        with next_generation(folder):
            pass
        assert derived(database) == before
        assert database.overlay("x") == []
        assert meta.read(database.connection())[overlay.FACT] == overlay.state(folder)


def test_removed_annotations_are_gone_though_they_were_materialised(folder: Path) -> None:
    with open_database(folder) as database:
        before = derived(database)
        annotate_all(folder)
        with next_generation(folder):
            pass
        people_file.append_aliases(folder, [CLAIM._replace(verdict="undone")])
        for mark in marks.read(folder):
            marks.remove(folder, mark, "Ada", NOW)
        assert derived(database) == before


def test_a_damaged_line_hides_no_other_mark(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / marks.FILE).write_text("nonsense\n", "utf-8")
    annotate_all(folder)
    marks.add(folder, MARK._replace(label="odd", position="no position"))
    with open_database(folder) as database:
        assert [row[2] for row in derived(database)[2]] == ["study"]  # type: ignore[attr-defined]
    assert [fault.partition(" ")[0] for fault in overlay.faults(folder)] == [f"{folder / marks.FILE}:1"]
    assert "is on 'no position', which is not a position" in caplog.text


@pytest.mark.parametrize("file", [corrections.FILE, marks.FILE, people_file.FILE])
def test_nothing_is_built_while_a_file_is_unreadable(folder: Path, file: str) -> None:
    (folder / file).mkdir(parents=True)
    with pytest.raises(UnreadableDatabase, match=r"can't be read"), next_generation(folder):
        pytest.fail("a build must not begin that can't be published")


def test_while_redacted_names_are_unreadable_names_stay_and_nothing_is_built(folder: Path) -> None:
    annotate_all(folder)
    with next_generation(folder):
        pass
    with open_database(folder) as database:
        before = derived(database)
        (folder / people_file.FILE).write_text("[[withheld]", "utf-8")
        marks.add(folder, MARK._replace(label="later"))
        assert derived(database)[:2] == before[:2]
        assert [row[2] for row in derived(database)[2]] == ["later", "study"]  # type: ignore[attr-defined]
        generation = database.generation
        with pytest.raises(UnreadableDatabase, match="redacted names would return"), next_generation(folder):
            pytest.fail("a build must not begin that can't be published")
        (folder / people_file.FILE).unlink()
        assert database.connection().execute("SELECT count(*) FROM players").fetchall() == [(3,)]
        assert database.generation == generation
