"""A dialect is a module and a row of `DIALECTS`: all rooms know it from there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.parser import made_up_dialect
from zertz_db.check.check_many import check_text
from zertz_db.export.notation import write_notations
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.records import segments
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.parser import dialects
from zertz_db.parser.dialects import Written, detect, read, write
from zertz_db.queries.games.game_list import game_ids
from zertz_db.store.open_database import open_database

GAME = "MADE UP ada - bo\nWd4,d1 Bd3,a1 x d3Wd5 0-1\nEND\n"


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(dialects, "DIALECTS", (made_up_dialect.ROW, *dialects.DIALECTS))
    caches = dialects._in_order, dialects._named, dialects.facts_of
    for cached in caches:
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()


def test_it_is_detected_and_read() -> None:
    assert detect(GAME) == "made-up"
    (record,) = read(GAME)
    assert (record.dialect, record.player1, len(record.plies)) == ("made-up", "ada", 3)


def test_its_records_are_checked_by_its_facts() -> None:
    first, second = check_text(GAME + GAME)
    assert first.verdict == second.verdict == "verified"
    assert first.attempt.start.rules.name == "blitz"


def test_large_files_are_cut_at_its_boundary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "SEGMENT_BYTES", 1)
    cut = list(segments.split_segments((GAME * 3).encode(), "made-up", "games.made"))
    assert [one.text for one in cut] == [GAME] * 3


def test_it_is_written_and_read_back() -> None:
    (found,) = check_text(GAME)
    assert write(found.completed(), "made-up") == Written(GAME)


def test_it_is_imported_exported_and_redacted(tmp_path: Path) -> None:
    (tmp_path / "games.made").write_text(GAME, "utf-8")
    tally = import_paths([tmp_path / "games.made"], tmp_path / "db")
    assert tally.stored == 1
    anonymise_player(tmp_path / "db", "ada")
    with open_database(tmp_path / "db") as database:
        ((_, text),) = write_notations(database, game_ids(database))
        ((data,),) = database.connection().execute("SELECT bytes FROM _record").fetchall()
    assert "ada" not in text
    assert "bo" in text
    kept = data.decode()
    assert kept.endswith(" - bo" + GAME.split(" - bo")[1])
    assert "ada" not in kept
