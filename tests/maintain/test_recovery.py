"""Recovery: the newest undamaged generation is found and adopted, and no file is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from tests.ingest.databases import contents, copied
from zertz_db.maintain import recovery
from zertz_db.maintain.recovery import inspect_generation, plan_recovery, recover_database
from zertz_db.store.errors import LockHeld, NoDatabase, NotInLakes, SchemaMismatch, UnreadableDatabase
from zertz_db.store.folder import generations
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.lock import importers_lock
from zertz_db.store.schema import meta

BLOCK = 262_144
"""Bytes of DuckDB's blocks, which follow its headers."""
HEADERS = 3 * 4096


@pytest.fixture
def db(imported_archives: Path, tmp_path: Path) -> Path:
    """A database of two imports, and so of two generations."""
    return copied(imported_archives, tmp_path)


def first(db: Path) -> Path:
    return generations.list_generations(db)[0].path


def last(db: Path) -> Path:
    return generations.list_generations(db)[-1].path


def flip(file: Path, *places: int) -> None:
    data = bytearray(file.read_bytes())
    for place in places:
        data[place] ^= 1
    file.write_bytes(data)


def lose_current(db: Path) -> None:
    (db / "CURRENT").unlink()


def blank_current(db: Path) -> None:
    (db / "CURRENT").write_text("\n")


def a_folder_as_current(db: Path) -> None:
    lose_current(db)
    (db / "CURRENT").mkdir()
    (db / "CURRENT" / "note").write_text("a user's")


def lose_last(db: Path) -> None:
    last(db).unlink()


def cut_last(db: Path) -> None:
    os.truncate(last(db), HEADERS + BLOCK)


def flip_all_blocks(db: Path) -> None:
    flip(last(db), *range(HEADERS + 5000, last(db).stat().st_size, BLOCK))


def lose_current_and_cut_last(db: Path) -> None:
    lose_current(db)
    cut_last(db)


def lose_current_and_have_a_position_of_no_game(db: Path) -> None:
    lose_current(db)
    with duckdb.connect(last(db)) as connection:
        connection.execute("INSERT INTO _position SELECT * REPLACE (7 AS game) FROM _position LIMIT 1")


def cut_last_with_another_behind_it(db: Path) -> None:
    cut_last(db)
    (db / "generation-000003-abcdef.duckdb").write_text("whole, but never published")


@pytest.mark.parametrize(
    ("damage", "adopted", "set_aside"),
    [
        (lose_current, 2, []),
        pytest.param(blank_current, 2, [], marks=pytest.mark.long),
        (a_folder_as_current, 2, ["CURRENT"]),
        pytest.param(lose_last, 1, [], marks=pytest.mark.long),
        (cut_last, 1, ["2"]),
        pytest.param(flip_all_blocks, 1, ["2"], marks=pytest.mark.long),
        (lose_current_and_cut_last, 1, ["2"]),
        pytest.param(lose_current_and_have_a_position_of_no_game, 1, ["2"], marks=pytest.mark.long),
        (cut_last_with_another_behind_it, 1, ["2", "3"]),
    ],
)
def test_the_newest_whole_generation_is_adopted_and_no_file_is_lost(
    db: Path, damage: Callable[[Path], None], adopted: int, set_aside: list[str]
) -> None:
    damage(db)
    before = sorted(path.read_bytes() for path in db.rglob("*") if path.is_file() and path.name != "CURRENT")
    planned = plan_recovery(db)
    done = recover_database(db)
    assert planned
    assert done
    found, renamed = done
    assert found == planned
    assert found.target
    assert found.target.is_whole
    assert found.target.generation == generations.live_generation(db) == (adopted, found.target.generation.path)
    assert sorted(map(_what, renamed)) == set_aside
    assert sorted(path.read_bytes() for path in db.rglob("*") if path.is_file() and path.name != "CURRENT") == before
    assert plan_recovery(db) is None
    contents(db)
    for _ in range(2):
        with next_generation(db):
            pass
    assert all(path.exists() for path in renamed)


def _what(path: Path) -> str:
    """CURRENT, or a generation's number, out of the new name of a file that was set aside."""
    _, _, _, name, *rest = path.name.split("-")
    return rest[0].lstrip("0") if rest else name


@pytest.mark.parametrize(("live", "inspected"), [(2, [2, 1]), (None, [3, 2, 1])])
def test_each_generation_that_was_published_is_inspected_once(
    live: int | None, inspected: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2, 3):
        (tmp_path / f"generation-{number:06}-abcdef.duckdb").touch()
    states = {one.number: recovery.GenerationState(one, ("damaged",)) for one in generations.list_generations(tmp_path)}
    monkeypatch.setattr(recovery, "inspect_generation", lambda generation: states[generation.number])
    plan = recovery._build_plan(tmp_path, "why", states[live] if live else None)
    assert plan.target is None
    assert [state.generation.number for state in plan.rejected] == inspected


def test_losses_are_named_as_far_as_they_can_be_read(db: Path) -> None:
    with duckdb.connect(last(db)) as connection:
        connection.execute("INSERT INTO _position SELECT * REPLACE (7 AS game) FROM _position LIMIT 1")
    lose_current(db)
    found = plan_recovery(db)
    assert found
    assert found.lost_imports == [2]
    assert [state.faults for state in found.rejected] == [("a position has no game",)]
    assert found.target
    assert (found.target.imports, found.target.games) == ((1,), inspect_generation(found.target.generation).games)


@pytest.mark.parametrize("share", [0, *(pytest.param(share, marks=pytest.mark.long) for share in (0.2, 0.4, 0.6)), 0.8])
def test_a_flipped_bit_is_noticed_wherever_something_is_stored(db: Path, share: float) -> None:
    file, before = last(db), contents(db)
    blocks = (file.stat().st_size - HEADERS) // BLOCK
    flip(file, HEADERS + int(blocks * share) * BLOCK + 9000)
    found = plan_recovery(db)
    if found is None:
        assert contents(db) == before
    else:
        assert found.target
        assert found.target.generation.number == 1


def test_an_undamaged_database_is_not_changed(db: Path) -> None:
    before = {path: path.read_bytes() for path in db.iterdir()}
    assert plan_recovery(db) is None
    assert recover_database(db) is None
    assert {path: path.read_bytes() for path in db.iterdir()} == before


def test_without_an_undamaged_generation_nothing_is_changed(db: Path) -> None:
    for generation in generations.list_generations(db):
        os.truncate(generation.path, HEADERS)
    before = {path: path.read_bytes() for path in db.iterdir()}
    with pytest.raises(
        UnreadableDatabase, match=r"No state in .* is undamaged, so nothing was changed\. Restore a backup"
    ):
        recover_database(db)
    assert {path: path.read_bytes() for path in db.iterdir()} == before


def test_it_waits_its_turn(db: Path) -> None:
    lose_current(db)
    with importers_lock(db), pytest.raises(LockHeld):
        recover_database(db)


def test_a_file_that_another_program_writes_to_is_not_damaged(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def held(*_: object, **__: object) -> None:
        raise duckdb.IOException("Could not set lock on file")

    monkeypatch.setattr(duckdb, "connect", held)
    with pytest.raises(UnreadableDatabase, match="another program"):
        recover_database(db)


def test_a_newer_schema_is_not_damage(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lose_current(db)
    monkeypatch.setattr(meta, "SCHEMA_VERSION", meta.SCHEMA_VERSION - 1)
    with pytest.raises(SchemaMismatch, match="pip install --upgrade"):
        recover_database(db)


def test_an_older_schema_is_adopted(db: Path) -> None:
    lose_current(db)
    with duckdb.connect(last(db)) as connection:
        connection.execute("UPDATE _meta SET value = '1' WHERE name = 'schema_version'")
    done = recover_database(db)
    assert done
    assert generations.live_generation(db) == generations.list_generations(db)[1]


def test_there_must_be_a_database_in_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase):
        recover_database(tmp_path / "none")
    with pytest.raises(NotInLakes):
        recover_database("ducklake:catalog")
