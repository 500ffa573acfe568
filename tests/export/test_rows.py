from pathlib import Path

import duckdb

from zertz_db.export.rows import game_object, objects, table, write_database, write_parquet
from zertz_db.store.folder.database import Database


def test_objects_have_the_verdict_and_the_moves(database: Database, ids: dict[str, str]) -> None:
    found = {game["id"]: game for game in objects(database)}
    assert set(found) == set(ids.values())
    resigned = found[ids["resigned"]]
    assert resigned["moves"] == ["Wd4,d1", "Bd3,a1", "x d3Wd5", "Gc3,g1"]
    wanted = {
        "player1": "Ada", "date": "2010.05.01", "result": "0-1", "winner": 2, "ending": "resign", "index": 0, "line": 1, "member": None,
        "dialect": "gipf", "board": "37", "rule_set": "standard", "verdict": "verified", "plies": 4, "winning_sets": [],
        "captured": [[1, 0, 0], [0, 0, 0]], "pool": [5, 7, 9], "findings": [],
    }  # fmt: skip
    assert {name: resigned[name] for name in wanted} == wanted
    contradicted = found[ids["contradicted"]]
    assert contradicted["winning_sets"] == ["3each"]
    assert [finding["code"] for finding in contradicted["findings"]] == ["W401"]


def test_the_number_of_objects_is_limited(database: Database) -> None:
    everything = list(objects(database))
    assert [list(objects(database, limit=most)) for most in (0, 2, 100)] == [[], everything[:2], everything]


def test_a_single_object_equals_that_of_the_list(database: Database, ids: dict[str, str]) -> None:
    assert game_object(database, ids["large"][:6]) == next(objects(database, "board:48"))


def test_tables_have_every_column_and_the_same_rows(database: Database, tmp_path: Path) -> None:
    names, rows = table(database, "player:Ada", "date")
    listed = list(rows)
    write_parquet(database, tmp_path / "it's games.parquet", "player:Ada", "date")
    parquet = duckdb.read_parquet(str(tmp_path / "it's games.parquet"))
    assert parquet.columns == names
    assert parquet.fetchall() == listed
    assert [row[names.index("event")] for row in listed] == ["resigned", "clocks", "large"]
    assert names == [row[0] for row in database.connection().execute("DESCRIBE games").fetchall()]


def test_the_copy_is_a_plain_database_with_all_views(database: Database, tmp_path: Path) -> None:
    write_database(database, tmp_path / "all.duckdb")
    with duckdb.connect(tmp_path / "all.duckdb", read_only=True) as copy:
        assert copy.execute("SELECT count(*) FROM games").fetchall() == [(6,)]
        assert copy.execute("SELECT count(*) FROM sightings").fetchall() == [(7,)]
