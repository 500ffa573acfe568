"""A database notes which names are redacted; if the file is lost, nothing brings them back, and they can be restored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from tests.store.annotations.test_overlay import CLAIM, MARK
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import merge
from zertz_db.maintain.recovery import restore_tombstones
from zertz_db.store.annotations import marks, noted_tombstones, people_file
from zertz_db.store.annotations.noted_tombstones import MissingTombstones
from zertz_db.store.backend import annotate
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.folder.build import next_generation
from zertz_db.store.open_database import open_database

STONES = [people_file.tombstone(name) for name in ("Zoe", "Ælfrēd")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A database without games."""
    with next_generation(tmp_path / "db"):
        pass
    return tmp_path / "db"


@pytest.fixture
def redacted(folder: Path) -> Path:
    """A database with two redacted names."""
    people_file.append_aliases(folder, [CLAIM])
    people_file.adopt(folder, STONES)
    with next_generation(folder):
        pass
    return folder


def noted(folder: Path) -> list[people_file.Tombstone]:
    with open_database(folder) as database:
        return noted_tombstones.read(database.connection())


def test_the_names_are_noted_as_hashes(redacted: Path) -> None:
    assert noted(redacted) == STONES == people_file.read_redacted(redacted)
    with open_database(redacted) as database:
        facts = str(database.facts())
    assert not [name for name in ("Zoe", "zoe", "Ælfrēd", "ælfrēd") if name in facts]


def test_a_database_without_redacted_names_notes_none(folder: Path) -> None:
    with next_generation(folder):
        pass
    with open_database(folder) as database:
        assert noted_tombstones.FACT not in database.facts()


LOSSES: dict[str, Callable[[Path], object]] = {
    "the file": lambda path: path.unlink(),
    "its contents": lambda path: path.write_bytes(b""),
    "one line": lambda path: path.write_bytes(
        b"".join(line for line in path.read_bytes().splitlines(True) if STONES[1].shown.encode() not in line)
    ),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_every_change_is_refused_until_they_are_restored(loss: str, redacted: Path, tmp_path: Path) -> None:
    LOSSES[loss](redacted / people_file.FILE)
    count = 1 if loss == "one line" else 2
    with (
        pytest.raises(MissingTombstones, match=rf"lacks {count} redacted names?.*zertz doctor --repair"),
        next_generation(redacted),
    ):
        pytest.fail("a build must not begin")
    with pytest.raises(MissingTombstones):
        annotate(redacted, lambda folder: marks.add(folder, MARK))
    with pytest.raises(MissingTombstones):
        merge([redacted], tmp_path / "other")
    assert not (tmp_path / "other").exists()
    (fault,) = examine(redacted).annotation_faults
    assert "zertz doctor --repair" in fault
    assert restore_tombstones(redacted) == count
    assert {*people_file.read_redacted(redacted)} == {*STONES}
    assert restore_tombstones(redacted) == 0
    annotate(redacted, lambda folder: marks.add(folder, MARK))
    with next_generation(redacted):
        pass
    assert {*noted(redacted)} == {*STONES}


def test_a_file_that_is_lost_during_a_build_takes_no_note_along(redacted: Path) -> None:
    with next_generation(redacted):
        (redacted / people_file.FILE).unlink()
    assert noted(redacted) == STONES
    assert restore_tombstones(redacted) == 2


def test_a_damaged_file_is_not_hidden_by_a_repair(redacted: Path) -> None:
    (redacted / people_file.FILE).write_text("nonsense\n", "utf-8")
    with pytest.raises(UnreadableDatabase, match="can't be read"):
        restore_tombstones(redacted)
    assert len(examine(redacted).annotation_faults) == 1


@pytest.mark.parametrize("text", ["", "nonsense", "{}", "[1]", '[{"shown": "x"}]', "null"])
def test_a_fact_that_is_damaged_counts_for_nothing(text: str) -> None:
    with duckdb.connect() as connection:
        assert noted_tombstones.read(connection) == []
        connection.execute("CREATE TABLE _meta (name VARCHAR, value VARCHAR)")
        connection.execute("INSERT INTO _meta VALUES (?, ?)", [noted_tombstones.FACT, text])
        assert noted_tombstones.read(connection) == []
