"""Boards and rule sets to choose from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.queries.sample import RECORDS
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.openings.starts import list_played_boards, list_played_rules
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database


@pytest.mark.parametrize(
    ("also", "boards"), [("", ("37", "48")), ("61", ("37", "48", "61")), ("custom", ("37", "48")), ("37", ("37", "48"))]
)
def test_boards_with_games(database: Database, also: str, boards: tuple[str, ...]) -> None:
    assert list_played_boards(database, also) == boards


@pytest.mark.parametrize(
    ("board", "also", "rules"),
    [
        ("37", "", ("standard", "blitz")),
        ("48", "", ("standard",)),
        ("48", "blitz", ("standard", "blitz")),
        ("61", "", ("standard",)),
        ("x' OR true --", "", ("standard",)),
    ],
)
def test_rule_sets_with_games(database: Database, board: str, also: str, rules: tuple[str, ...]) -> None:
    assert list_played_rules(database, board, also) == rules


def test_without_games_the_first_is_offered(tmp_path: Path) -> None:
    (tmp_path / "custom.txt").write_text(RECORDS[4], "utf-8")
    import_paths([tmp_path / "custom.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        assert list_played_boards(database) == ("37",)
