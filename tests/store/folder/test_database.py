"""Reading: always the live generation, or a plain message."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from tests.store.rows import add_games, rows
from zertz_db.store.errors import NoDatabase, SchemaMismatch, StoreError, UnreadableDatabase
from zertz_db.store.folder import generations
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import importers_lock
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import meta

READ_TWICE = """
import sys
from zertz_db.store.open_database import open_database
with open_database(sys.argv[1]) as database:
    for line in sys.stdin:
        print(database.connection().execute("SELECT count(*) FROM games").fetchall()[0][0], flush=True)
"""


def count(database: Database) -> int:
    return int(database.connection().execute("SELECT count(*) FROM _game").fetchall()[0][0])


def test_a_reader_in_another_process_sees_the_next_generation(folder: Path) -> None:
    add_games(folder, 1)
    command = [sys.executable, "-c", READ_TWICE, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdin
        assert reader.stdout
        for wanted in range(1, 5):
            print("how many?", file=reader.stdin, flush=True)
            assert int(reader.stdout.readline()) == wanted
            add_games(folder, wanted + 1)
        reader.stdin.close()


def test_a_reader_does_not_see_a_build_until_it_is_published(folder: Path) -> None:
    add_games(folder, 1)
    with open_database(folder) as database:
        with next_generation(folder) as build:
            load(build.connection, "game", rows("game", id=[2]))
            assert count(database) == 1
        assert count(database) == 2


def test_a_connection_stays_on_its_generation_even_when_the_file_is_gone(folder: Path) -> None:
    add_games(folder, 1)
    with open_database(folder) as database:
        connection = database.connection()
        for number in range(2, 6):
            add_games(folder, number)
        assert connection.execute("SELECT count(*) FROM _game").fetchall() == [(1,)]
        assert count(database) == 5


def test_a_new_database_under_the_same_name_is_seen(folder: Path) -> None:
    add_games(folder, 1)
    with open_database(folder) as database:
        connection = database.connection()
        shutil.rmtree(folder)
        add_games(folder, 2, 3)
        assert count(database) == 2
        assert connection.execute("SELECT count(*) FROM _game").fetchall() == [(1,)]


def test_a_reader_cannot_write(folder: Path) -> None:
    add_games(folder, 1)
    with open_database(folder) as database, pytest.raises(duckdb.Error, match="read-only"):
        database.connection().execute("DELETE FROM _game")


def missing(folder: Path) -> None:
    pass


def a_file(folder: Path) -> None:
    folder.write_text("not a folder")


def an_empty_folder(folder: Path) -> None:
    folder.mkdir()


def garbage_in_current(folder: Path) -> None:
    folder.mkdir()
    (folder / "CURRENT").write_text("../../etc/passwd\n")


def a_lost_file(folder: Path) -> None:
    folder.mkdir()
    (folder / "CURRENT").write_text("generation-000001-abcdef.duckdb\n")


def nothing_in_current(folder: Path) -> None:
    folder.mkdir()
    (folder / "CURRENT").write_text(" \n")


def bytes_in_current(folder: Path) -> None:
    folder.mkdir()
    (folder / "CURRENT").write_bytes(b"\xff\xfe\0" * 100_000)


def a_folder_as_current(folder: Path) -> None:
    (folder / "CURRENT").mkdir(parents=True)


def a_pipe_as_current(folder: Path) -> None:
    folder.mkdir()
    os.mkfifo(folder / "CURRENT")


def a_loop_as_current(folder: Path) -> None:
    folder.mkdir()
    (folder / "CURRENT").symlink_to("CURRENT")


def no_current(folder: Path) -> None:
    add_games(folder, 1)
    (folder / "CURRENT").unlink()


def current_that_leads_nowhere(folder: Path) -> None:
    no_current(folder)
    (folder / "CURRENT").symlink_to("nowhere")


def a_pipe_as_the_live_file(folder: Path) -> None:
    a_lost_file(folder)
    os.mkfifo(folder / "generation-000001-abcdef.duckdb")


def an_empty_file(folder: Path) -> None:
    a_lost_file(folder)
    (folder / "generation-000001-abcdef.duckdb").touch()


def half_a_file(folder: Path) -> None:
    add_games(folder, *range(100))
    live = generations.live_generation(folder)
    assert live
    os.truncate(live.path, live.path.stat().st_size // 2)


def a_damaged_file(folder: Path) -> None:
    a_lost_file(folder)
    (folder / "generation-000001-abcdef.duckdb").write_bytes(b"x" * 20_000)


def a_file_without_our_tables(folder: Path) -> None:
    a_lost_file(folder)
    duckdb.connect(folder / "generation-000001-abcdef.duckdb").close()


def test_a_first_import_that_is_running_is_named(folder: Path) -> None:
    with importers_lock(folder), pytest.raises(NoDatabase, match=f"process {os.getpid()} on .* is making it"):
        open_database(folder)


def a_stopped_first_import(folder: Path) -> None:
    folder.mkdir()
    duckdb.connect(folder / "working-abcdef.duckdb").close()


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (missing, NoDatabase, "There is no database .* zertz import"),
        (a_file, NoDatabase, "is a file, or is below one; a database is a folder"),
        (an_empty_folder, NoDatabase, "has no database"),
        (
            a_stopped_first_import,
            NoDatabase,
            "first import was stopped. working-abcdef.duckdb has .* zertz import FILES",
        ),
        (garbage_in_current, UnreadableDatabase, "should name a generation"),
        (nothing_in_current, UnreadableDatabase, "should name a generation, but is empty"),
        (bytes_in_current, UnreadableDatabase, "should name a generation, but has"),
        (a_folder_as_current, UnreadableDatabase, "CURRENT can't be read: it is not a regular file"),
        (a_pipe_as_current, UnreadableDatabase, "CURRENT can't be read: it is not a regular file"),
        (a_loop_as_current, UnreadableDatabase, "CURRENT can't be read: "),
        (no_current, UnreadableDatabase, "CURRENT, which names the live file, is missing.*zertz doctor --repair"),
        (current_that_leads_nowhere, UnreadableDatabase, "is missing.*zertz doctor --repair"),
        (
            a_pipe_as_the_live_file,
            UnreadableDatabase,
            "can't be opened. The file or its log is not a regular file.*zertz doctor --repair",
        ),
        (an_empty_file, UnreadableDatabase, "can't be opened. .*zertz doctor --repair"),
        (half_a_file, UnreadableDatabase, "can't be opened. DuckDB reports.*zertz doctor --repair"),
        (a_lost_file, UnreadableDatabase, "is missing. Restore it"),
        (a_damaged_file, UnreadableDatabase, "can't be opened. DuckDB reports"),
        (a_file_without_our_tables, UnreadableDatabase, "not one of zertz-db"),
    ],
)
def test_an_unusable_database_is_named_with_a_remedy(
    folder: Path, make: Callable[[Path], None], error: type[StoreError], words: str
) -> None:
    make(folder)
    for ask in (open_database, *([add_games] if error is UnreadableDatabase else [])):
        with pytest.raises(error, match=f"(?s){words}"):
            ask(folder)


@pytest.mark.parametrize(("version", "words"), [(99, "newer zertz-db .* pip install --upgrade"), (0, "older zertz-db")])
def test_another_schema_is_rejected_with_a_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch, version: int, words: str
) -> None:
    monkeypatch.setattr(meta, "SCHEMA_VERSION", version)
    add_games(folder, 1)
    monkeypatch.undo()
    with pytest.raises(SchemaMismatch, match=words):
        open_database(folder)


def test_current_may_be_a_link(folder: Path) -> None:
    add_games(folder, 1)
    (folder / "CURRENT").rename(folder / "elsewhere")
    (folder / "CURRENT").symlink_to("elsewhere")
    with open_database(folder) as database:
        assert count(database) == 1


def test_the_live_file_is_named(folder: Path) -> None:
    add_games(folder, 1)
    with open_database(folder) as database:
        assert database.generation == generations.live_generation(folder)


def test_reading_needs_no_orm_and_no_pandas() -> None:
    code = (
        "import sys, zertz_db.store.folder.database, zertz_db.store.loading.opening_nodes; print(*sorted(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "duckdb" in loaded
    assert {"sqlmodel", "sqlalchemy", "pandas", "pyarrow"}.isdisjoint(loaded)
