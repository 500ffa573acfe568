"""Generations: published in full or not at all, even if the importer dies."""

import errno
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

from tests.store.rows import add_games, rows
from zertz_db.store.errors import ImpossibleName, LockHeld, NoDatabase, SchemaMismatch, UnreadableDatabase
from zertz_db.store.folder import generations
from zertz_db.store.folder.build import next_generation
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import meta

BUILD_AND_DIE = """
import os, signal, sys
from tests.store.rows import rows
from zertz_db.store.folder.build import next_generation
from zertz_db.store.loading.bulk_load import load
with next_generation(sys.argv[1]) as build:
    load(build.connection, "game", rows("game", id=[99]))
    build.connection.execute("CHECKPOINT")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def games(folder: Path) -> list[int]:
    with open_database(folder) as database:
        return [number for (number,) in database.connection().execute("SELECT id FROM _game ORDER BY id").fetchall()]


def names(folder: Path) -> list[str]:
    return sorted(path.name.split("-")[0] for path in folder.iterdir())


def test_a_database_is_current_and_the_generation_it_names(folder: Path) -> None:
    add_games(folder, 1)
    live = generations.live_generation(folder)
    assert live
    assert live.number == 1
    assert sorted(path.name for path in folder.iterdir()) == ["CURRENT", live.path.name]
    assert games(folder) == [1]


def test_each_build_adds_rows_and_two_generations_stay(folder: Path) -> None:
    for number in range(1, 5):
        add_games(folder, number)
    assert games(folder) == [1, 2, 3, 4]
    assert names(folder) == ["CURRENT", "generation", "generation"]
    with open_database(folder) as database:
        assert database.generation.number == 4
        assert database.facts()["generation"] == "4"


def test_a_failing_build_leaves_everything_unchanged(folder: Path) -> None:
    add_games(folder, 1)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(ZeroDivisionError), next_generation(folder) as build:
        load(build.connection, "game", rows("game", id=[2]))
        _ = 1 / 0
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_failing_first_build_leaves_no_folder(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError), next_generation(folder):
        _ = 1 / 0
    assert not folder.exists()


def test_an_interrupted_build_leaves_everything_unchanged(folder: Path) -> None:
    add_games(folder, 1)
    with pytest.raises(KeyboardInterrupt), next_generation(folder):
        raise KeyboardInterrupt
    assert games(folder) == [1]
    assert names(folder) == ["CURRENT", "generation"]


@pytest.mark.parametrize(
    ("error", "stays"),
    [
        (KeyboardInterrupt(), True),
        (duckdb.Error("KeyboardInterrupt: <EMPTY MESSAGE>"), True),
        (duckdb.IOException("Corrupt database file"), False),
    ],
)
def test_work_that_can_be_resumed_stays_after_an_interrupt(folder: Path, error: BaseException, stays: bool) -> None:
    with suppress(KeyboardInterrupt, duckdb.Error), next_generation(folder, lambda _: True):
        raise error
    assert bool(generations.working_files(folder)) is stays


def test_a_discarded_build_publishes_nothing(folder: Path) -> None:
    add_games(folder, 1)
    with next_generation(folder) as build:
        load(build.connection, "game", rows("game", id=[2]))
        build.discard()
    assert games(folder) == [1]
    with open_database(folder) as database:
        assert database.generation.number == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_build_leaves_the_last_state_and_the_next_one_sweeps_up(folder: Path) -> None:
    add_games(folder, 1)
    killed = subprocess.run([sys.executable, "-c", BUILD_AND_DIE, str(folder)], check=False)
    assert killed.returncode == -9
    assert "working" in names(folder)
    assert games(folder) == [1]
    add_games(folder, 2)
    assert games(folder) == [1, 2]
    assert names(folder) == ["CURRENT", "generation", "generation"]


def test_death_between_naming_a_generation_and_publishing_it_changes_nothing(folder: Path) -> None:
    add_games(folder, 1)
    live = generations.live_generation(folder)
    assert live
    (folder / "generation-000002-abcdef.duckdb").write_bytes(b"whole, but never published")
    (folder / "CURRENT.new").write_text("generation-00")
    (folder / "working-123456.duckdb.tmp").mkdir()
    assert games(folder) == [1]
    add_games(folder, 2)
    assert games(folder) == [1, 2]
    assert names(folder) == ["CURRENT", "generation", "generation"]


def test_two_builds_at_once_are_refused(folder: Path) -> None:
    with next_generation(folder):
        with pytest.raises(LockHeld), next_generation(folder):
            pass
        assert "working" in names(folder)
    assert games(folder) == []


def test_a_lost_live_file_is_never_replaced_by_an_empty_database(folder: Path) -> None:
    add_games(folder, 1)
    live = generations.live_generation(folder)
    assert live
    live.path.unlink()
    with pytest.raises(UnreadableDatabase, match=r"is missing\. Restore it"), next_generation(folder):
        pass
    assert names(folder) == ["CURRENT"]


def test_a_database_without_current_is_refused_and_keeps_its_generations(folder: Path) -> None:
    for number in (1, 2):
        add_games(folder, number)
    (folder / "CURRENT").unlink()
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(UnreadableDatabase, match="zertz doctor --repair"):
        add_games(folder, 3)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_death_just_before_the_first_generation_is_published_loses_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def die(path: Path, target: Path) -> Path:
        if Path(target).name == "CURRENT":
            raise KeyboardInterrupt
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", die)
    monkeypatch.setattr(generations, "sweep", lambda *_: None)  # a killed process does not reach it
    with pytest.raises(KeyboardInterrupt):
        add_games(folder, 1)
    monkeypatch.undo()
    assert names(folder) == ["CURRENT.new", "generation"]
    assert games(folder) == [1]
    add_games(folder, 2)
    assert games(folder) == [1, 2]
    assert names(folder) == ["CURRENT", "generation", "generation"]


def test_death_before_the_first_generation_has_its_name_leaves_no_database(folder: Path) -> None:
    folder.mkdir()
    (folder / "CURRENT.new").write_text("generation-000001-abcdef.duckdb\n")
    with pytest.raises(NoDatabase):
        open_database(folder)
    add_games(folder, 2)
    assert games(folder) == [2]


@pytest.mark.parametrize("name", ["a?b", "a\udcffb"])
def test_a_folder_where_duckdb_can_not_write_is_rejected_and_removed(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (Path(name), tmp_path / name):
        with pytest.raises(ImpossibleName, match=r"DuckDB can't open .*: .*\. Rename the folder"):
            add_games(folder, 1)
        assert not folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
@pytest.mark.parametrize(
    "name",
    ["a#b", "a%20b", "a;b", "it's", 'a"b', " a b ", "a\nb", "-x", ":memory:", "md:x", "file:", "~", "*", "č" * 100],
)
def test_other_names_of_folders_work(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    add_games(Path(name), 1)
    assert games(Path(name)) == games(tmp_path / name) == [1]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_newer_schema_is_not_built_upon(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meta, "SCHEMA_VERSION", meta.SCHEMA_VERSION + 1)
    add_games(folder, 1)
    monkeypatch.undo()
    with pytest.raises(SchemaMismatch, match="pip install --upgrade"):
        add_games(folder, 2)
    assert names(folder) == ["CURRENT", "generation"]


def test_a_generation_is_copied_on_systems_that_can_do_less(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_: int) -> int:
        raise OSError(errno.EOPNOTSUPP, "not supported")

    add_games(folder, 1)
    monkeypatch.setattr(os, "copy_file_range", unsupported, raising=False)
    add_games(folder, 2)
    monkeypatch.delattr(os, "copy_file_range")
    add_games(folder, 3)
    assert games(folder) == [1, 2, 3]
