"""Files of an older schema, made up: a version 0 whose sources have a `name` instead of a `path`, and no `size`."""

from __future__ import annotations

import threading
import zlib
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pytest

from tests.ingest.databases import contents, copied
from tests.store.of_version_6 import give_old_positions, split_counts
from tests.store.of_version_7 import give_old_plies
from tests.store.rows import rows
from tests.store.scratch import empty_tables
from zertz_db.maintain.doctor import examine
from zertz_db.store.backend import migrate
from zertz_db.store.errors import NoDatabase, SchemaMismatch
from zertz_db.store.folder import generations, migrations
from zertz_db.store.folder.build import next_generation
from zertz_db.store.loading import game_courses, older_plies
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import meta
from zertz_db.store.schema.position_columns import SHAPE_MASK, pack_counts


def step(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("ALTER TABLE _source RENAME COLUMN name TO path")
    connection.execute("ALTER TABLE _source ADD COLUMN size BIGINT")
    connection.execute("UPDATE _source SET size = 5")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    folder = tmp_path / "old.zertz"
    with next_generation(folder) as build:
        load(build.connection, "source", rows("source", id=[1, 2], path=["a.txt", "b.txt"], size=[9, 9]))
        load(build.connection, "game", rows("game", id=[3]))
    with duckdb.connect(live(folder)) as connection:
        connection.execute("DROP VIEW sources; DROP VIEW sightings")
        connection.execute("ALTER TABLE _source DROP COLUMN size; ALTER TABLE _source RENAME COLUMN path TO name")
        meta.write(connection, {"schema_version": 0})
    return folder


def live(folder: Path) -> Path:
    generation = generations.live_generation(folder)
    assert generation
    return generation.path


def version(folder: Path) -> str:
    with duckdb.connect(live(folder), read_only=True) as connection:
        return meta.read(connection)["schema_version"]


def assert_is_todays(folder: Path, sources: list[tuple[object, ...]]) -> None:
    with open_database(folder) as database:
        connection = database.connection()
        assert connection.execute("SELECT path, size FROM sources ORDER BY path").fetchall() == sources
        assert connection.execute("SELECT count(*) FROM games").fetchall() == [(1,)]
        connection.execute("FROM sightings")
        types = "SELECT column_name, data_type, is_nullable FROM duckdb_columns() WHERE table_name = '_source' ORDER BY column_index"
        found = connection.execute(types).fetchall()
    with next_generation(folder.parent / "fresh") as build:
        assert build.connection.execute(types).fetchall() == found


def test_an_older_file_is_migrated(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(migrations.STEPS, 0, step)
    assert migrate(old)
    assert_is_todays(old, [("a.txt", 5), ("b.txt", 5)])
    assert not migrate(old)


def test_any_change_migrates_it(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(migrations.STEPS, 0, step)
    with next_generation(old) as build:
        load(build.connection, "source", rows("source", id=[4], path=["c.txt"], size=[7]))
    assert_is_todays(old, [("a.txt", 5), ("b.txt", 5), ("c.txt", 7)])


def test_what_is_of_today_stays_as_it_is(tmp_path: Path) -> None:
    with next_generation(tmp_path / "db"):
        pass
    with duckdb.connect(live(tmp_path / "db")) as connection:
        before = meta.read(connection)
        migrations.bring_up_to_date(connection, live(tmp_path / "db"))
        assert meta.read(connection) == before


def test_steps_follow_each_other(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []

    def noted(number: int) -> migrations.Step:
        def make(connection: duckdb.DuckDBPyConnection) -> None:
            done.append(number)
            if number == 0:
                step(connection)

        return make

    steps = range(meta.SCHEMA_VERSION + 1)
    for number in steps:
        monkeypatch.setitem(migrations.STEPS, number, noted(number))
    monkeypatch.setattr(meta, "SCHEMA_VERSION", len(steps))
    assert migrate(old)
    assert done == [*steps]
    assert version(old) == str(len(steps))


def test_readers_reject_it_with_a_remedy(old: Path) -> None:
    with pytest.raises(SchemaMismatch, match=r"older .*schema 0.* zertz migrate --db .*old\.zertz"):
        open_database(old)


@pytest.mark.parametrize(("written", "words"), [(-1, "too old .* new folder"), (99, "newer .* pip install --upgrade")])
def test_a_version_without_steps_is_rejected(
    old: Path, written: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(migrations.STEPS, 0, step)
    with duckdb.connect(live(old)) as connection:
        meta.write(connection, {"schema_version": written})
    before = live(old)
    with pytest.raises(SchemaMismatch, match=words):
        migrate(old)
    assert (live(old), version(old)) == (before, str(written))


def test_a_failing_step_leaves_it_unchanged(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(connection: duckdb.DuckDBPyConnection) -> None:
        step(connection)
        raise ZeroDivisionError

    monkeypatch.setitem(migrations.STEPS, 0, failing)
    before = live(old).read_bytes()
    with pytest.raises(ZeroDivisionError):
        migrate(old)
    assert live(old).read_bytes() == before
    assert not list(old.glob("working*"))


def test_open_readers_continue(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(migrations.STEPS, 0, step)
    with duckdb.connect(live(old), read_only=True) as reader:
        thread = threading.Thread(target=migrate, args=[old])
        thread.start()
        thread.join()
        assert reader.execute("SELECT count(*) FROM _source").fetchall() == [(2,)]
    assert version(old) == str(meta.SCHEMA_VERSION)


def test_no_database_is_made(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase):
        migrate(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_names_get_their_normal_form() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE _alias (name VARCHAR)")
        connection.execute("INSERT INTO _alias VALUES ('Ada '), ('RENÉ')")
        migrations.fold_names(connection)
        assert connection.execute("FROM _alias ORDER BY ALL").fetchall() == [("Ada ", "ada"), ("RENÉ", "rené")]


def test_version_2_knew_files_by_their_bytes_alone(tmp_path: Path) -> None:
    """Imports counted the records of copies, which no table had; now they count existing records."""
    from tests.ingest.test_import_paths import game
    from zertz_db.ingest.import_paths import import_paths
    from zertz_db.maintain.doctor import examine

    folder, (one, two) = tmp_path / "old.zertz", (tmp_path / "one.txt", tmp_path / "two.txt")
    one.write_text(game())
    import_paths([one], folder)
    with open_database(folder) as database:
        [(source, content)] = database.connection().execute("SELECT id, content FROM _source").fetchall()
    with duckdb.connect(live(folder)) as connection:
        connection.execute(
            "DROP VIEW sources; DROP VIEW imports; DROP VIEW sightings; DROP VIEW revisits; DROP TABLE _revisit"
        )
        connection.execute("UPDATE _record SET source = ?", [content])
        connection.execute("UPDATE _source SET id = content; UPDATE _import SET records = 2, duplicate = 1")
        for table, column in (("source", "content"), ("source", "place"), ("import", "withdrawn")):
            connection.execute(f"ALTER TABLE _{table} DROP COLUMN {column}")
        meta.write(connection, {"schema_version": 2})
    assert migrate(folder)
    with open_database(folder) as database:
        query = "SELECT s.id, s.content, s.place IS NOT NULL, r.path FROM _source s JOIN sightings r USING (path)"
        assert database.connection().execute(query).fetchall() == [(source, content, True, str(one))]
    assert examine(folder).is_fine
    assert import_paths([one], folder).run is None
    two.write_text(game())
    assert import_paths([one, two], folder).run == 2
    assert examine(folder).is_fine


def test_version_2_gets_a_time_of_day(tmp_path: Path) -> None:
    folder = tmp_path / "old.zertz"
    with next_generation(folder) as build:
        load(build.connection, "game", rows("game", id=[3]))
    with duckdb.connect(live(folder)) as connection:
        connection.execute("DROP VIEW games")
        connection.execute("ALTER TABLE _game DROP COLUMN time")
        meta.write(connection, {"schema_version": 2})
    with pytest.raises(SchemaMismatch, match="zertz migrate"):
        open_database(folder)
    assert migrate(folder)
    with open_database(folder) as database:
        assert database.connection().execute("SELECT time FROM games").fetchall() == [(None,)]
    assert version(folder) == str(meta.SCHEMA_VERSION)


@pytest.fixture
def of_version_3(tmp_path: Path) -> Path:
    folder = tmp_path / "old.zertz"
    with next_generation(folder) as build:
        load(build.connection, "game", rows("game", id=[3]))
    with duckdb.connect(live(folder)) as connection:
        connection.execute(
            "DROP VIEW analyses; DROP VIEW tactics; DROP VIEW puzzles; DROP TABLE _analysis; DROP TABLE _tactic; DROP TABLE _puzzle"
        )
        meta.write(connection, {"schema_version": 3})
    return folder


def test_version_3_gets_tables_for_forced_wins(of_version_3: Path) -> None:
    assert migrate(of_version_3)
    assert version(of_version_3) == str(meta.SCHEMA_VERSION)
    with open_database(of_version_3) as database:
        assert database.connection().execute("FROM tactics").fetchall() == []
        assert database.connection().execute("SELECT count(*) FROM games").fetchall() == [(1,)]
    assert not migrate(of_version_3)


@pytest.fixture
def of_version_5(imported_archives: Path, tmp_path: Path) -> Path:
    """Return a database of games without the columns that sum up their course, and with records that zlib packed."""
    folder = copied(imported_archives, tmp_path)
    with duckdb.connect(live(folder)) as connection:
        give_old_plies(connection)
        connection.execute("DROP VIEW games")
        for name in game_courses.COLUMNS:
            connection.execute(f"ALTER TABLE _game DROP COLUMN {name}")
        pack_records(connection)
        split_counts(connection)
        meta.write(connection, {"schema_version": 5})
    return folder


def pack_records(connection: duckdb.DuckDBPyConnection) -> None:
    connection.create_function("pack_record", lambda data: zlib.compress(data), ["BLOB"], "BLOB")
    connection.execute("UPDATE _record SET bytes = pack_record(bytes) WHERE bytes IS NOT NULL")


def read_courses(folder: Path) -> list[tuple[object, ...]]:
    with open_database(folder) as database:
        query = f"SELECT id, {', '.join(game_courses.COLUMNS)} FROM _game ORDER BY id"
        return database.connection().execute(query).fetchall()


def test_version_5_is_migrated(imported_archives: Path, of_version_5: Path) -> None:
    with pytest.raises(SchemaMismatch, match="zertz migrate"):
        open_database(of_version_5)
    assert migrate(of_version_5)
    assert version(of_version_5) == str(meta.SCHEMA_VERSION)
    assert read_courses(of_version_5) == read_courses(imported_archives)
    assert examine(of_version_5).is_fine


def test_damaged_records_of_version_6_stay_as_they_are() -> None:
    packed = zlib.compress(b"1. Wd4,a1")
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE _record (bytes BLOB)")
        connection.execute("INSERT INTO _record VALUES (?), (?), (NULL)", [packed, packed[:-1]])
        migrations.unpack_records(connection)
        assert connection.execute("FROM _record").fetchall() == [(b"1. Wd4,a1",), (packed[:-1],), (None,)]


def test_version_6_had_a_set_of_marbles_for_each_colour(tmp_path: Path) -> None:
    """A ring of each content, also among the rings from 63 on."""
    folder, rings = tmp_path / "old.zertz", 0b1111
    low = {
        "rings": [rings, rings << 59],
        "white_or_black": [0b1010, 0b1010 << 59],
        "grey_or_black": [0b1100, 0b1100 << 59],
    }
    high = {f"{name}_high": [None, Decimal(sets[0] << 61)] for name, sets in low.items()}
    with next_generation(folder) as build:
        counts = [pack_counts(range(9)), pack_counts([127, *[16] * 8])]
        positions = rows("position", key=[1, 2], board=["37", "custom"], ply=[0, 1], counts=counts, **low, **high)
        load(build.connection, "position", positions)
        expected = build.connection.execute("FROM positions ORDER BY key").fetchall()
        types = build.connection.execute("DESCRIBE _position").fetchall()
    with duckdb.connect(live(folder)) as connection:
        give_old_positions(connection)
        split = connection.execute(
            "SELECT white, grey, black, white_high, grey_high, black_high FROM _position WHERE key = 2"
        )
        bits = [0b10, 0b100, 0b1000]
        assert split.fetchall() == [(*(bit << 59 for bit in bits), *(bit << 61 for bit in bits))]
        meta.write(connection, {"schema_version": 6})
    assert migrate(folder)
    with open_database(folder) as database:
        assert database.connection().execute("FROM positions ORDER BY key").fetchall() == expected
        assert database.connection().execute("DESCRIBE _position").fetchall() == types


@pytest.mark.parametrize("shape", [0, 1, -1, 2**31 - 1, 2**31, -(2**31) - 1, 2**62 + 3, -(2**63), 2**63 - 1])
def test_shapes_of_version_6_are_shortened_as_those_of_today(shape: int) -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE _position (shape BIGINT NOT NULL)")
        connection.execute("INSERT INTO _position VALUES (?)", [shape])
        migrations.shorten_shapes(connection)
        [(stored,)] = connection.execute("FROM _position").fetchall()
    assert stored == shape & SHAPE_MASK == np.array([shape])[0] & SHAPE_MASK


@pytest.mark.parametrize("at_once", [100, 1_000_000])
def test_version_7_had_a_table_of_plies(
    imported_archives: Path, tmp_path: Path, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(older_plies, "_AT_ONCE", at_once)
    folder = copied(imported_archives, tmp_path)
    with duckdb.connect(live(folder)) as connection:
        give_old_plies(connection)
        assert connection.execute("SELECT count(*), count(clock) FROM _ply").fetchall()[0] > (100, 10)
        meta.write(connection, {"schema_version": 7})
    assert migrate(folder)
    assert version(folder) == str(meta.SCHEMA_VERSION)
    assert contents(folder) == contents(imported_archives)
    assert examine(folder).is_fine


def test_some_clocks_and_no_plies_of_version_7_are_kept() -> None:
    clocks = {1: [None, 5, None], 2: [None], 3: [], 4: [None, None, None], 5: [7]}
    with empty_tables() as connection:
        texts = [" ".join(["Wa1"] * len(own)) for own in clocks.values()]
        plies = [len(own) for own in clocks.values()]
        load(connection, "game", rows("game", id=[*clocks], plies=plies, movetext=texts))
        give_old_plies(connection)
        connection.execute("DELETE FROM _ply")
        for game, own in clocks.items():
            for ply, clock in enumerate(own):
                row = (game, ply, ply % 2 + 1, "placement", "Wa1", clock, False, False, False)
                connection.execute("INSERT INTO _ply VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        before = connection.execute("FROM _ply ORDER BY game, ply").fetchall()
        older_plies.join_to_games(connection)
        assert connection.execute("FROM _ply ORDER BY game, ply").fetchall() == before
        stored = connection.execute("SELECT id, ply_clocks FROM _game ORDER BY id").fetchall()
    assert stored == [(1, [None, 5, None]), (2, None), (3, None), (4, None), (5, [7])]
