"""Damage that DuckDB overlooks when it reads all tables, or crashes on."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import duckdb
import pytest

from tests.ingest.databases import copied
from zertz_db.maintain import damage
from zertz_db.maintain.damage import BlockDamage
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.recovery import inspect_generation, plan_recovery
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.folder.block_checksums import BLOCK, HEADERS
from zertz_db.store.folder.database import require_live
from zertz_db.store.folder.free_blocks import find_free_blocks


@pytest.fixture
def db(imported_archives: Path, tmp_path: Path) -> Path:
    return copied(imported_archives, tmp_path)


def flip_bit(file: Path, block: int) -> None:
    data = bytearray(file.read_bytes())
    data[HEADERS + block * BLOCK + BLOCK // 2] ^= 1
    file.write_bytes(data)


def find_block_of_index(file: Path) -> int:
    """Return the number of a block that is used, but by no table and no metadata."""
    with duckdb.connect(str(file), read_only=True) as connection:
        used = {block for (block,) in connection.execute("SELECT block_id FROM pragma_metadata_info()").fetchall()}
        for (table,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            rows = connection.execute(f"SELECT block_id, additional_block_ids FROM pragma_storage_info('{table}')")
            for block, others in rows.fetchall():
                used |= {block, *(others or ())}
    return min({*range((file.stat().st_size - HEADERS) // BLOCK)} - used - (find_free_blocks(file) or set()))


def test_damage_of_an_index_is_found(db: Path) -> None:
    file = require_live(db).path
    flip_bit(file, find_block_of_index(file))
    with pytest.raises(UnreadableDatabase, match=r"is damaged: a block of the file is damaged\.$"):
        examine(db)
    plan = plan_recovery(db)
    assert plan
    assert plan.cause == "a block of the file is damaged"
    assert plan.target


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_a_file_on_which_duckdb_crashes_is_not_opened_here(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = require_live(db)
    flip_bit(live.path, 0)
    monkeypatch.setattr(damage, "__name__", "tests.maintain.test_damage")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    message = "a block of the file is damaged, and DuckDB can't read the file"
    with pytest.raises(UnreadableDatabase, match=message):
        examine(db)
    assert inspect_generation(live).damage == (message,)


def read_whole() -> None:
    """Crash as DuckDB may."""
    os.kill(os.getpid(), signal.SIGSEGV)


def free_a_block(file: Path) -> int:
    """Return the number of a block that is free now."""
    with duckdb.connect(str(file)) as connection:
        for statement in ("CREATE TABLE gone AS FROM range(300_000)", "CREATE TABLE stays AS FROM range(300_000)"):
            connection.execute(f"{statement}; CHECKPOINT")
        connection.execute("DROP TABLE gone; CHECKPOINT")
    return min(find_free_blocks(file) or ())


def test_blocks_that_duckdb_does_not_use_may_be_damaged(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = require_live(db)
    flip_bit(live.path, free_a_block(live.path))
    assert damage.find_block_damage(live) is None
    flip_bit(live.path, find_block_of_index(live.path))
    assert damage.find_block_damage(live) == BlockDamage("a block of the file is damaged", is_readable=True)
    monkeypatch.setattr(damage, "find_free_blocks", lambda _: None)  # any of as many blocks may be damaged
    monkeypatch.setattr(damage, "_count_unused", lambda _: 2)
    assert damage.find_block_damage(live) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_in_place_of_the_file_is_not_waited_for(db: Path) -> None:
    live = require_live(db)
    live.path.unlink()
    os.mkfifo(live.path)
    assert damage.find_block_damage(live) is None


def test_a_missing_file_is_reported_elsewhere(db: Path) -> None:
    live = require_live(db)
    live.path.unlink()
    assert damage.find_block_damage(live) is None
