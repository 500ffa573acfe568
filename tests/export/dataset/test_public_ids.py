"""The ids under which games are published: one for each game, none from a redacted name."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from tests.queries.sample import record
from zertz_db.export.dataset.public_ids import CHOSEN, choose_games
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.store.annotations.people_file import NameAlias, append_aliases
from zertz_db.store.open_database import open_database


def test_games_that_redaction_made_alike_have_different_ids(tmp_path: Path) -> None:
    names, db = ("Ada", "Adele"), tmp_path / "db"
    (tmp_path / "a.txt").write_text("".join(record("Cup", name, "Ben", "2010.05.01", "1. Wd4,d1 *") for name in names))
    import_paths([tmp_path / "a.txt"], db)
    append_aliases(db, [NameAlias("Adele", "Ada", "accepted", "", dt.date(2020, 1, 1))])
    anonymise_player(db, "Ada")
    with open_database(db) as database:
        connection = database.connection()
        assert choose_games(database, connection, "") == 2
        found = connection.execute(f"SELECT count(*), count(DISTINCT public) FROM {CHOSEN}").fetchall()
    assert found == [(2, 2)]
