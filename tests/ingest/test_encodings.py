"""A record's own bytes are a part of its file: read again they are the same text, though they need not tell their encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from zertz_db import samples
from zertz_db.ingest.doctor import examine
from zertz_db.ingest.exporting import notations
from zertz_db.ingest.importing import import_paths
from zertz_db.queries.games import game_ids
from zertz_db.store.opening import open_database

GAMES = '[Player1 "{}"]\n[Board "37"]\n\n1. Wd4,d1 resigns\n\n[Player1 "plain"]\n[Board "37"]\n\n1. Wd4,a1 resigns\n'


@pytest.mark.parametrize(
    ("name", "encoding", "tail"),
    [
        (
            "Andr\u00c3\u00a9",
            "latin-1",
            "\u00e9 alone is no UTF-8",
        ),  # by themselves these two bytes are the UTF-8 of another letter
        ("Ren\u00e9", "utf-8", ""),
        ("Ren\u00e9", "utf-8-sig", ""),
        ("Ren\u00e9", "utf-16", ""),
    ],
)
def test_records_are_read_again_as_they_were(tmp_path: Path, name: str, encoding: str, tail: str) -> None:
    db = tmp_path / "games.zertz"
    text = GAMES.format(name) + (f"{{{tail}}}\n" if tail else "")
    (tmp_path / "games.txt").write_bytes(text.encode(encoding))
    import_paths([tmp_path / "games.txt"], db)
    with open_database(db) as database:
        written = "".join(notation or "" for _, notation in notations(database, game_ids(database)))
    assert f'[Player1 "{name}"]' in written
    assert examine(db).is_fine


def test_a_database_of_the_samples_is_fine(tmp_path: Path) -> None:
    import_paths([samples.folder()], tmp_path / "games.zertz")
    found = examine(tmp_path / "games.zertz")
    assert (found.is_fine, tuple(found.problems), tuple(found.differences)) == (True, (), ())
