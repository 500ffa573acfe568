"""Small changes of a large database: a log next to the live file, with the promises of whole generations."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from tests.store.contents import contents
from tests.store.rows import add_games, rows
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.integrity_checks import find_problems
from zertz_db.maintain.recovery import plan_recovery, recover_database
from zertz_db.maintain.undo_import import undo
from zertz_db.parser.gipf.writer import write
from zertz_db.play.generate import generate_games
from zertz_db.store.errors import DiskFull, UnreadableDatabase
from zertz_db.store.folder import build, generations, tails
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.generations import Generation
from zertz_db.store.loading import compaction, opening_nodes
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.open_database import open_database


class Stopped(BaseException):
    """An interruption."""


@pytest.fixture(autouse=True)
def _tails_of_small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tails, "MIN_FILE", 0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of two generations: game 1, and game 2 as a tail."""
    folder = tmp_path_factory.mktemp("made") / "games.zertz"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tails, "MIN_FILE", 0)
        add_games(folder, 1)
        add_games(folder, 2)
    return folder


@pytest.fixture
def folder(folder: Path, made: Path) -> Path:
    """Return a copy of it, with a file of its own for each name."""
    return Path(shutil.copytree(made, folder))


def live_of(folder: Path) -> Generation:
    live = generations.live_generation(folder)
    assert live
    return live


def games(folder: Path) -> list[int]:
    with open_database(folder) as database:
        return [number for (number,) in database.connection().execute("SELECT id FROM _game ORDER BY id").fetchall()]


def names(folder: Path) -> list[str]:
    return sorted(f"{path.name.split('-')[0]}{path.suffix}" for path in folder.iterdir())


WITH_TAILS = ["CURRENT", "generation.duckdb", "generation.duckdb", "generation.wal", "spare.duckdb", "spare.wal"]


def test_a_tail_is_a_log_next_to_a_further_name_of_the_file(made: Path) -> None:
    folder = made
    assert names(folder) == WITH_TAILS
    first, second = generations.list_generations(folder)
    assert second == live_of(folder)
    assert second.path.samefile(first.path)
    assert (first.has_tail, second.has_tail, second.number) == (False, True, 2)
    assert games(folder) == [1, 2]
    with open_database(folder) as database:
        assert database.facts()["generation"] == "2"
        assert database.size() == second.path.stat().st_size + second.log.stat().st_size


def test_each_reader_stays_in_its_state(folder: Path) -> None:
    with open_database(folder) as database:
        old = database.connection()
        add_games(folder, 3)
        add_games(folder, 4)
        assert [connection.execute("SELECT count(*) FROM _game").fetchall() for connection in (old, database.connection())] == [
            [(2,)], [(4,)]
        ]  # fmt: skip


def test_the_next_change_copies_no_file_and_two_generations_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    copy = generations.copy
    monkeypatch.setattr(generations, "copy", lambda old, new: (copied.append(old.suffix), copy(old, new)))
    before = live_of(folder).path.read_bytes()
    for number in (3, 4, 5):
        add_games(folder, number)
    assert {*copied} == {".wal"}
    assert names(folder) == sorted([*WITH_TAILS, "generation.wal"])
    assert live_of(folder).path.read_bytes() == before
    assert games(folder) == [1, 2, 3, 4, 5]


def test_a_long_log_is_written_to_the_tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tails, "MAX_LOG", live_of(folder).log.stat().st_size + 10)
    add_games(folder, *range(3, 20))
    assert not live_of(folder).has_tail
    assert games(folder) == [*range(1, 20)]
    assert names(folder) == ["CURRENT", "generation.duckdb", "generation.duckdb", "generation.wal"]


def test_a_large_whole_generation_leaves_a_spare(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then a small change copies nothing but logs; without space for a spare it copies the file."""
    monkeypatch.setattr(tails, "MIN_SPARED", 0)
    monkeypatch.setattr(tails, "MAX_LOG", 0)
    add_games(folder, 3)
    assert names(folder) == ["CURRENT", "generation.duckdb", "generation.duckdb", "generation.wal", "spare.duckdb"]
    monkeypatch.setattr(tails, "MAX_LOG", 1 << 21)
    copied: list[str] = []
    copy = generations.copy
    monkeypatch.setattr(generations, "copy", lambda old, new: (copied.append(old.suffix), copy(old, new)))
    add_games(folder, 4)
    assert (live_of(folder).has_tail, {*copied}) == (True, {".wal"})
    assert games(folder) == [1, 2, 3, 4]


@pytest.mark.parametrize("failure", [Stopped, OSError, KeyboardInterrupt])
def test_a_spare_that_could_not_be_copied_is_not_missed(
    folder: Path, failure: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(live: Generation, new: Path) -> None:
        new.write_bytes(live.path.read_bytes()[:100])
        raise failure

    with monkeypatch.context() as patch:
        patch.setattr(tails, "MIN_SPARED", 0)
        patch.setattr(tails, "MAX_LOG", 0)
        patch.setattr(generations, "copy_unwritten", fail)
        try:
            add_games(folder, 3)
        except Stopped:
            assert failure is Stopped
    assert games(folder) == [1, 2, 3]
    add_games(folder, 4)
    assert games(folder) == [1, 2, 3, 4]
    assert names(folder) == sorted([*WITH_TAILS])


def test_a_small_database_has_no_tail(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tails, "MIN_FILE", 1 << 30)
    add_games(folder, 3)
    assert not live_of(folder).has_tail
    assert games(folder) == [1, 2, 3]


def test_many_rows_that_duckdb_writes_to_the_file_at_once_are_no_tail(folder: Path) -> None:
    with next_generation(folder) as build:
        build.connection.execute("INSERT INTO _tag SELECT 1, 'Event', 'x' FROM range(300000)")
    assert not live_of(folder).has_tail
    with open_database(folder) as database:
        assert database.connection().execute("SELECT count(*) FROM _tag").fetchall() == [(300_000,)]


STEPS: list[tuple[object, str]] = [
    (generations, "begin_working_file"),
    (build, "_begin"),
    (opening_nodes, "refresh"),
    (tails, "publish"),
    (generations, "flush"),
    (os, "link"),
    (generations, "publish_link"),
    (generations, "_point"),
]


@pytest.mark.parametrize(("module", "step"), STEPS)
def test_a_change_that_stops_leaves_the_last_state(
    folder: Path, module: object, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise Stopped

    with monkeypatch.context() as patch, pytest.raises(Stopped):
        patch.setattr(module, step, stop)
        add_games(folder, 3)
    assert games(folder) == [1, 2]
    add_games(folder, 4)
    assert games(folder) == [1, 2, 4]
    assert live_of(folder).has_tail
    assert len(generations.list_generations(folder)) == 2


def test_death_at_the_end_leaves_the_new_state(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a process that dies after publishing leaves is swept: no spare, and the working file with its log."""

    def die(*_: object, **__: object) -> None:
        raise Stopped

    with monkeypatch.context() as patch, pytest.raises(Stopped):
        patch.setattr(generations, "sweep", lambda *_: None)
        patch.setattr(Generation, "spare", property(die))
        patch.setattr(generations, "begin_working_file", lambda folder, live: copied(folder, live))
        add_games(folder, 3)
    assert games(folder) == [1, 2, 3]
    add_games(folder, 4)
    assert games(folder) == [1, 2, 3, 4]
    assert "working.duckdb" not in names(folder)


def copied(folder: Path, live: Generation) -> Path:
    working = generations.working_file(folder)
    live.copy_to(working)
    times = live.path.stat()
    os.utime(working, ns=(times.st_atime_ns, times.st_mtime_ns))
    return working


def test_a_full_disk_leaves_the_last_state(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch, pytest.raises(DiskFull):
        patch.setattr(generations, "flush", full)
        add_games(folder, 3)
    assert games(folder) == [1, 2]
    add_games(folder, 3)
    assert games(folder) == [1, 2, 3]


def test_without_links_the_whole_file_is_published(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    add_games(folder, 3)
    assert not live_of(folder).has_tail
    assert games(folder) == [1, 2, 3]
    assert not live_of(folder).log.exists()


def test_a_spare_that_differs_from_the_live_file_is_not_used(folder: Path) -> None:
    spare = live_of(folder).spare
    with duckdb.connect(str(spare)) as connection:
        connection.execute("DELETE FROM _game")
    add_games(folder, 3)
    assert games(folder) == [1, 2, 3]


def test_a_log_that_another_program_has_written_to_the_tables_is_not_missed(folder: Path) -> None:
    duckdb.connect(str(live_of(folder).path)).close()
    assert not live_of(folder).log.exists()
    with open_database(folder) as database:
        assert database.size() == live_of(folder).path.stat().st_size
    add_games(folder, 3)
    assert games(folder) == [1, 2, 3]


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of two imports of one game; the second is a tail."""
    room = tmp_path_factory.mktemp("imported")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tails, "MIN_FILE", 0)
        patch.setattr(compaction, "MAX_UNSORTED", 1)  # a game more is half of them
        for number, record in enumerate(generate_games(2, seed=1)):
            (room / f"{number}.txt").write_text(write(record), "utf-8")
            import_paths([room / f"{number}.txt"], room / "db")
    return room / "db"


def test_imports_have_the_rows_that_they_have_without_tails(
    imported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tails, "MIN_FILE", 1 << 30)
    for number in range(2):
        import_paths([imported.parent / f"{number}.txt"], tmp_path / "db")
    assert live_of(imported).has_tail
    assert contents(imported) == contents(tmp_path / "db")


def cut(live: Generation) -> None:
    live.log.write_bytes(live.log.read_bytes()[:-200])


def lose(live: Generation) -> None:
    live.log.unlink()


def damage(live: Generation) -> None:
    with live.path.open("r+b") as file:
        file.seek(generations._HEADER)
        file.write(b"\xff" * (live.path.stat().st_size - generations._HEADER))


@pytest.mark.parametrize(
    ("harm", "words"), [(cut, "missing or incomplete"), (lose, "missing or incomplete"), (damage, "checksum")]
)
def test_harm_is_noticed_and_the_spare_adopted(
    imported: Path, tmp_path: Path, harm: Callable[[Generation], None], words: str
) -> None:
    folder = Path(shutil.copytree(imported, tmp_path / "db"))
    before = games(folder)
    harm(live_of(folder))
    with pytest.raises(UnreadableDatabase, match=rf"{words}.*zertz doctor --repair"):
        open_database(folder)
    recovered = recover_database(folder)
    assert recovered
    assert len(recovered[1]) == 1
    assert games(folder) == before
    assert plan_recovery(folder) is None
    add_games(folder, 4)
    assert games(folder) == sorted([*before, 4])


def test_a_whole_spare_is_adopted(imported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(shutil.copytree(imported, tmp_path / "db"))
    monkeypatch.setattr(tails, "MIN_SPARED", 0)
    monkeypatch.setattr(tails, "MAX_LOG", 0)
    undo(folder, 2)
    assert (live_of(folder).has_tail, live_of(folder).spare.exists()) == (False, True)
    damage(live_of(folder))
    recover_database(folder)
    assert not live_of(folder).has_tail
    assert len(games(folder)) == 1
    assert find_problems_of(folder) == []


def test_without_a_spare_the_state_before_is_adopted(imported: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(imported, tmp_path / "db"))
    live_of(folder).spare.unlink()
    cut(live_of(folder))
    recover_database(folder)
    assert live_of(folder).number == 1
    assert len(games(folder)) == 1


def test_an_undone_tail_leaves_the_rows_of_before(imported: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(imported, tmp_path / "db"))
    undo(folder, 2)
    assert len(games(folder)) == 1
    assert find_problems_of(folder) == []


def find_problems_of(folder: Path) -> list[object]:
    with open_database(folder) as database:
        return [*find_problems(database.connection())]


def test_a_copy_has_the_tail(folder: Path, tmp_path: Path) -> None:
    with open_database(folder) as database:
        database.copy_to(tmp_path / "plain.duckdb")
    assert not (tmp_path / "plain.duckdb.wal").exists()
    with duckdb.connect(str(tmp_path / "plain.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT id FROM _game ORDER BY id").fetchall() == [(1,), (2,)]


def test_all_kinds_of_changes_have_the_same_rows_with_tails_and_without(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.zertz"
    monkeypatch.setattr(tails, "MIN_FILE", 1 << 30)
    add_games(other, 1, 2)
    change(other)
    monkeypatch.setattr(tails, "MIN_FILE", 0)
    change(folder)
    assert live_of(folder).has_tail
    assert contents(folder) == contents(other)


def change(folder: Path) -> None:
    add_games(folder, *range(10, 40))
    with next_generation(folder) as build:
        build.connection.execute("DELETE FROM _game WHERE id IN (2, 11, 12)")
        load(build.connection, "tag", rows("tag", record=[1, 2], name=["Event", "Round"]))
        opening_nodes.forget(build.connection)
    with next_generation(folder) as build:
        build.connection.execute("UPDATE _game SET player1 = 'ada', date_from = '2020-01-01' WHERE id > 20")
        build.connection.execute("DELETE FROM _tag WHERE name = 'Round'")
    add_games(folder, 11, 50)
