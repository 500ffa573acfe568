"""Several processes change a lake at the same time: each change in full, or not at all."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.cluster.lakes import FEW, Lakes, contents
from zertz_db import import_paths, open_database
from zertz_db.ingest import import_into_lake
from zertz_db.ingest.tally import Tally
from zertz_db.maintain.doctor import examine
from zertz_db.store.errors import NoDatabase, StoreError
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.database import Database
from zertz_db.store.lake import catalog, transaction
from zertz_db.store.loading import compaction
from zertz_db.store.schema import meta

THIRD = len(FEW) // 3
PARTS = FEW[: 2 * THIRD], FEW[THIRD:]
"""The files of two imports: both have the middle third."""
_PROGRAM = "import sys; from zertz_db import import_paths; import_paths(sys.argv[2:], sys.argv[1])"
_PATIENCE = 300


def begin_import(there: Path, files: list[Path]) -> subprocess.Popen[bytes]:
    """Start an import in another process."""
    return subprocess.Popen([sys.executable, "-c", _PROGRAM, str(there), *map(str, files)])


@pytest.mark.long
def test_two_machines_import_at_the_same_time(lakes: Lakes, tmp_path: Path) -> None:
    there = lakes.new("two")
    machines = [begin_import(there, part) for part in PARTS]
    assert [machine.wait(timeout=_PATIENCE) for machine in machines] == [0, 0]
    import_paths(FEW, tmp_path / "games.zertz")
    found, wanted = contents(there), contents(tmp_path / "games.zertz")
    for table in ("ply", "position", "node", "player", "alias", "tag", "finding"):
        assert found[table] == wanted[table], table
    assert [row[0] for row in found["game"]] == [row[0] for row in wanted["game"]]
    assert len(found["record"]) == len(wanted["record"])
    assert examine(there).is_fine


@pytest.mark.long
def test_an_overtaken_import_is_repeated_after_the_other(
    lakes: Lakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = lakes.new("overtaken")
    import_paths(FEW[:1], there)
    put = import_into_lake._copy_to_lake
    begun: list[int] = []

    def slowly(database: Database, build: Build, *others: Any) -> Tally:
        balance = put(database, build, *others)
        begun.append(build.before)
        if len(begun) == 1:
            import_paths(PARTS[0], there)
        return balance

    monkeypatch.setattr(import_into_lake, "_copy_to_lake", slowly)
    import_paths(PARTS[1], there)
    assert begun == [1, 1, 2]  # both began at the same state; this one again after the other
    for part in (FEW[:1], *PARTS):
        import_paths(part, tmp_path / "games.zertz")
    assert contents(there) == contents(tmp_path / "games.zertz")


@pytest.mark.parametrize(
    ("ours", "theirs", "moves"), [(None, "it", "Wd4,d1"), ("it", None, "Wd4,d1"), ("en", "it", "Bd4,d1")]
)
@pytest.mark.long
def test_stated_letters_count_in_any_order(
    lakes: Lakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ours: str | None, theirs: str | None, moves: str
) -> None:
    there = lakes.new(f"letters_{ours}_{theirs}".lower())
    (tmp_path / "notes.txt").write_text("bd4,d1\n")
    import_paths(FEW[:1], there)
    put = import_into_lake._copy_to_lake

    def slowly(database: Database, build: Build, *others: Any) -> Tally:
        monkeypatch.setattr(import_into_lake, "_copy_to_lake", put)
        balance = put(database, build, *others)
        import_paths([tmp_path / "notes.txt", FEW[1]], there, letters=theirs)
        return balance

    monkeypatch.setattr(import_into_lake, "_copy_to_lake", slowly)
    import_paths([tmp_path / "notes.txt"], there, letters=ours)
    with open_database(there) as database:
        query = """
            SELECT DISTINCT g.movetext FROM _game g JOIN _record r ON r.game = g.id JOIN _source s ON s.id = r.source
            WHERE s.path LIKE '%notes.txt'
        """
        found = database.connection().execute(query).fetchall()
    assert found == [(moves,)]
    assert examine(there).is_fine


def test_a_rejected_change_is_repeated_on_top_of_the_other(lakes: Lakes) -> None:
    there = lakes.new("again")
    begun = []

    def change(build: Build) -> None:
        begun.append(build.before)
        if len(begun) == 1:
            transaction.change_lake(there, lambda _: None)

    transaction.change_lake(there, change)
    assert begun == [0, 1]
    with open_database(there) as database:
        assert database.facts()["generation"] == "2"


@pytest.mark.parametrize("is_first", [True, False], ids=["before it has begun", "when it is done with that"])
def test_a_concurrent_creation_is_repeated_on_top_of_the_other(
    is_first: bool, lakes: Lakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = lakes.new(f"made_{is_first}".lower())
    make = transaction._make
    begun: list[int] = []

    def slowly(connection: duckdb.DuckDBPyConnection) -> None:
        begun.append(catalog.latest(connection))
        is_outer = len(begun) == 1
        if not is_first:
            make(connection)
        if is_outer:
            transaction.change_lake(there, lambda _: None)
        if is_first:
            make(connection)

    monkeypatch.setattr(transaction, "_make", slowly)
    transaction.change_lake(there, lambda _: None)
    assert begun == [0, 0]  # both began without a lake
    with open_database(there) as database:
        assert database.facts()["generation"] == "2"


_STOPPED_AT = {
    "tables": "annotation_table.CREATE = 'CREATE TABLE half_done (x INTEGER)'; ddl.create = stop",
    "order": "transaction.sort_by = stop",
    "change": "",
}


@pytest.mark.parametrize("stopped_at", _STOPPED_AT)
@pytest.mark.long
def test_a_stopped_creation_is_no_obstacle(stopped_at: str, lakes: Lakes) -> None:
    there = lakes.new(f"stopped_at_{stopped_at}")
    program = f"""
import os, signal, sys
from pathlib import Path
from zertz_db.store.lake import annotation_table, transaction
from zertz_db.store.schema import ddl, table_columns
stop = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
{_STOPPED_AT[stopped_at]}
transaction.change_lake(Path(sys.argv[1]), stop)
"""
    stopped = subprocess.run([sys.executable, "-c", program, str(there)], timeout=_PATIENCE, check=False)
    assert stopped.returncode == -signal.SIGKILL
    with pytest.raises(NoDatabase, match="zertz import"):
        open_database(there)
    transaction.change_lake(there, lambda _: None)
    with open_database(there) as database:
        assert database.facts()["generation"] == "1"
        assert not database.connection().execute("FROM duckdb_tables() WHERE table_name = 'half_done'").fetchall()


def test_a_change_from_before_a_purge_is_repeated(lakes: Lakes) -> None:
    there = lakes.new("purged")
    transaction.change_lake(there, lambda build: build.connection.execute(_THREE_TAGS))
    begun, seen = [], []

    def change(build: Build) -> None:
        begun.append(build.before)
        if len(begun) == 1:
            transaction.change_lake(there, _purge)
        seen.extend(build.connection.execute("SELECT record FROM _tag ORDER BY record").fetchall())

    transaction.change_lake(there, change)
    assert begun == [1, 2]
    assert seen == [(1,), (3,)]


def test_a_publication_after_a_purge_is_rejected(lakes: Lakes, monkeypatch: pytest.MonkeyPatch) -> None:
    there = lakes.new("late")
    transaction.change_lake(there, lambda build: build.connection.execute(_THREE_TAGS))
    # Purged once, so that the next purge has no facts to rewrite; then stopped before it notes that it is done.
    transaction.change_lake(there, lambda build: compaction.demand(build.connection))
    monkeypatch.setattr(compaction, "clear_demand", lambda _: None)
    with catalog.connect(there, writable=True) as late:
        late.begin()
        meta.write(late, {"generation": 3})
        transaction.change_lake(there, _purge)
        with pytest.raises(duckdb.TransactionException):
            late.commit()


_THREE_TAGS = "INSERT INTO _tag BY NAME SELECT range AS record, 'Event' AS name, 'club night' AS value FROM range(1, 4)"


def _purge(build: Build) -> None:
    build.connection.execute("DELETE FROM _tag WHERE record = 2")
    compaction.demand(build.connection)


def test_a_reader_whose_snapshot_is_purged_opens_the_next(lakes: Lakes, monkeypatch: pytest.MonkeyPatch) -> None:
    there = lakes.new("gone")
    transaction.change_lake(there, lambda _: None)
    attaching = catalog.attaching
    wanted: list[int] = []

    def slowly(folder: Path, name: str, snapshot: int | None = None, *, writable: bool = False) -> str:
        if snapshot is not None:
            wanted.append(snapshot)
            if len(wanted) == 1:
                transaction.change_lake(there, _purge)
        return attaching(folder, name, snapshot, writable=writable)

    monkeypatch.setattr(catalog, "attaching", slowly)
    with open_database(there) as database:
        assert database.facts()["generation"] == "2"
        assert [database.generation.number] == wanted[1:]


def test_a_discarded_change_creates_no_lake(lakes: Lakes) -> None:
    there = lakes.new("nothing")
    transaction.change_lake(there, Build.discard)
    with pytest.raises(NoDatabase):
        open_database(there)


@pytest.mark.parametrize(
    ("error", "raised"),
    [(KeyboardInterrupt, KeyboardInterrupt), (duckdb.Error, duckdb.Error), (duckdb.IOException, StoreError)],
    ids=["by a person", "by a fault of ours", "since the catalog is gone"],
)
def test_a_failure_leaves_it_unchanged(error: type[BaseException], raised: type[BaseException], lakes: Lakes) -> None:
    there = lakes.new(f"failing_{error.__name__.lower()}")
    transaction.change_lake(there, lambda _: None)

    def change(build: Build) -> None:
        meta.write(build.connection, {"half": "done"})
        (build.annotations_dir / "marks.jsonl").write_text("half done")
        raise error

    with pytest.raises(raised):
        transaction.change_lake(there, change)
    with open_database(there) as database:
        assert "half" not in database.facts()
        assert not [*database.annotations_dir.iterdir()]
