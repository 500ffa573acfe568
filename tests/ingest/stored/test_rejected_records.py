"""Revised texts of rejected records are found by the names of their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.queries.sample import played, record
from zertz_db import import_paths, open_database
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.records.rows import compute_record_id
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.ingest.stored.rejected_records import list_revised, name_revision
from zertz_db.queries.games.game_list import list_games
from zertz_db.rules.position import Position
from zertz_db.store.ids import to_text

ILLEGAL = '[Player1 "Ada"]\n[Player2 "Ben"]\n1. Wd4,a1 Bd3,a2 2. Ge6,a3 *\n'
LEGAL = record("revised", "Ada", "Ben", "2010.01.01", " ".join(played(Position.start("37"), 3)))


UNRELATED = ("0000000000000", "UUUUUUUUUUUUU", "ZZZZZZZZZZZZZ")
"""The id of no record; texts that are no ids, because no id has the letter U or begins with a letter after F."""


@pytest.mark.parametrize(
    ("path", "member", "name"),
    [
        ("/games/may.txt", "", "may, revised {}.txt"),
        ("/games/may", "", "may, revised {}.txt"),
        ("/games/may.zip", "", "may.zip, revised {}.txt"),
        ("/games/may.zip", "2010/one.sgf", "one, revised {}.sgf"),
    ],
)
def test_a_revised_text_is_named_after_its_file(path: str, member: str, name: str) -> None:
    [found] = read_and_check([Content(Place(path, member), ILLEGAL.encode())])
    assert isinstance(found, SourceRecord)
    assert name_revision(found) == name.format(to_text(compute_record_id(ILLEGAL.encode(), None)))


def test_a_revised_text_is_found_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "may.txt").write_text(ILLEGAL, "utf-8")
    for text in UNRELATED:
        (tmp_path / f"may, revised {text}.txt").write_text(LEGAL, "utf-8")
    import_paths([tmp_path], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        assert list_revised(database) == {}
        [(rejected,)] = database.connection().execute("SELECT id FROM _record WHERE status = 'rejected'").fetchall()
        revised = tmp_path / f"may, revised {to_text(rejected)} (2).txt"
        revised.write_text(LEGAL, "utf-8")
        import_paths([revised], tmp_path / "db")
        [game] = [row["id"] for row in list_games(database).dicts()]
        assert list_revised(database) == {(str(tmp_path / "may.txt"), "", 0): game}
