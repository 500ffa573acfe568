"""Databases merged, and split by filters."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.analyses import JudgedClub
from tests.ingest.databases import archives, ask, contents, made_up, written
from zertz_db.ingest import copy_records, importer
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain import merge_databases
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import OutdatedReaders, TargetExists, copy_games, merge
from zertz_db.maintain.undo_import import undo
from zertz_db.queries.games.game_list import game_ids
from zertz_db.store.errors import NoDatabase
from zertz_db.store.open_database import open_database

WHEN = ("source.read_at",)
HISTORY = (
    "source.read_at",
    "record.run",
    "source.reader_version",
    "source.path",
    "source.size",
    "source.id",
    "record.source",
)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    for name, files in zip("ab", archives(folder), strict=True):
        import_paths(files, folder / f"{name}.zertz")
    return folder


@pytest.fixture
def two(tmp_path: Path, imported: Path) -> tuple[Path, Path]:
    """Two databases, of the two archives."""
    for name in ("a.zertz", "b.zertz"):
        shutil.copytree(imported / name, tmp_path / name)
    return tmp_path / "a.zertz", tmp_path / "b.zertz"


def test_merging_two_is_importing_both(tmp_path: Path, imported: Path, two: tuple[Path, Path]) -> None:
    first, second = archives(imported)
    for files in (first, second):
        import_paths(files, tmp_path / "imported")
    merged = merge(two, tmp_path / "merged")
    assert [one.stored for one in merged] == [8, 4]
    assert contents(tmp_path / "merged", *WHEN) == contents(tmp_path / "imported", *WHEN)
    assert examine(tmp_path / "merged").is_fine


def test_merging_into_one_of_them_adds_the_other(tmp_path: Path, two: tuple[Path, Path]) -> None:
    merge(two, tmp_path / "merged")
    merge([two[1]], two[0])
    assert contents(two[0], *WHEN) == contents(tmp_path / "merged", *WHEN)


def test_merging_again_changes_nothing(tmp_path: Path, two: tuple[Path, Path]) -> None:
    merge(two, tmp_path / "merged")
    current = (tmp_path / "merged" / "CURRENT").read_text()
    assert [(one.records, one.known) for one in merge(two, tmp_path / "merged")] == [(0, 13), (0, 14)]
    assert (tmp_path / "merged" / "CURRENT").read_text() == current


def test_a_merged_database_can_be_undone(tmp_path: Path, two: tuple[Path, Path]) -> None:
    merge(two, tmp_path / "merged")
    undo(tmp_path / "merged", 1)
    assert contents(tmp_path / "merged", "record.run") == contents(two[1], "record.run")


def test_a_missing_database_leaves_nothing(tmp_path: Path, two: tuple[Path, Path]) -> None:
    with pytest.raises(NoDatabase):
        merge([two[0], tmp_path / "none"], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_databases_of_other_readers_must_be_rechecked_first(
    tmp_path: Path, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merge_databases, "READER_VERSION", "newer")
    with pytest.raises(OutdatedReaders, match=r"zertz recheck --db .*a\.zertz"):
        merge(two, tmp_path / "merged")
    with pytest.raises(OutdatedReaders, match="zertz recheck"), open_database(two[0]) as database:
        copy_games(database, [], tmp_path / "copy", "none")


@pytest.mark.long
def test_names_redacted_in_one_database_are_redacted_in_the_merged_one(tmp_path: Path, two: tuple[Path, Path]) -> None:
    shown = anonymise_player(two[1], "ada").shown
    merge(two, tmp_path / "merged")
    names = {name for (name,) in ask(tmp_path / "merged", "SELECT name FROM players")}
    assert shown in names
    assert "ada" not in names
    assert len(ask(tmp_path / "merged", "FROM games")) == 12
    assert examine(tmp_path / "merged").is_fine
    merge([two[1]], two[0])
    assert {name for (name,) in ask(two[0], "SELECT name FROM players")} == names
    assert examine(two[0]).is_fine


def test_a_name_redacted_elsewhere_is_redacted_though_nothing_else_is_new(
    tmp_path: Path, two: tuple[Path, Path]
) -> None:
    with open_database(two[0]) as database:
        copy_games(database, game_ids(database), tmp_path / "copy", "all")
    anonymise_player(tmp_path / "copy", "ada")
    assert [one.records for one in merge([tmp_path / "copy"], two[0])] == [0]
    assert "ada" not in {name for (name,) in ask(two[0], "SELECT name FROM players")}
    assert examine(two[0]).is_fine


@pytest.mark.long
def test_copied_games_equal_an_import_of_their_records(tmp_path: Path, imported: Path, two: tuple[Path, Path]) -> None:
    merge(two, tmp_path / "all")
    with open_database(tmp_path / "all") as database:
        copied = copy_games(database, game_ids(database, "player:ada"), tmp_path / "copy", "ada's games")
    records = made_up()
    with_ada = [number for number, record in enumerate(records) if "ada" in (record.player1, record.player2)]
    assert 0 < copied.stored == len(with_ada) < len(records)
    for name, numbers in (("a", range(2, 6)), ("b", (0, 1, 2, 3, 10))):
        archive = with_members(imported / f"{name}.zip", "-ada-", tmp_path / f"own {name}.zip")
        text = written(tmp_path / f"own {name}.txt", [records[number] for number in with_ada if number in numbers])
        text.write_text(
            text.read_text("utf-8").rstrip(), "utf-8"
        )  # of several records in a file none has the file's end
        import_paths([archive, text], tmp_path / "imported")
    assert games(tmp_path / "copy") == games(tmp_path / "imported")
    assert examine(tmp_path / "copy").is_fine


def with_members(archive: Path, part: str, target: Path) -> Path:
    """Write a copy of the archive with only those members whose names contain a text."""
    with zipfile.ZipFile(archive) as whole, zipfile.ZipFile(target, "w") as some:
        for name in whole.namelist():
            if part in name:
                some.writestr(name, whole.read(name))
    return target


def games(folder: Path) -> dict[str, list[Any]]:
    """Return everything except the places of records."""
    places = ("member", "source", "index", "line_from", "line_to", "run", "status", "game", "bytes")
    found = contents(folder, *(f"record.{name}" for name in places), "finding.line", "finding.col")
    del found["source"]
    return found


def test_a_file_whose_records_were_copied_in_part_is_read_again(
    tmp_path: Path, imported: Path, two: tuple[Path, Path]
) -> None:
    first, _ = archives(imported)
    with open_database(two[0]) as database:
        copy_games(database, game_ids(database, "player:ada"), tmp_path / "copy", "ada's games")
    balance = import_paths(first, tmp_path / "copy")
    assert balance.read == 13
    left_out = ("source.read_at", "record.run")
    assert contents(tmp_path / "copy", *left_out) == contents(two[0], *left_out)
    assert examine(tmp_path / "copy").is_fine


def test_a_part_becomes_whole_by_merging(tmp_path: Path, two: tuple[Path, Path]) -> None:
    with open_database(two[0]) as database:
        copy_games(database, game_ids(database, "player:ada"), tmp_path / "copy", "ada's games")
    merge([two[0]], tmp_path / "copy")
    left_out = ("record.run", "record.status")
    assert contents(tmp_path / "copy", *left_out) == contents(two[0], *left_out)


def test_a_copy_goes_to_a_new_folder_only(two: tuple[Path, Path]) -> None:
    with open_database(two[0]) as database, pytest.raises(TargetExists, match="zertz merge"):
        copy_games(database, [], two[1], "none")


def test_versions_of_the_rules_are_preserved(
    tmp_path: Path, two: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copy_records, "sources_hash", lambda: "newer")
    monkeypatch.setattr(importer, "sources_hash", lambda: "newer")
    (before,) = ask(two[0], "SELECT value FROM meta WHERE name = 'rules_version'")
    merge(two, tmp_path / "merged")
    assert ask(tmp_path / "merged", "SELECT value FROM meta WHERE name = 'rules_version'") == [before]


@pytest.mark.long
def test_analyses_come_along(tmp_path: Path, judged_club: JudgedClub) -> None:
    counts = "SELECT (SELECT count(*) FROM _analysis), (SELECT count(*) FROM _tactic)"
    rows = "FROM _tactic ORDER BY ALL"
    merge([judged_club.folder], tmp_path / "merged")
    assert ask(tmp_path / "merged", rows) == ask(judged_club.folder, rows) != []
    assert examine(tmp_path / "merged").is_fine
    with open_database(judged_club.folder) as database:
        games = game_ids(database, "missed:>=3")
        copy_games(database, games, tmp_path / "some", "games with a missed win")
        copy_games(database, game_ids(database, "analysed:no"), tmp_path / "others", "games without an analysis")
    assert ask(tmp_path / "some", counts)[0][0] == len(games) > 0
    assert ask(tmp_path / "others", "SELECT count(*) FROM _analysis WHERE skipped IS NULL") == [(0,)]
    merge([tmp_path / "others"], tmp_path / "some")  # neither loses an analysis, nor has one twice
    merge([judged_club.folder], tmp_path / "some")
    assert ask(tmp_path / "some", counts) == ask(judged_club.folder, counts)


def test_a_database_without_new_records_gives_its_analyses(tmp_path: Path, judged_club: JudgedClub) -> None:
    import_paths([judged_club.folder.parent / "club.txt"], tmp_path / "own.zertz")
    before = ask(judged_club.folder, "SELECT count(*) FROM _analysis")
    (tally,) = merge([judged_club.folder], tmp_path / "own.zertz")
    assert (tally.records, tally.analysed) == (0, before[0][0])
    assert ask(tmp_path / "own.zertz", "SELECT count(*) FROM _analysis") == before
