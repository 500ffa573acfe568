"""The doctor: every kind of damage is found, and nothing else."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import duckdb
import pytest

from tests.ingest.databases import copied, made_up, zipped
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain import doctor
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.recheck import recheck_database
from zertz_db.maintain.undo_import import undo
from zertz_db.play.generate import generate_games
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.database import require_live
from zertz_db.store.loading import opening_nodes

A_GAME = "(SELECT id FROM _game WHERE player1 = 'ada' ORDER BY id LIMIT 1)"
A_RECORD = f"(SELECT record FROM _game WHERE id = {A_GAME})"
A_DUPLICATE = "(SELECT any_value(game) FROM _record WHERE status = 'duplicate')"

BROKEN = [
    ("UPDATE _import SET stored = stored + 1 WHERE run = 1", "an import's tally is not stored + duplicate + rejected"),
    ("UPDATE _import SET stored = stored - 1, rejected = rejected + 1 WHERE run = 1", "an import has more records than it counted"),
    ("UPDATE _import SET stored = stored + 1, rejected = rejected - 1 WHERE run = 1", "an import counted more records than it has"),
    ("INSERT INTO _revisit VALUES (2, 7)", "a file that an import found unchanged is missing"),
    ("UPDATE _import SET undone = true WHERE run = 1", "an import that was undone still has records"),
    ("UPDATE _record SET run = 9 WHERE run = 2", "a record has no import"),
    ("DELETE FROM _source WHERE contains(path, 'a.txt')", "a record has no source"),
    (f"UPDATE _record SET bytes = NULL WHERE id = {A_RECORD}", "a record has no bytes"),
    ("UPDATE _record r SET bytes = (SELECT any_value(o.bytes) FROM _record o WHERE o.id = r.id)", "a record has its bytes twice"),
    (f"UPDATE _record SET bytes = 'rubbish'::BLOB WHERE id = {A_RECORD} AND bytes IS NOT NULL", "a record's id is not that of its bytes"),
    (f"INSERT INTO _record SELECT * REPLACE (NULL AS bytes) FROM _record WHERE id = {A_RECORD}", "a place in a file has two records"),
    (f"INSERT INTO _game FROM _game WHERE id = {A_GAME}", "a game is stored twice"),
    (f"DELETE FROM _game WHERE id = {A_GAME}", "a record's game does not exist"),
    (f"UPDATE _record SET game = NULL WHERE id = {A_RECORD}", "a rejected record has a game, or another has none"),
    ("UPDATE _record SET reason = NULL", "a rejected record has no reason"),
    (f"UPDATE _record SET status = 'stored' WHERE game = {A_DUPLICATE}", "a game was added by several records"),
    (f"UPDATE _record SET status = 'duplicate' WHERE game = {A_GAME}", "a game was added by no record"),
    (f"UPDATE _game SET record = 7 WHERE id = {A_GAME}", "a game's representative record is not one of its records"),
    (f"DELETE FROM _record WHERE game = {A_GAME}", "a game's representative record is not one of its records"),
    (f"UPDATE _record SET weight = 999 WHERE game = {A_DUPLICATE} AND id NOT IN (SELECT record FROM _game)",
     "a game's representative record is not the one with the most data"),
    *((f"UPDATE _game SET {column} = {value} WHERE id = {A_GAME}", "a game does not have its plies")
      for column, value in (("ply_letters", "ply_letters || '@'"), ("ply_letters", "ply_letters[:-2]"), ("ply_clocks", "[1000]"),
                            ("movetext", "movetext || ' Wa1'"), ("movetext", "''"))),
    (f"DELETE FROM _position WHERE game = {A_GAME} AND ply = 0", "a game does not have its plies + 1 positions"),
    (f"INSERT INTO _position FROM _position WHERE game = {A_GAME} AND ply = 0", "a game does not have its plies + 1 positions"),
    *((f"UPDATE _game SET {name} = {value} WHERE id = {A_GAME}", "a game's sums for statistics are not those of its plies and positions")
      for name, value in (("led1", "led1 + 1"), ("held2_9", "NULL"))),
    ("INSERT INTO _position SELECT * REPLACE (7 AS game) FROM _position LIMIT 1", "a position has no game"),
    ("INSERT INTO _mark BY NAME SELECT 7 AS game, 'good' AS label, 'me' AS author, now()::TIMESTAMP AS made_at", "a mark has no game"),
    ("INSERT INTO _tag VALUES (7, 'Annotator', 'Cy')", "a tag has no record"),
    ("INSERT INTO _finding SELECT * REPLACE (7 AS record) FROM _finding LIMIT 1", "a finding has no record"),
    ("DELETE FROM _alias WHERE name = 'ada'", "a name in a game has no player"),
    ("DELETE FROM _player WHERE name = 'ada'", "an alias has no player"),
    ("DELETE FROM _alias WHERE name = 'ada'", "a player has no alias"),
    ("INSERT INTO _node BY NAME SELECT *, 'standard' AS rule_set, 1 AS games, 0 AS wins, 0 AS draws, 0 AS losses, 9 AS sum_plies, "
     "7 AS last_game FROM (SELECT COLUMNS('key|side|counts') FROM _position LIMIT 1)",
     "the sums over continuations are wrong"),
    (f"""CREATE TEMP TABLE other AS SELECT {A_GAME} AS id; UPDATE _game SET id = 7 WHERE id = (FROM other);
     UPDATE _position SET game = 7 WHERE game = (FROM other);
     UPDATE _record SET game = 7 WHERE game = (FROM other); DROP TABLE other""", "a game's id is not that of its values"),
]  # fmt: skip

DIFFERENT = [
    (f"UPDATE _game SET result = '1/2-1/2' WHERE id = {A_GAME}", "game.result"),
    (f"UPDATE _game SET movetext = 'x' || movetext WHERE id = {A_GAME}", "game.movetext"),
    (f"UPDATE _game SET player1 = 'eve_1' WHERE id = {A_GAME}", "game.player1"),
    (f"UPDATE _position SET key = key + 1 WHERE game = {A_GAME} AND ply = 1", "position.key"),
    (f"UPDATE _position SET shape = shape + 1 WHERE game = {A_GAME} AND ply = 1", "position.shape"),
    (f"UPDATE _position SET white_or_black = white_or_black + 1 WHERE game = {A_GAME} AND ply = 1", "position.white_or_black"),
    (f"UPDATE _game SET ply_letters = chr(xor(ascii(ply_letters), 2)) || ply_letters[2:] WHERE id = {A_GAME}", "game.ply_letters"),
    (f"UPDATE _game SET ply_clocks = list_transform(range(plies), lambda ply: 1000 * ply) WHERE id = {A_GAME}", "game.ply_clocks"),
    (f"UPDATE _record SET verdict = 'unfinished' WHERE id = {A_RECORD}", "verdict"),
    (f"UPDATE _record SET weight = weight - 1 WHERE id = {A_RECORD}", "weight"),
    ("UPDATE _record SET bytes = NULL WHERE game IS NOT NULL; UPDATE _record SET reason = 'E305' WHERE status = 'rejected'", "reason"),
    ("UPDATE _tag SET value = 'sideways' WHERE name = 'Clock'", "tag"),
    ("DELETE FROM _tag WHERE name = 'Clock'", "tag"),
    ("DELETE FROM _finding", "finding"),
]  # fmt: skip


@pytest.fixture
def db(imported_archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(opening_nodes, "refresh", lambda _: None)  # it would repair the nodes
    return copied(imported_archives, tmp_path)


def damage(db: Path, statement: str) -> None:
    """Change the live file itself: a build would restore players and marks."""
    with duckdb.connect(require_live(db).path) as connection:
        connection.execute(statement)


def test_a_database_without_damage_is_fine(db: Path) -> None:
    found = examine(db)
    assert (found.is_fine, found.outdated, found.records) == (True, (), 27)


def test_empty_members_of_a_copied_archive_are_not_damage(tmp_path: Path) -> None:
    """Records without bytes have an id by their names; those of a copy have the ids of the original's."""
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        for name in ("one.sgf", "other.sgf"):
            archive.writestr(name, b"")
    shutil.copy(tmp_path / "games.zip", tmp_path / "copy.zip")
    import_paths([tmp_path / "games.zip", tmp_path / "copy.zip"], tmp_path / "db")
    for _ in range(2):
        assert examine(tmp_path / "db").is_fine
        assert not examine(tmp_path / "db").differences
        recheck_database(tmp_path / "db")


@pytest.mark.parametrize(("statement", "kind"), BROKEN, ids=[kind for _, kind in BROKEN])
def test_a_violation_of_integrity_is_named(db: Path, statement: str, kind: str) -> None:
    damage(db, statement)
    found = {problem.kind: problem for problem in examine(db).problems}
    assert kind in found
    assert found[kind].times > 0
    assert all(found[kind].examples)


@pytest.mark.parametrize(("statement", "what"), DIFFERENT, ids=[what for _, what in DIFFERENT])
def test_a_difference_from_the_record_is_named(db: Path, statement: str, what: str) -> None:
    damage(db, statement)
    found = examine(db)
    assert what in {name for one in found.differences for name in one.what}


@pytest.mark.parametrize("statement", ["UPDATE _node SET wins = wins + 1", "DELETE FROM _node"])
def test_sums_over_many_games_are_counted_again(
    tmp_path: Path, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_paths([zipped(tmp_path / "many.zip", list(generate_games(opening_nodes.FLOOR)))], tmp_path / "many")
    assert examine(tmp_path / "many", sample=0).is_fine
    monkeypatch.setattr(opening_nodes, "refresh", lambda _: None)
    damage(tmp_path / "many", statement)
    (problem,) = examine(tmp_path / "many", sample=0).problems
    assert problem.kind == "the sums over continuations are wrong"


def test_bytes_that_were_changed_are_noticed(db: Path) -> None:
    with next_generation(db) as build:
        connection = build.connection
        ((record, data),) = connection.execute(
            f"SELECT id, bytes FROM _record WHERE id = {A_RECORD} AND bytes IS NOT NULL"
        ).fetchall()
        changed = data.replace(b"ada", b"abe")
        connection.execute("UPDATE _record SET bytes = ? WHERE id = ? AND bytes IS NOT NULL", [changed, record])
    found = examine(db)
    assert [problem.kind for problem in found.problems] == ["a record's id is not that of its bytes"]
    assert {name for one in found.differences for name in one.what} >= {"game"}


def test_a_sample_reads_this_number_of_records(db: Path) -> None:
    assert 0 < examine(db, sample=1).records < 27
    assert examine(db, sample=1000).records == 27
    damage(db, "DELETE FROM _finding")
    assert examine(db, sample=0).is_fine


@pytest.mark.parametrize(
    ("name", "value", "outdated"), [("READER_VERSION", "newer", "readers"), ("sources_hash", lambda: "newer", "rules")]
)
def test_other_readers_or_rules_are_reported(
    db: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object, outdated: str
) -> None:
    monkeypatch.setattr(doctor, name, value)
    found = examine(db)
    assert (found.outdated, found.is_fine) == ((outdated,), True)


def test_games_without_names_are_not_damage(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("1. Wd4,d1 Bd3,a1 *\n")
    import_paths([tmp_path / "game.txt"], tmp_path / "db")
    assert examine(tmp_path / "db").is_fine


def test_an_undone_import_is_not_damage(db: Path) -> None:
    undo(db, 1)
    assert examine(db).is_fine


def test_an_import_by_newer_readers_is_not_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zertz_db.ingest import importer
    from zertz_db.ingest.records import reader_version

    file = zipped(tmp_path / "games.zip", made_up()[:3])
    import_paths([file], tmp_path / "db")
    for module in (importer, reader_version, doctor):
        monkeypatch.setattr(module, "READER_VERSION", "newer")
    assert import_paths([file], tmp_path / "db").stored == 3
    assert examine(tmp_path / "db").is_fine
