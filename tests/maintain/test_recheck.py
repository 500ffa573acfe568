"""Recheck: stored records are updated to today's readers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.ingest.databases import archives, ask, contents, copied, made_up, written
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.ingest import importer
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.records import read_records, reader_version
from zertz_db.maintain import doctor, recheck
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.recheck import preview_changes, recheck_database
from zertz_db.parser.record import Record, Span, SyntaxFault
from zertz_db.rules import compiled

CheckAll = Callable[..., list[CheckedRecord]]


def refusing(name: str) -> Callable[[CheckAll], CheckAll]:
    """Return readers that can't read a record of this player."""

    def changed(check_all: CheckAll) -> CheckAll:
        def check(records: list[Record], *how: bool) -> list[CheckedRecord]:
            fault = SyntaxFault("E221", Span(0, 1, 1, 1), "not any more")
            return check_all(
                [replace(one, fault=fault) if name in (one.player1, one.player2) else one for one in records], *how
            )

        return check

    return changed


def renaming(check_all: CheckAll) -> CheckAll:
    """Return readers that see another event."""
    return lambda records, *how: check_all([replace(one, event=f"{one.event}, again") for one in records], *how)


@pytest.fixture(autouse=True)
def read_by_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other readers are given to the tests by patches, which the scanner of clean games would not notice."""
    monkeypatch.setattr(compiled, "is_loaded", lambda: False)


def set_versions(patch: pytest.MonkeyPatch, version: str) -> None:
    for module in (importer, reader_version, doctor, recheck):
        patch.setattr(module, "READER_VERSION", version)


@pytest.fixture
def both(tmp_path: Path, imported_archives: Path) -> Path:
    return copied(imported_archives, tmp_path)


@pytest.mark.parametrize("change", [refusing("ada"), renaming])
def test_the_database_equals_an_import_by_these_readers(
    tmp_path: Path,
    imported_archives: Path,
    both: Path,
    change: Callable[[CheckAll], CheckAll],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_versions(monkeypatch, "newer")
    monkeypatch.setattr(read_records, "check_all", change(read_records.check_all))
    expected = preview_changes(both)
    before = contents(both)
    assert contents(both) == before
    found = recheck_database(both)
    assert [str(one) for one in found] == [str(one) for one in expected]
    first, second = archives(imported_archives.parent)
    import_paths(first, tmp_path / "again")
    import_paths(second, tmp_path / "again")
    left_out = ("source.read_at", "finding.line", "finding.col")
    assert contents(both, *left_out) == contents(tmp_path / "again", *left_out)
    balances = "SELECT run, records, stored, duplicate, rejected FROM imports ORDER BY run"
    assert ask(both, balances) == ask(tmp_path / "again", balances)
    assert examine(both).is_fine
    assert recheck_database(both) == []


def test_changed_verdicts_and_added_and_removed_games_are_listed(both: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_ada = [record for record in made_up() if "ada" in (record.player1, record.player2)]
    with monkeypatch.context() as patch:
        patch.setattr(read_records, "check_all", refusing("ada")(read_records.check_all))
        went = recheck_database(both)
    assert {(one.row.verdict, one.verdict) for one in went} == {("verified", "unreadable")}
    assert len({game for one in went for game in one.removed_games}) == len(with_ada)
    came = recheck_database(both)
    assert {(one.row.verdict, one.verdict) for one in came} == {("unreadable", "verified")}
    assert {game for one in came for game in one.added_games} == {game for one in went for game in one.removed_games}
    assert "unreadable becomes verified, game" in str(came[0])


def test_restored_rows_are_unchanged(both: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contents_before = contents(both, "record.status")
    with monkeypatch.context() as patch:
        patch.setattr(read_records, "check_all", refusing("ada")(read_records.check_all))
        recheck_database(both)
    recheck_database(both)
    # The order of a game's records in one import is lost with the game.
    assert contents(both, "record.status") == contents_before


def test_where_nothing_changes_no_generation_is_published(both: Path) -> None:
    current = (both / "CURRENT").read_text()
    assert recheck_database(both) == []
    assert (both / "CURRENT").read_text() == current


def test_only_the_versions_change_if_the_new_readers_agree(
    imported_archives: Path, both: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = archives(imported_archives.parent)
    set_versions(monkeypatch, "newer")
    assert recheck_database(both) == []
    assert ask(both, "SELECT DISTINCT reader_version FROM records") == [("newer",)]
    assert import_paths(first, both).run is None  # the files are known, by these readers too


def test_records_without_bytes_stay(tmp_path: Path) -> None:
    written(tmp_path / "good.txt", made_up()[:1])
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "empty.txt").write_bytes(b"")
    import_paths([tmp_path / name for name in ("good.txt", "broken.zip", "empty.txt")], tmp_path / "db")
    assert recheck_database(tmp_path / "db") == []
    assert examine(tmp_path / "db").is_fine


def test_all_records_that_new_readers_find_in_a_file_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "three.txt", made_up()[:3])
    whole = read_records.read
    with monkeypatch.context() as patch:
        # Readers that take what is in a file for one record, and stop after its first game.
        patch.setattr(read_records, "read", lambda *given: list(whole(*given))[:1])
        assert import_paths([tmp_path / "three.txt"], tmp_path / "db").stored == 1
    (found,) = recheck_database(tmp_path / "db")
    assert len(found.added_games) == 2
    assert ask(tmp_path / "db", "SELECT index, status FROM records ORDER BY index") == [
        (number, "stored") for number in range(3)
    ]
