"""A lake holds what a folder holds, answers as it does, and takes imports of several machines."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from tests.cluster.rows import rows
from zertz_db import import_paths, open_database, samples
from zertz_db.ingest.doctor import examine
from zertz_db.ingest.publishing import publish
from zertz_db.queries import list_games
from zertz_db.queries.openings import openings
from zertz_db.queries.sql import sql
from zertz_db.store import lake, lake_changing, meta
from zertz_db.store.building import next_generation
from zertz_db.store.errors import NoDatabase, NotInLakes
from zertz_db.store.lake import NoExtension
from zertz_db.store.opening import beside

NewLake = Callable[[str], Path]
FILES = sorted(path for path in samples.folder().rglob("*") if path.is_file())
FEW = [path for path in FILES if path.stat().st_size < 5_000]


def contents(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    with open_database(folder) as database:
        return rows(database.connection())


def test_an_import_is_the_same_as_into_a_folder(new_lake: NewLake, embedded: Path) -> None:
    there = new_lake("same")
    balance = import_paths([samples.folder()], there)
    assert contents(there) == contents(embedded)
    assert examine(there).is_fine
    again = import_paths([samples.folder()], there)
    assert (again.read, again.stored, again.rejected, again.run) == (balance.read, 0, balance.rejected, None)


def test_questions_have_the_same_answers(new_lake: NewLake, embedded: Path) -> None:
    there = new_lake("answers")
    with open_database(embedded) as database:
        publish(database, there, ["the samples"])
        asked = [
            list_games(database, "board:48 plies:<40").rows,
            openings(database, "").continuations.rows,
            sql(database, "SELECT board, count(*) FROM games GROUP BY ALL ORDER BY ALL").rows,
        ]
    with open_database(there) as database:
        assert asked == [
            list_games(database, "board:48 plies:<40").rows,
            openings(database, "").continuations.rows,
            sql(database, "SELECT board, count(*) FROM games GROUP BY ALL ORDER BY ALL").rows,
        ]


def test_its_connections_can_be_shared_out_to_threads(new_lake: NewLake) -> None:
    there = new_lake("threads")
    import_paths(FEW, there)
    with open_database(there) as database:
        kept = database.connection()
        other = beside(beside(kept))
        assert rows(other) == rows(kept)


def test_two_machines_import_at_the_same_time(new_lake: NewLake, embedded: Path) -> None:
    there = new_lake("two")
    halves = FILES[: 2 * len(FILES) // 3], FILES[len(FILES) // 3 :]
    program = "import sys; from zertz_db import import_paths; import_paths(sys.argv[2:], sys.argv[1])"
    machines = [subprocess.Popen([sys.executable, "-c", program, str(there), *map(str, half)]) for half in halves]
    assert [machine.wait(timeout=100) for machine in machines] == [0, 0]
    found, wanted = contents(there), contents(embedded)
    assert {row[0] for row in found["game"]} == {row[0] for row in wanted["game"]}
    assert len(found["game"]) == len(wanted["game"])
    for table in ("ply", "position", "node", "player"):
        assert found[table] == wanted[table], table
    assert examine(there).is_fine


def test_who_is_refused_begins_anew_on_top_of_the_other(new_lake: NewLake) -> None:
    there = new_lake("anew")
    begun = []

    def change(connection: duckdb.DuckDBPyConnection) -> None:
        begun.append(meta.read(connection)["generation"])
        if len(begun) == 1:
            lake_changing.changed(there, lambda _: None)

    lake_changing.changed(there, change)
    assert begun == ["0", "1"]
    with open_database(there) as database:
        assert database.facts()["generation"] == "2"


def test_what_fails_leaves_it_as_it_was(new_lake: NewLake) -> None:
    there = new_lake("failing")
    lake_changing.changed(there, lambda _: None)

    def change(connection: duckdb.DuckDBPyConnection) -> None:
        meta.write(connection, {"half": "done"})
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lake_changing.changed(there, change)
    with open_database(there) as database:
        assert "half" not in database.facts()


def test_a_reader_stays_on_its_snapshot_and_moves_on(new_lake: NewLake) -> None:
    there = new_lake("readers")
    import_paths(FILES[:1], there)
    count = "SELECT count(*) FROM _record"
    with open_database(there) as database:
        kept = database.connection()
        before = kept.execute(count).fetchall()
        import_paths(FEW, there)
        assert kept.execute(count).fetchall() == before
        assert database.connection().execute(count).fetchall() > before


def test_a_lake_that_is_not_there_is_named(new_lake: NewLake) -> None:
    there = new_lake("absent")
    with pytest.raises(NoDatabase, match="zertz import"):
        open_database(there)


def test_many_small_files_become_few(new_lake: NewLake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = new_lake("tidied")
    monkeypatch.setattr(lake_changing, "MOST_FILES", 2)
    for part in range(4):
        import_paths(FEW[part::4], there)
    with open_database(there) as database:
        tables = (
            "SELECT file_count FROM ducklake_table_info(current_database()) WHERE table_name IN ('_ply', '_position')"
        )
        assert max(database.connection().execute(tables).fetchall()) <= (lake_changing.MOST_FILES,)
    assert examine(there).is_fine
    import_paths(FEW, tmp_path / "games.zertz")
    assert contents(there)["position"] == contents(tmp_path / "games.zertz")["position"]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ducklake:/srv/games.ducklake", ("ducklake:/srv/games.ducklake", "")),
        ("ducklake:postgres:dbname=a host=/run data_path=/srv/a", ("ducklake:postgres:dbname=a host=/run", "/srv/a")),
        ("ducklake:postgres:dbname=a data_path=s3://bucket/a", ("ducklake:postgres:dbname=a", "s3://bucket/a")),
    ],
)
def test_names_of_lakes(name: str, parts: tuple[str, str]) -> None:
    assert lake.address(Path(name)) == parts
    assert lake.is_lake(Path(name))


def test_what_only_a_folder_allows_is_refused() -> None:
    with pytest.raises(NotInLakes, match="zertz merge"), next_generation("ducklake:games.ducklake"):
        pass


def test_an_extension_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb, "__version__", "0.0.1")
    with pytest.raises(NoExtension, match=r"ducklake for DuckDB 0\.0\.1.*pip install"):
        open_database("ducklake:games.ducklake")
