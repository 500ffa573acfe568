"""A lake has the contents of a folder, and each reader has a snapshot of it."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import duckdb
import pytest

from tests.cluster.lakes import FEW, Lakes, contents, whole
from zertz_db import import_paths, open_database, samples
from zertz_db.ingest import import_into_lake
from zertz_db.ingest.records.reader_version import format_reader_version
from zertz_db.ingest.sources.place import SourceError
from zertz_db.ingest.tally import Tally
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import TargetExists, copy_games, merge
from zertz_db.queries.games.game_list import game_ids
from zertz_db.store import address
from zertz_db.store.annotations import people_file, people_toml
from zertz_db.store.backend import annotate, migrate
from zertz_db.store.errors import NoDatabase, NotInLakes, SchemaMismatch, StoreError
from zertz_db.store.folder.build import next_generation
from zertz_db.store.lake import catalog as lake
from zertz_db.store.lake import transaction
from zertz_db.store.lake.catalog import NoExtension
from zertz_db.store.schema import meta, table_columns


def test_an_import_equals_that_into_a_folder(shared: Path, embedded: Path) -> None:
    assert contents(shared) == contents(embedded)


def test_known_files_are_not_imported_again(shared: Path) -> None:
    again = import_paths([samples.folder()], shared)
    with open_database(shared) as database:
        read, rejected = database.connection().execute("SELECT records, rejected FROM _import").fetchall()[0]
    assert (again.read, again.stored, again.rejected, again.run) == (read, 0, rejected, None)


@pytest.mark.long
def test_a_merged_database_equals_that_in_a_folder(lakes: Lakes, in_parts: Path, tmp_path: Path) -> None:
    there = lakes.new("merged")
    for into in (there, tmp_path / "games.zertz"):
        merge([in_parts], into)
    assert contents(there) == contents(tmp_path / "games.zertz")
    merge([there], tmp_path / "back.zertz")
    assert contents(tmp_path / "back.zertz")["position"] == contents(in_parts)["position"]
    with open_database(tmp_path / "back.zertz") as database:  # which others may get, without the catalog's address
        rows_read = database.connection().execute("SELECT what FROM imports").fetchall()
    assert rows_read == [(f"lake {lakes.folder / 'merged'}/",)]


@pytest.mark.long
def test_lakes_and_folders_are_merged_into_a_lake(lakes: Lakes, tmp_path: Path) -> None:
    folder, lake, into = tmp_path / "games.zertz", lakes.new("one_of_two"), lakes.new("of_both")
    import_paths(FEW[:4], folder)
    import_paths(FEW[2:6], lake)
    merge([lake, folder], into)
    merge([into], lake)
    import_paths(FEW[:6], tmp_path / "whole.zertz")
    for table in ("ply", "position", "node", "player", "tag", "finding"):
        assert contents(into)[table] == contents(lake)[table] == contents(tmp_path / "whole.zertz")[table], table


@pytest.mark.long
def test_some_games_of_a_lake_and_for_a_lake(lakes: Lakes, in_parts: Path, tmp_path: Path) -> None:
    there = lakes.copy("in_parts", "with_some")
    by_folders, from_lake, for_lake = tmp_path / "one.zertz", tmp_path / "other.zertz", lakes.new("some")
    for origin, into in ((in_parts, by_folders), (there, from_lake), (there, for_lake)):
        with open_database(origin) as database:
            games = game_ids(database, "board:37")
            assert copy_games(database, games, into, "games on 37 rings").stored == len(games) > 0
    assert contents(by_folders) == contents(from_lake) == contents(for_lake)
    with open_database(by_folders) as database, pytest.raises(TargetExists, match="zertz merge"):
        copy_games(database, games, for_lake, "all")


def test_a_lake_of_another_schema(lakes: Lakes) -> None:
    there = lakes.new("older")
    transaction.change_lake(there, lambda _: None)
    assert not migrate(there)
    transaction.change_lake(there, lambda build: meta.write(build.connection, {"schema_version": 1}))
    for use in (migrate, open_database, lambda it: transaction.change_lake(it, lambda _: None)):
        with pytest.raises(SchemaMismatch, match=r"zertz merge .* --into FOLDER"):
            use(there)


def mark(own: Path) -> None:
    from zertz_db.edit.marks import add_mark

    add_mark(own, "me", label="study", words="board:37")


def study(own: Path) -> None:
    from zertz_db.edit.studies import save_study
    from zertz_db.rules.position import Position
    from zertz_db.variations.move_tree import MoveTree

    save_study(own, "A trap", MoveTree(Position.start("37")), "me")


@pytest.mark.parametrize("write", [mark, study])
def test_annotations_are_merged_though_no_record_is_new(
    write: Callable[[Path], None], lakes: Lakes, in_parts: Path, tmp_path: Path
) -> None:
    from zertz_db.maintain.merge_databases import merge

    own = Path(shutil.copytree(in_parts, tmp_path / "own.zertz"))
    there = lakes.copy("in_parts", f"said_elsewhere_{write.__name__}")
    write(own)
    assert [one.records for one in merge([own], there)] == [0]
    assert whole(there).words == whole(own).words
    published = facts(there)
    merge([own], there)
    assert facts(there) == published


def facts(database: Path) -> dict[str, str]:
    with open_database(database) as opened:
        return opened.facts()


def test_files_have_their_display_names(lakes: Lakes) -> None:
    there = lakes.new("called")
    import_paths([FEW[0]], there, called={str(FEW[0]): "club.txt"})
    with open_database(there) as database:
        rows_read = database.connection().execute("SELECT path, what FROM sources, imports").fetchall()
    assert rows_read == [("club.txt", "club.txt")]


@pytest.mark.long
def test_a_stopped_import_is_resumed(lakes: Lakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = lakes.new("stopped")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(import_into_lake.tempfile, "tempdir", None)
    monkeypatch.setattr("zertz_db.ingest.sources.discover.BATCH_BYTES", 1_000)

    def stop(balance: Tally) -> None:
        if balance.done >= len(FEW) // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_paths(FEW, there, stop)
    with pytest.raises(NoDatabase):
        open_database(there)
    looked: list[int] = []
    import_paths(FEW, there, lambda balance: looked.append(balance.done))
    assert looked[0] >= len(FEW) // 2
    import_paths(FEW, tmp_path / "games.zertz")
    assert contents(there) == contents(tmp_path / "games.zertz")
    assert not [*tmp_path.glob("zertz-import-*")]


def test_an_import_without_records_leaves_nothing(
    lakes: Lakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_into_lake.tempfile, "tempdir", str(tmp_path))
    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "letter.txt").write_text("Dear Ada, I give up.")
    with pytest.raises(SourceError, match="no records"):
        import_paths([letters], lakes.new("no_records"))
    assert [*tmp_path.iterdir()] == [letters]


def test_a_reader_stays_on_its_snapshot_and_moves_on(lakes: Lakes) -> None:
    there = lakes.new("readers")
    transaction.change_lake(there, lambda _: None)
    with open_database(there) as database:
        connection = database.connection()
        transaction.change_lake(there, lambda build: meta.write(build.connection, {"since": "then"}))
        assert "since" not in meta.read(connection)
        assert meta.read(database.connection())["since"] == "then"


def test_a_missing_lake_is_named(lakes: Lakes) -> None:
    there = lakes.new("absent")
    with pytest.raises(NoDatabase, match="zertz import"):
        open_database(there)


def test_a_lake_that_another_makes_at_the_same_time_is_made_once(lakes: Lakes) -> None:
    there = lakes.new("at_once")
    with ThreadPoolExecutor(4) as threads:
        for connection in threads.map(lambda _: lake.connect(there, writable=True), range(4)):
            connection.close()


@pytest.mark.long
def test_positions_are_sorted_in_each_file_also_in_older_lakes(tmp_path: Path) -> None:
    there = Path(f"ducklake:{tmp_path}/games.ducklake data_path={tmp_path}/games")
    with lake.connect(there, writable=True) as connection:
        transaction._make(connection)
        connection.execute("ALTER TABLE _position SET SORTED BY (board, key, game, ply)")  # as before schema 6
    import_paths(FEW[:6], there)
    with open_database(there) as database:
        connection = database.connection()
        rows = connection.execute("SELECT game, ply FROM _position").fetchall()
        order = table_columns.order_in_lake("position", len(rows))
        assert rows == connection.execute(f"SELECT game, ply FROM _position ORDER BY {order}").fetchall()
        assert rows != sorted(rows)


@pytest.mark.long
def test_many_small_files_become_few(lakes: Lakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = lakes.new("tidied")
    monkeypatch.setattr(transaction, "MAX_FILES", 2)
    for part in range(3):
        import_paths(FEW[part:12:3], there)
    with open_database(there) as database:
        tables = (
            "SELECT file_count FROM ducklake_table_info(current_database()) WHERE table_name IN ('_game', '_position')"
        )
        assert max(database.connection().execute(tables).fetchall()) <= (transaction.MAX_FILES,)
    import_paths(FEW[:12], tmp_path / "games.zertz")
    found, wanted = contents(there), contents(tmp_path / "games.zertz")
    for table in ("ply", "position", "node", "player", "tag"):
        assert found[table] == wanted[table], table


@pytest.mark.long
def test_a_failed_merge_of_files_does_not_undo_a_publication(
    lakes: Lakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = lakes.new("untidy")
    import_paths(FEW[:1], there)
    monkeypatch.setattr(transaction, "MAX_FILES", 0)
    monkeypatch.setattr(transaction, "_MAX_DELETED", 2)  # above any share: DuckLake raises an error
    import_paths(FEW[1:2], there)
    import_paths(FEW[:2], tmp_path / "games.zertz")
    assert contents(there)["game"] == contents(tmp_path / "games.zertz")["game"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ducklake:/srv/games.ducklake", ("ducklake:/srv/games.ducklake", "")),
        ("ducklake:postgres:dbname=a host=/run data_path=/srv/a", ("ducklake:postgres:dbname=a host=/run", "/srv/a")),
        ("ducklake:postgres:dbname=a data_path=s3://bucket/a", ("ducklake:postgres:dbname=a", "s3://bucket/a")),
    ],
)
def test_names_of_lakes(name: str, parts: tuple[str, str]) -> None:
    assert address.parse_address(Path(name)) == parts
    assert address.is_lake(Path(name))


def test_the_older_form_of_aliases_is_read_and_moved(lakes: Lakes) -> None:
    there = lakes.new("older_aliases")
    old = "[[claim]]\nname = 'a'\nplayer = 'b'\nverdict = 'accepted'\nsince = 2026-05-01\n"
    annotate(there, lambda folder: (folder / people_toml.FILE).write_text(old))
    first = people_file.NameAlias("a", "b", "accepted", "", date(2026, 5, 1))
    with open_database(there) as database:
        assert people_file.read_aliases(database.annotations_dir) == [first]
    annotate(there, lambda folder: people_file.append_aliases(folder, [first._replace(name="c")]))
    with open_database(there) as database:
        assert [path.name for path in database.annotations_dir.iterdir()] == [people_file.FILE]
        assert people_file.read_aliases(database.annotations_dir) == [first, first._replace(name="c")]


def test_changes_that_only_a_folder_allows_are_rejected(shared: Path, tmp_path: Path) -> None:
    with pytest.raises(NotInLakes, match="zertz merge"), next_generation("ducklake:games.ducklake"):
        pass
    with open_database(shared) as database, pytest.raises(StoreError, match="zertz merge LAKE --into FOLDER"):
        database.copy_to(tmp_path / "games.duckdb")


def test_a_missing_extension_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb, "__version__", "0.0.1")
    with pytest.raises(NoExtension, match=r"ducklake for DuckDB 0\.0\.1.*pip install"):
        open_database("ducklake:games.ducklake")


@pytest.mark.long
def test_stated_letters_hold_as_in_a_folder(lakes: Lakes, tmp_path: Path) -> None:
    there, folder, file = lakes.new("letters"), tmp_path / "games.zertz", tmp_path / "notes.txt"
    file.write_text("bd4,d1; gd3,a1; d3-d5\n")
    runs = [1, 2, None]
    for run, letters in zip(runs, (None, "it", None), strict=True):
        for database in (there, folder):
            assert import_paths([file, FEW[0]], database, letters=letters).run == run
    assert contents(there) == contents(folder)
    with open_database(there) as database:
        query = "SELECT DISTINCT r.reader_version, s.reader_version FROM _record r, _source s"
        assert database.connection().execute(query).fetchall() == [(format_reader_version("it"),) * 2]
    assert examine(there).is_fine


@pytest.mark.long
def test_copies_and_corrected_files_equal_those_in_a_folder(lakes: Lakes, tmp_path: Path) -> None:
    text = '[Board "37"]\n[Player1 "{}"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n'
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    found = []
    for database in (lakes.new("corrected"), tmp_path / "games.zertz"):
        one.write_text(text.format("Ada") + "\n" + text.format("Ben"))
        two.write_text(text.format("Ada"))
        balances = [import_paths([one, two], database)]
        one.write_text(text.format("Ada") + "\n" + text.format("Cem"))
        balances += [import_paths([one, two], database), import_paths([one, two], database, replace=True)]
        with open_database(database) as opened:
            query = "SELECT run, sources, records, stored, duplicate, rejected, withdrawn FROM imports ORDER BY run"
            runs = opened.connection().execute(query).fetchall()
        assert examine(database).is_fine
        numbers = [(it.read, it.stored, it.duplicate, it.run, len(it.missing), it.withdrawn) for it in balances]
        found.append((numbers, runs, contents(database)))
    assert found[0] == found[1]
    assert found[0][0][-1] == (3, 0, 3, 3, 1, (1, 1, 0))
