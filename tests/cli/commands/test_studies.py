"""`zertz studies`, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.ingest.databases import copied
from tests.queries.sample import RECORDS
from zertz_db.edit.studies import save_study
from zertz_db.ingest.import_paths import import_paths
from zertz_db.rules.position import Position
from zertz_db.variations.move_tree import MoveTree, add_move, add_moves
from zertz_db.variations.notation import read_tree

MAIN, _ = add_moves(MoveTree(Position.start("37")), 0, ["Wd4,d1", "Bd3,a1"])
TREE, _ = add_move(MAIN, 1, "Gc2,a1")


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    (folder / "a.txt").write_text(RECORDS[0], "utf-8")
    import_paths([folder / "a.txt"], folder / "db")
    return folder / "db"


@pytest.fixture
def db(imported: Path, tmp_path: Path) -> Path:
    return copied(imported, tmp_path)


def test_studies_are_listed_printed_written_and_removed(run: Run, db: Path, tmp_path: Path) -> None:
    assert "no studies yet" in run("studies")[2]
    made = save_study(db, "Ada's trap", TREE, "ada")
    [row] = json.loads(run("studies", "--json")[1])
    assert (row["study"], row["name"], row["author"]) == (made.id, "Ada's trap", "ada")
    assert "1. Wd4,d1 Bd3,a1 (1... Gc2,a1)" in run("studies", "ada's TRAP")[1]
    assert json.loads(run("studies", made.id, "--json")[1])["record"] == made.record
    assert run("studies", "Ada's trap", "-o", str(tmp_path / "trap.txt"))[0] == 0
    assert read_tree((tmp_path / "trap.txt").read_text("utf-8")).tree == TREE
    assert run("studies", "Ada's trap", "-o", "-")[1] == made.record
    assert "removed" in run("studies", "Ada's trap", "--remove")[1]
    assert json.loads(run("studies", "--json")[1]) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nothing"], "no study is called 'nothing'"),
        (["--remove"], "name a study"),
        (["-o", "a.txt"], "name a study"),
        (["nothing", "--csv"], "for the list"),
    ],
)
def test_mistakes_are_explained(run: Run, db: Path, options: list[str], said: str) -> None:
    assert db.exists()
    code, _, errors = run("studies", *options)
    assert code == 2 or code == 1
    assert said in " ".join(errors.split())
