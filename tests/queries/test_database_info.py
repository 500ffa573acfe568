import json
from pathlib import Path

import pytest

from zertz_db.queries.database_info import list_imports, list_reasons, list_rejects, summarise
from zertz_db.queries.errors import QueryError
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database


def test_info_counts_everything(database: Database) -> None:
    found = summarise(database)
    assert found.games.rows == [
        ("37", "verified", 3),
        ("37", "unfinished", 1),
        ("48", "verified", 1),
        ("custom", "unfinished", 1),
    ]
    assert dict(found.records.rows) == {"stored": 6, "rejected": 3, "duplicate": 1}
    assert (found.sources, found.imports, found.generation) == (2, 2, 2)
    assert found.positions == found.plies + 6
    assert Path(found.path).stat().st_size == found.size
    assert json.loads(json.dumps(found.as_json()))["games"][0] == {"board": "37", "verdict": "verified", "games": 3}


def test_imports_balance(database: Database) -> None:
    runs = list_imports(database).dicts()
    assert [run["run"] for run in runs] == [2, 1]
    assert [(run["stored"], run["duplicate"], run["rejected"]) for run in runs] == [(0, 1, 1), (6, 0, 2)]
    assert all(run["records"] == run["stored"] + run["duplicate"] + run["rejected"] for run in runs)


def test_rejects_say_where_and_why(database: Database) -> None:
    first, second = list_rejects(database, 1).dicts()
    assert (first["reason"], first["index"], first["path"].rpartition("/")[2]) == ("E302", 6, "club.txt")
    assert "capture is compulsory" in first["message"]
    assert second["index"] == 7
    assert second["line"] > first["line"]
    assert [row["reason"] for row in list_rejects(database, 2).dicts()] == ["E302"]


def test_reasons_are_counted_by_code(database: Database) -> None:
    counted = {row["reason"]: row["records"] for row in list_reasons(database, 1).dicts()}
    assert counted["E302"] == 1
    assert sum(counted.values()) == 2


@pytest.mark.parametrize("ask", [list_rejects, list_reasons])
def test_an_unknown_import_is_named(database: Database, ask: type) -> None:
    with pytest.raises(QueryError, match="no import has the number 7; the last is import 2"):
        ask(database, 7)


def test_an_empty_database_has_answers_too(tmp_path: Path) -> None:
    with next_generation(tmp_path / "db"):
        pass
    with open_database(tmp_path / "db") as empty:
        assert summarise(empty).games.rows == []
        assert list_imports(empty).rows == []
        with pytest.raises(QueryError, match="there are no imports yet"):
            list_rejects(empty, 1)
