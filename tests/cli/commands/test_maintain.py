"""The commands that look after a database, run as a user runs them, and as processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.cli.conftest import Run
from tests.ingest.databases import ask, copied
from tests.ingest.injecting import NAME, game, inject, logged
from zertz_db.ingest.import_paths import import_paths
from zertz_db.store.annotations import people_file
from zertz_db.store.folder import generations
from zertz_db.store.folder.build import next_generation
from zertz_db.store.schema import meta


@pytest.fixture
def db(tmp_path: Path, imported_archives: Path) -> Path:
    return copied(imported_archives, tmp_path)


def damage(db: Path, statement: str) -> None:
    with next_generation(db) as build:
        build.connection.execute(statement)


def test_a_healthy_database_is_fine(run: Run, db: Path) -> None:
    status, out, _ = run("doctor")
    assert (status, out.splitlines()[-1]) == (0, f"{db} is fine")
    assert run("doctor", "--sample", 2)[0] == 0


def test_the_doctor_names_what_is_wrong_and_what_to_do(run: Run, db: Path) -> None:
    damage(db, "UPDATE _game SET result = '0-0' WHERE player1 = 'ada'; INSERT INTO _tag VALUES (7, 'x', 'y')")
    status, out, _ = run("doctor")
    assert status == 1
    assert "a tag has no record: 1, for example record 0000000000007" in out
    assert "game.result differs" in out
    assert f"zertz recheck --db {db}" in out
    assert "can't be fixed: restore a backup" in out
    assert "is fine" not in out


def test_a_record_on_which_zertz_fails_is_reported(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "games.txt").write_text(game("Ada") + "\n" + game(NAME))
    import_paths([tmp_path / "games.txt"], tmp_path / "own")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "own"))
    with monkeypatch.context() as patch:  # of a stored game
        inject(patch, "zertz_db.ingest.records.batch:build_game_row", RuntimeError("no idea"))
        for command in ("doctor", "recheck"):
            status, out, _ = run(command)
            assert (status, "zertz failed on 1 record; they stay unchanged" in out) == (1, True)
        import_paths([tmp_path / "games.txt"], tmp_path / "other")
    assert logged(caplog)[0] >= 1
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "other"))
    assert "1 record rejected because zertz itself failed (E109)" in run("doctor")[1]


def test_recheck_mends_what_follows_from_the_records(run: Run, db: Path) -> None:
    damage(db, "UPDATE _game SET result = '0-0' WHERE player1 = 'ada'")
    status, out, _ = run("recheck", "--dry-run")
    assert status == 1
    assert "would change" in out
    assert run("doctor")[0] == 1
    status, out, _ = run("recheck")
    assert status == 0
    assert f"changed in {db}" in out
    assert run("doctor")[0] == 0
    assert run("recheck") == (0, "no changes: every record reads as stored\n", "")


def test_an_import_is_undone(run: Run) -> None:
    status, out, _ = run("undo", 1)
    assert (status, out) == (0, "import 1 undone: 13 records, 0 games and 2 files removed\n")
    assert [(one["run"], one["undone"]) for one in json.loads(run("imports", "--json")[1])] == [(2, False), (1, True)]
    status, _, err = run("undo", 1)
    assert status == 2
    assert "was undone before" in err


def test_databases_are_merged_and_taken_apart(run: Run, db: Path, tmp_path: Path) -> None:
    status, _, err = run("export", "--player", "ada", "--to-db", tmp_path / "ada.zertz")
    assert (status, "ada.zertz" in err) == (0, True)
    assert run("doctor", "--db", tmp_path / "ada.zertz")[0] == 0
    assert all("ada" in row for row in ask(tmp_path / "ada.zertz", "SELECT player1, player2 FROM games"))
    status, out, _ = run("merge", tmp_path / "ada.zertz", db, "--into", tmp_path / "all.zertz")
    assert (status, len(out.splitlines())) == (0, 2)
    assert len(ask(tmp_path / "all.zertz", "FROM games")) == 12
    status, out, _ = run("merge", db, "--into", tmp_path / "all.zertz")
    assert (status, out.splitlines()[-1]) == (0, f"nothing new: {tmp_path / 'all.zertz'} is unchanged")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["export", "--to-db", "{db}"], "exists; name a new folder"),
        (["export", "--to-db", "{new}", "-o", "games.txt"], "--to-db creates a database, not a file"),
        (["merge", "{new}", "--into", "{db}"], "There is no database"),
        (["undo", "9"], "has no import 9"),
        (["players", "--anonymise", "nobody"], "No player is called nobody"),
        (["doctor", "--db", "{new}"], "There is no database"),
        (["recheck", "--db", "{new}"], "There is no database"),
        (["undo", "1", "--db", "{new}"], "There is no database"),
        (["migrate", "--db", "{new}"], "There is no database"),
    ],
)
def test_what_is_impossible_is_a_sentence_and_changes_nothing(
    run: Run, db: Path, tmp_path: Path, command: list[str], words: str
) -> None:
    before = (db / "CURRENT").read_text()
    new = tmp_path / "new.zertz"
    status, out, err = run(*(word.format(db=db, new=new) for word in command))
    assert (status, out) == (2, "")
    assert words in err
    assert "Traceback" not in err
    assert (db / "CURRENT").read_text() == before
    assert not new.exists()


def test_players_are_listed_and_one_is_anonymised(run: Run) -> None:
    players = json.loads(run("players", "--json")[1])
    assert {(one["name"], one["kind"]) for one in players} >= {("ada", "human"), ("Čeněk", "human")}
    assert sum(one["games"] for one in players) == 24
    status, out, _ = run("players", "--anonymise", "ADA")
    assert status == 0
    assert out.startswith("ada: now anon_")
    assert "ada" not in run("players", "--csv")[1]
    assert run("doctor")[0] == 0


def test_an_older_database_says_how_it_is_brought_up_to_date(run: Run, db: Path) -> None:
    assert run("migrate") == (0, f"{db} had already schema {meta.SCHEMA_VERSION}\n", "")
    live = generations.live_generation(db)
    assert live
    with duckdb.connect(live.path) as connection:
        meta.write(connection, {"schema_version": 0})
    status, _, err = run("games")
    assert (status, f"zertz migrate --db {db}" in err) == (2, True)
    status, _, err = run("migrate")
    assert (status, "too old" in err) == (2, True)


def test_readers_in_other_processes_go_on_while_a_database_is_changed(db: Path) -> None:
    reading = (
        "import sys, time; from zertz_db.store.open_database import open_database\n"
        "with open_database(sys.argv[1]) as database:\n"
        "    connection = database.connection(); print(connection.execute('SELECT count(*) FROM games').fetchall()[0][0], flush=True)\n"
        "    sys.stdin.readline(); print(connection.execute('SELECT count(*) FROM games').fetchall()[0][0])\n"
        "    print(database.connection().execute('SELECT count(*) FROM games').fetchall()[0][0])\n"
    )
    command = [sys.executable, "-c", reading, str(db)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdin
        assert reader.stdout
        assert reader.stdout.readline() == "12\n"
        zertz = [sys.executable, "-c", "from zertz_db.cli.main import main; main()"]
        subprocess.run([*zertz, "undo", "2", "--db", str(db)], check=True, capture_output=True)
        reader.stdin.write("\n")
        reader.stdin.close()
        assert reader.stdout.read().split() == ["12", "8"]


def test_lost_redacted_names_are_reported_and_restored(run: Run, db: Path) -> None:
    assert run("players", "--anonymise", "ada")[0] == 0
    before = (db / people_file.FILE).read_bytes()
    (db / people_file.FILE).unlink()
    status, _, errors = run("mark", "--filter", "board:48", "--label", "study")
    assert (status, f"zertz doctor --repair --db {db}" in errors) == (2, True)
    status, out, _ = run("doctor")
    assert (status, "lacks 1 redacted name" in out) == (1, True)
    status, out, _ = run("doctor", "--repair")
    assert (status, f"restored 1 redacted name in {db / people_file.FILE}" in out) == (0, True)
    assert (db / people_file.FILE).read_bytes() == before


def test_a_lost_current_is_reported_and_repaired(run: Run, db: Path) -> None:
    live = generations.live_generation(db)
    assert live
    (db / "CURRENT").unlink()
    status, _, errors = run("games")
    assert status == 2
    assert f"zertz doctor --repair --db {db}" in errors
    status, out, _ = run("doctor")
    assert status == 1
    assert f"{live.path.name} of " in out
    assert " UTC is intact: " in out
    assert not (db / "CURRENT").exists()
    status, out, _ = run("doctor", "--repair")
    assert status == 0
    assert f"repaired: {live.path.name} is live now; no file was deleted" in out
    assert out.splitlines()[-1] == f"{db} is fine"
    assert run("doctor", "--repair")[1].startswith(f"{db}: nothing to repair")


def test_a_damaged_live_file_is_reported_with_what_would_be_lost(run: Run, db: Path) -> None:
    live = generations.live_generation(db)
    assert live
    live.path.write_bytes(live.path.read_bytes()[:100_000])
    status, out, _ = run("doctor")
    assert status == 1
    assert f"{live.path.name} is not intact" in out
    assert "it lacks all changes after" in out
    status, out, _ = run("doctor", "--repair")
    assert status == 0
    assert "set aside: " in out
    assert generations.live_generation(db) != live


def test_damaged_annotations_are_problems_and_stay(run: Run, db: Path) -> None:
    (db / "marks.jsonl").write_text("nonsense\n")
    status, out, _ = run("doctor")
    assert status == 1
    assert "marks.jsonl:1 is not a mark" in out
    assert run("games")[0] == 0
    assert (db / "marks.jsonl").read_text() == "nonsense\n"
