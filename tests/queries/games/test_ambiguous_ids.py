"""Ids that begin alike."""

from pathlib import Path

import pytest

from tests.store.rows import rows
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.one_game import find_game
from zertz_db.store.folder.build import next_generation
from zertz_db.store.ids import from_text
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.open_database import open_database


@pytest.mark.parametrize(
    ("texts", "asked", "named", "more"),
    [
        (["7KQZ000000001", "7KQZ000000002"], "7kqz", ["7KQZ000000001", "7KQZ000000002"], False),
        (
            [f"F23400000000{number}" for number in range(8)],
            "F2340",
            [f"F23400000000{number}" for number in range(5)],
            True,
        ),
        (["0000000000000", "00000000000ZZ", "F000000000000"], "0000", ["0000000000000", "00000000000ZZ"], False),
    ],
)
def test_the_candidates_are_named(tmp_path: Path, texts: list[str], asked: str, named: list[str], more: bool) -> None:
    with next_generation(tmp_path / "db") as build:
        load(build.connection, "game", rows("game", id=list(map(from_text, texts))))
    with open_database(tmp_path / "db") as database, pytest.raises(QueryError) as refusal:
        find_game(database, asked)
    assert [text for text in texts if text in str(refusal.value)] == named
    assert ("and more" in str(refusal.value)) == more
