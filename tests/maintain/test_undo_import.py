"""Undo of an import: the state without it; records of other imports stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.databases import archives, ask, contents, made_up, written, zipped
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.undo_import import NothingToUndo, undo
from zertz_db.play.generate import generate_games
from zertz_db.store.errors import NoDatabase
from zertz_db.store.loading.opening_nodes import FLOOR

HISTORY = ("record.run", "source.read_at")
BALANCES = "SELECT records, stored, duplicate, rejected, undone FROM imports ORDER BY run"


def test_the_rest_equals_the_other_import_alone(tmp_path: Path) -> None:
    first, second = archives(tmp_path)
    import_paths(first, tmp_path / "both")
    import_paths(second, tmp_path / "both")
    alone = import_paths(second, tmp_path / "alone")
    undone = undo(tmp_path / "both", 1)
    assert (undone.records, undone.games, undone.files) == (13, 0, 2)
    assert contents(tmp_path / "both", *HISTORY) == contents(tmp_path / "alone", *HISTORY)
    assert ask(tmp_path / "both", BALANCES) == [
        (13, 8, 4, 1, True),
        (alone.read, alone.stored, alone.duplicate, alone.rejected, False),
    ]
    assert examine(tmp_path / "both").is_fine


def test_the_later_import_can_be_undone_too(tmp_path: Path) -> None:
    first, second = archives(tmp_path)
    import_paths(first, tmp_path / "both")
    before = contents(tmp_path / "both")
    import_paths(second, tmp_path / "both")
    undone = undo(tmp_path / "both", 2)
    assert undone.games == 4
    assert contents(tmp_path / "both") == before


@pytest.mark.long
def test_sums_over_positions_lose_deleted_games(tmp_path: Path) -> None:
    for seed in (1, 2):
        import_paths([zipped(tmp_path / f"{seed}.zip", list(generate_games(FLOOR, seed=seed)))], tmp_path / "db")
    undo(tmp_path / "db", 2)
    assert ask(tmp_path / "db", "SELECT sum(games) FROM nodes")[0][0] >= FLOOR
    assert examine(tmp_path / "db", sample=0).is_fine


@pytest.mark.long
def test_its_files_can_be_imported_again(tmp_path: Path) -> None:
    first, _ = archives(tmp_path)
    tally = import_paths(first, tmp_path / "db")
    before = contents(tmp_path / "db", *HISTORY)
    undo(tmp_path / "db", 1)
    assert not any(contents(tmp_path / "db").values())
    again = import_paths(first, tmp_path / "db")
    assert (again.stored, again.run) == (tally.stored, 2)
    assert contents(tmp_path / "db", *HISTORY) == before


def test_an_import_that_had_found_the_files_known_is_named(tmp_path: Path) -> None:
    first, second = archives(tmp_path)
    import_paths(first, tmp_path / "db")
    import_paths([*first, *second], tmp_path / "db")
    ((run, what),) = undo(tmp_path / "db", 1).dependent_imports
    assert run == 2
    assert str(first[0]) in what


@pytest.mark.parametrize(("runs", "words"), [([2], "has no import 2. .*: 1"), ([1, 1], "was undone before")])
def test_an_impossible_undo_is_reported(tmp_path: Path, runs: list[int], words: str) -> None:
    import_paths([written(tmp_path / "a.txt", made_up()[:1])], tmp_path / "db")
    *fine, last = runs
    for run in fine:
        undo(tmp_path / "db", run)
    before = contents(tmp_path / "db")
    with pytest.raises(NothingToUndo, match=words):
        undo(tmp_path / "db", last)
    assert contents(tmp_path / "db") == before


def test_no_database_is_made(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase):
        undo(tmp_path / "none", 1)
    assert not (tmp_path / "none").exists()
