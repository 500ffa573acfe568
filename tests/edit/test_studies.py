"""Studies: saved, changed, removed and restored; one damaged line costs no other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from zertz_db.edit import studies as edit
from zertz_db.edit.studies import StudyError, remove_study, rename_study, restore_study, save_study
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import merge
from zertz_db.queries.errors import QueryError
from zertz_db.queries.studies import find_study, list_studies
from zertz_db.rules.position import Position
from zertz_db.store.annotations import studies
from zertz_db.store.errors import NoDatabase
from zertz_db.store.open_database import open_database
from zertz_db.variations.move_tree import MoveTree, add_moves, annotate_move
from zertz_db.variations.notation import read_tree

TREE, LAST = add_moves(MoveTree(Position.start("37")), 0, ["Wd4,d1", "Bd3,a1"])
OTHER = annotate_move(add_moves(TREE, 1, ["Gc2,a1"])[0], 1, comment="Ada plays this")


@pytest.fixture
def db(sample: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample, tmp_path / "db"))


def names(db: Path) -> list[str]:
    with open_database(db) as database:
        return [row[1] for row in list_studies(database).rows]


def tree_of(db: Path, name: str) -> MoveTree:
    with open_database(db) as database:
        return read_tree(find_study(database, name).record, "gipf").tree


def test_a_study_is_found_by_name_and_id_with_its_latest_tree(db: Path) -> None:
    made = save_study(db, "  A  trap ", TREE, "ada", facts={"player1": "Ada"})
    assert (made.name, tree_of(db, "a trap"), tree_of(db, made.id)) == ("A trap", TREE, TREE)
    again = save_study(db, "A trap", OTHER, "ben", study=made.id)
    assert (again.id, names(db), tree_of(db, "A trap")) == (made.id, ["A trap"], OTHER)
    assert len((db / studies.FILE).read_text("utf-8").splitlines()) == 2


def test_a_study_is_renamed_removed_and_restored(db: Path) -> None:
    made = save_study(db, "A", TREE, "ada")
    rename_study(db, made.id, "B", "ben")
    assert names(db) == ["B"]
    remove_study(db, made.id, "ben")
    assert names(db) == []
    with open_database(db) as database, pytest.raises(QueryError, match="no study is called 'B'"):
        find_study(database, "B")
    restore_study(db, made.id, "ben")
    assert (names(db), tree_of(db, "B")) == (["B"], TREE)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda db, _: save_study(db, " one ", TREE, "ada"), "another study is called one"),
        (lambda db, _: save_study(db, " ", TREE, "ada"), "needs a name"),
        (lambda db, _: save_study(db, "a" * 101, TREE, "ada"), "needs a name"),
        (lambda db, _: rename_study(db, save_study(db, "Two", TREE, "ada").id, "ONE", "ada"), "another study"),
        (lambda db, _: rename_study(db, "A05S0N8XJ2Q7C", "Two", "ada"), "no study has the id"),
        (lambda db, one: restore_study(db, one, "ada"), "no removed study"),
    ],
)
def test_what_can_not_be_done_is_said(act, said: str, db: Path) -> None:  # type: ignore[no-untyped-def]
    one = save_study(db, "One", TREE, "ada").id
    with pytest.raises(StudyError, match=said):
        act(db, one)
    assert "One" in names(db)


def test_a_study_too_long_is_refused(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edit, "MAX_RECORD", 100)
    with pytest.raises(StudyError, match="at most 100"):
        save_study(db, "One", TREE, "ada")


def test_a_restored_study_does_not_take_another_ones_name(db: Path) -> None:
    one = save_study(db, "One", TREE, "ada").id
    remove_study(db, one, "ada")
    save_study(db, "one", OTHER, "ada")
    with pytest.raises(StudyError, match="another study is called One"):
        restore_study(db, one, "ada")


def test_without_a_database_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase):
        save_study(tmp_path / "none", "One", TREE, "ada")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"study": "A05S0N8XJ2Q7C", "name": "x"}', "'record' is missing"),
        ('{"study": "A05S0N8XJ2Q7C", "name": " ", "record": "", "author": "", "made_at": "2026-05-01T12:30:00"}', "'name' is empty"),
        ('{"name": "x"}', "'study' is missing"),
        ("{", "Expecting"),
    ],
)  # fmt: skip
def test_a_damaged_line_is_named_and_stays(line: str, why: str, db: Path) -> None:
    save_study(db, "One", TREE, "ada")
    file = db / studies.FILE
    file.write_text(f"# a remark\n{line}\n{file.read_text('utf-8')}", "utf-8")
    save_study(db, "Two", TREE, "ada")
    assert sorted(names(db)) == ["One", "Two"]
    [fault] = studies.faults(db)
    assert f"{studies.FILE}:2" in fault
    assert why in fault
    assert line in file.read_text("utf-8")
    assert any(studies.FILE in text for text in examine(db).annotation_faults)


def test_a_redacted_name_leaves_the_studies(db: Path) -> None:
    save_study(db, "Ada at large", OTHER, "Ada", facts={"player1": "Ada"})
    anonymise_player(db, "Ada")
    assert "Ada" not in (db / studies.FILE).read_text("utf-8")
    with open_database(db) as database:
        [study] = studies.read(database.annotations_dir)
    assert len(read_tree(study.record, "gipf").tree) == len(OTHER)


def test_studies_come_along_when_databases_are_merged(db: Path, sample: Path, tmp_path: Path) -> None:
    save_study(db, "One", TREE, "ada")
    other = Path(shutil.copytree(sample, tmp_path / "other"))
    save_study(other, "one", OTHER, "ben")
    save_study(other, "Two", OTHER, "ben")
    merge([other], db)
    assert sorted(names(db)) == ["One", "Two", "one (2)"]
    merge([other], db)
    assert sorted(names(db)) == ["One", "Two", "one (2)"]
